#include "console/server/router.hpp"

#include <algorithm>
#include <exception>

#include "console/server/answers.hpp"
#include "console/server/session_api.hpp"

namespace inlens::console {
namespace {

constexpr std::string_view kShell = "index.html";
constexpr std::string_view kPages[] = {"overview", "requests", "inflight", "issues",      "queries",
                                       "reports",  "findings", "calls",    "connections", "attached",
                                       "agent",    "settings", "login"};

bool is_page(std::string_view below) {
  return below.empty() || std::find(std::begin(kPages), std::end(kPages), below) != std::end(kPages);
}

// The shell names its files relative to the base, so it is served there only.
std::string place_in_shell(std::string_view below, std::string_view query) {
  std::string place = std::string(Console::kBase) + "#/" + std::string(below);
  const bool is_plain = std::all_of(query.begin(), query.end(), [](char c) { return c > ' ' && c <= '~'; });
  if (is_plain && !query.empty()) place.append("?").append(query);
  return place;
}

}  // namespace

Console::Console(ConsoleOptions options, Clock clock, LogSink log)
    : gate_(std::move(options.gate), std::move(clock)),
      files_(std::move(options.files)),
      log_(log ? std::move(log) : LogSink([](LogLevel, std::string_view) {})) {}

void Console::add_route(std::string_view method, std::string_view pattern, ApiHandler handler) {
  routes_.add(method, pattern, std::move(handler));
}

Answer Console::handle(const Request& request) {
  Answer answer;
  try {
    answer = route(request);
  } catch (const std::exception& error) {
    log_(LogLevel::kError, std::string("console: an answer failed: ") + error.what());
    answer = error_answer(500, "internal", "The console failed at this answer; the agent's log says why.");
  }
  complete(answer, request.method);
  return answer;
}

std::optional<std::string> Console::make_sign_in_path() {
  const auto secret = gate_.make_link();
  if (!secret) return std::nullopt;
  return std::string(kBase) + "#once=" + *secret;
}

Answer Console::route(const Request& request) {
  if (auto refusal = gate_.refuse_host(request)) return *std::move(refusal);
  if (!is_plain_path(request.path)) return bad_request("This address is not well-formed.");
  const std::string_view path = request.path;
  const bool entrance = (path == "/" && request.transport == Transport::kOwnListener) || path == "/~inlens";
  if (entrance && is_read(request.method)) return redirect(kBase);
  if (!path.starts_with(kBase)) return not_found();
  return route_below_base(request, path.substr(kBase.size()));
}

Answer Console::route_below_base(const Request& request, std::string_view below) {
  if (below == "api/session") return answer_session(gate_, request, log_);
  if (below.starts_with("api/")) return call_handler(request, gate_.admit(request));
  if (below.starts_with("bar/data/")) return call_handler(request, gate_.admit_bar(request));
  if (is_page(below)) return files_.answer(request, kShell);
  if (is_page(below.substr(0, below.find('/'))) && is_read(request.method))
    return redirect(place_in_shell(below, request.query));
  if (below.starts_with("assets/") || below.starts_with("bar/")) return files_.answer(request, below);
  return not_found();
}

Answer Console::call_handler(const Request& request, Admission admission) {
  if (auto* refusal = std::get_if<Answer>(&admission)) return std::move(*refusal);
  const std::string_view path = std::string_view(request.path).substr(kBase.size() - 1);
  const RouteTable::Match match = routes_.find(request.method, path);
  if (match.allowed.empty()) return not_found();
  if (!match.handler) return method_not_allowed(match.allowed);
  const Identity& who = std::get<Identity>(admission);
  if (match.parameter.empty()) return (*match.handler)(request, who);
  Request with_parameter = request;
  with_parameter.parameter = match.parameter;
  return (*match.handler)(with_parameter, who);
}

}  // namespace inlens::console
