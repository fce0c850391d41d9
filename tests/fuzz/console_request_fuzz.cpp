// Any request, in any shape, to the console's router: it never crashes, every answer is whole, and nobody
// without a credential gets data or changes anything.
//
// Input: one byte of options (below), then as on the wire but with bare newlines: method, target, header
// lines, an empty line, body.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "agent/config/json.hpp"
#include "console/server/answers.hpp"
#include "console/server/router.hpp"

using namespace inlens::console;

namespace {

enum Option : unsigned {
  kMounted = 1,
  kTls = 2,
  kFromElsewhere = 4,
  kGoodToken = 8,
  kGoodHost = 16,
  kBarToNeighbours = 32,
  kGoodCookie = 64,
  kBelowBase = 128,
};

void require(bool holds) {
  if (!holds) std::abort();
}

std::string_view next_line(std::string_view& text) {
  const auto end = std::min(text.find('\n'), text.size());
  const auto line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

struct Seen {
  bool read = false;
  bool changed = false;
};

ConsoleOptions make_options(unsigned options) {
  ConsoleOptions console_options;
  console_options.gate.token = "right";
  console_options.gate.bound_address = "127.0.0.1";
  console_options.gate.port = 9790;
  console_options.gate.bar_allow = options & kBarToNeighbours ? BarAllow::kLoopback : BarAllow::kNobody;
  console_options.files = {{"index.html", "text/html", "shell", "zipped", "e", false},
                           {"assets/a.js", "text/javascript", "a", "", "", true}};
  return console_options;
}

void add_routes(Console& console, Seen& seen) {
  const auto handler = [&seen](const Request& request, const Identity&) {
    (is_read(request.method) ? seen.read : seen.changed) = true;
    query_value(request.query, "q");
    return json_answer(200, "{}");
  };
  console.add_route("GET", "/api/overview", handler);
  console.add_route("GET", "/api/requests/{id}", handler);
  console.add_route("POST", "/api/issues/{id}/resolve", handler);
  console.add_route("PUT", "/api/settings/{key}", handler);
  console.add_route("GET", "/bar/data/{id}", handler);
}

Request parse(unsigned options, std::string_view text) {
  Request request;
  request.method = next_line(text);
  std::string target = options & kBelowBase ? "/~inlens/" : "";
  request.set_target(target.append(next_line(text)));
  for (auto line = next_line(text); !line.empty(); line = next_line(text)) {
    const auto colon = std::min(line.find(':'), line.size());
    request.headers.add(line.substr(0, colon), line.substr(std::min(colon + 1, line.size())));
  }
  request.body = text;
  request.peer_address = options & kFromElsewhere ? "10.0.0.9" : "127.0.0.1";
  request.transport = options & kMounted ? Transport::kMounted : Transport::kOwnListener;
  request.tls = options & kTls;
  if (options & kGoodHost) request.headers.set("Host", "127.0.0.1:9790");
  if (options & kGoodToken) request.headers.set("Authorization", "Bearer right");
  return request;
}

// "inlens_9790=…" of a fresh session.
std::string sign_in(Console& console) {
  Request request;
  request.method = "POST";
  request.set_target("/~inlens/api/session");
  request.headers.add("Host", "localhost");
  request.body = R"({"token":"right"})";
  const Answer answer = console.handle(request);
  const std::string_view field = answer.headers.get("Set-Cookie");
  return std::string(field.substr(0, field.find(';')));
}

void check_whole(const Request& request, const Answer& answer) {
  require(answer.status >= 200 && answer.status <= 503);
  require(answer.headers.count("Content-Security-Policy") == 1 && answer.headers.count("Cache-Control") == 1);
  for (const Header& header : answer.headers)
    require(header.value.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos);
  if (answer.status >= 400 && request.method != "HEAD") require(nlohmann::json::accept(answer.body_view()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const unsigned options = data[0];
  Seen seen;
  Console console(
      make_options(options),
      [] {
        return Moment{1000, 2000};
      },
      nullptr);
  add_routes(console, seen);
  Request request = parse(options, {reinterpret_cast<const char*>(data) + 1, size - 1});
  if (options & kGoodCookie) request.headers.add("Cookie", sign_in(console));

  const Answer answer = console.handle(request);
  check_whole(request, answer);

  const bool credential = request.headers.get("Authorization").find("right") != std::string_view::npos ||
                          request.body.find("right") != std::string::npos || (options & kGoodCookie);
  const bool to_neighbour = (options & kBarToNeighbours) && !(options & kFromElsewhere);
  if (!credential) {
    require(!seen.changed && (!seen.read || to_neighbour));
    if (request.path.starts_with("/~inlens/api/")) require(answer.status >= 400);
  }
  // Nobody can guess the CSRF token, so a change was made with the token, or not at all.
  if (seen.changed) require(request.headers.get("Authorization").find("right") != std::string_view::npos);
  return 0;
}
