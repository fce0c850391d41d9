#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "console/bar/ascii.hpp"
#include "console/bar/decision.hpp"
#include "console/bar/injector.hpp"
#include "console/bar/loader_tag.hpp"

// Head and body together, as a host's adapter uses them.
namespace inlens::bar {
namespace {

struct Line {
  std::string name;
  std::string value;
  bool operator==(const Line&) const = default;
};

struct Response {
  int status = 200;
  std::vector<Line> head;
  std::string body;
};

std::vector<HeaderView> views(const std::vector<Line>& lines) {
  std::vector<HeaderView> result;
  for (const Line& line : lines) result.push_back({line.name, line.value});
  return result;
}

void edit_head(std::vector<Line>& head, std::size_t body_size) {
  for (const HeaderEdit& edit : kHeaderEdits) {
    const std::size_t before = head.size();
    if (edit.op == HeaderOp::kAppend) {
      head.push_back({std::string(edit.name), std::string(edit.value)});
      continue;
    }
    std::erase_if(head, [&](const Line& line) { return same(line.name, edit.name); });
    if (edit.op == HeaderOp::kFixLength && head.size() != before) {
      head.push_back({std::string(edit.name), std::to_string(body_size)});
    }
  }
}

void append(void* user, const char* data, std::size_t size, Piece) {
  static_cast<std::string*>(user)->append(data, size);
}

// What an adapter does that has the whole body before it sends the head.
Response serve(Response response, const std::vector<Line>& request = {}, std::string_view method = "GET") {
  const std::vector<HeaderView> request_views = views(request);
  const std::vector<HeaderView> response_views = views(response.head);
  const RequestFacts facts = request_facts(method, request_views, false);
  const Decision decision = decide(facts, {response.status, response_views});
  if (!decision.decorate) return response;
  std::array<char, kMaxLoaderTagBytes> tag;
  const std::size_t size = write_loader_tag(tag.data(), tag.size(), facts.loader.base_path, "h4sh",
                                            "00112233445566778899aabbccddeeff", decision.nonce);
  Injector injector({tag.data(), size}, facts.loader, decision.nonce);
  std::string body;
  injector.write(response.body, append, &body);
  injector.finish(append, &body);
  response.body = body;
  if (injector.outcome() == Outcome::kInserted) edit_head(response.head, response.body.size());
  return response;
}

std::vector<std::string> values_of(const Response& response, std::string_view name) {
  std::vector<std::string> result;
  for (const Line& line : response.head) {
    if (same(line.name, name)) result.push_back(line.value);
  }
  return result;
}

const std::string kHtml = "<!doctype html><body>x</body>";

void check_unchanged(const Response& response, const std::vector<Line>& request = {}) {
  const Response result = serve(response, request);
  CHECK(result.body == response.body);
  CHECK(result.head == response.head);
}

TEST_CASE("The length of a decorated page is right, however often and in whatever case it was given") {
  const Response page = serve(
      {200, {{"content-type", "text/html"}, {"content-length", "29"}, {"CONTENT-Length", "29"}}, kHtml});
  CHECK(page.body.size() > kHtml.size());
  CHECK(values_of(page, "Content-Length") == std::vector{std::to_string(page.body.size())});
}

TEST_CASE("A page without a length gets none") {
  CHECK(values_of(serve({200, {{"Content-Type", "text/html"}}, kHtml}), "Content-Length").empty());
}

TEST_CASE("Validators and digests of a decorated page are dropped, as they belong to other bytes") {
  const Response page = serve({200,
                               {{"Content-Type", "text/html"},
                                {"etag", "\"1\""},
                                {"ETag", "\"1\""},
                                {"Last-Modified", "Thu, 01 Jan 1970 00:00:00 GMT"},
                                {"Content-MD5", "x"},
                                {"Digest", "x"},
                                {"Accept-Ranges", "bytes"},
                                {"X-Own", "kept"}},
                               kHtml});
  CHECK(page.head ==
        std::vector<Line>{{"Content-Type", "text/html"}, {"X-Own", "kept"}, {"Cache-Control", "no-store"}});
}

TEST_CASE("Cache directives of a decorated page are only added to") {
  const Response page = serve({200,
                               {{"Content-Type", "text/html"},
                                {"cache-control", "no-store, private"},
                                {"Cache-Control", "max-age=60"}},
                               kHtml});
  std::set<std::string> directives;
  for (const std::string& value : values_of(page, "Cache-Control")) {
    for (std::string_view rest = value; !rest.empty();) directives.emplace(take_part(rest, ','));
  }
  const std::set<std::string> before{"no-store", "private", "max-age=60"};
  CHECK(std::includes(directives.begin(), directives.end(), before.begin(), before.end()));
  CHECK(directives.count("no-store") == 1);
}

TEST_CASE("Answers that are not decorated keep every header and every byte") {
  const std::vector<Line> cached{{"Cache-Control", "max-age=9"}, {"ETag", "\"1\""}, {"Content-Length", "29"}};
  for (const std::string_view type : {"image/png", "text/javascript", "application/json", "image/svg+xml",
                                      "text/csv", "text/event-stream", "application/xhtml+xml"}) {
    Response response{200, cached, kHtml};
    response.head.push_back({"Content-Type", std::string(type)});
    check_unchanged(response);
  }
  for (const int status : {204, 206, 304, 404}) {
    Response response{status, cached, kHtml};
    response.head.push_back({"Content-Type", "text/html"});
    check_unchanged(response);
  }
  check_unchanged({200, {{"Content-Type", "text/html"}, {"Content-Length", "7"}}, "{\"a\":1}"});
  check_unchanged({200, {{"Content-Type", "text/html"}, {"ETag", "\"1\""}}, kHtml},
                  {{"Range", "bytes=0-4"}, {"If-Range", "\"1\""}});
  check_unchanged({200, {{"Content-Type", "text/html; charset=utf-16"}}, kHtml});
}

TEST_CASE("What is added to a head stays small and does not grow with the request") {
  std::size_t added = 0;
  for (const HeaderEdit& edit : kHeaderEdits) {
    if (edit.op == HeaderOp::kAppend) added += edit.name.size() + edit.value.size() + 4;
  }
  CHECK(added < 64);
}

TEST_CASE("The tag carries the nonce of the page, and no nonce attribute where the page has none") {
  const Response with = serve(
      {200, {{"Content-Type", "text/html"}, {"Content-Security-Policy", "script-src 'nonce-q1w2'"}}, kHtml});
  CHECK(with.body.find(" nonce=\"q1w2\"") != std::string::npos);
  CHECK(serve({200, {{"Content-Type", "text/html"}}, kHtml}).body.find("nonce") == std::string::npos);
}

TEST_CASE("Nothing that a client sent appears in the tag") {
  const std::string canary = "</script><img onerror=x>";
  const Response page = serve({200, {{"Content-Type", "text/html"}}, kHtml},
                              {{"Host", canary}, {"X-Any", canary}, {"Referer", canary}});
  CHECK(page.body.size() > kHtml.size());
  CHECK(page.body.find("onerror") == std::string::npos);
}

// Frames each piece as one chunk, as a server does below us.
void send_chunk(void* user, const char* data, std::size_t size, Piece) {
  char head[20];
  std::snprintf(head, sizeof head, "%zx\r\n", size);
  *static_cast<std::string*>(user) += head + std::string(data, size) + "\r\n";
}

std::string join_chunks(std::string_view stream, std::string& trailers) {
  std::string body;
  while (true) {
    const std::size_t line_end = stream.find("\r\n");
    const std::size_t size = std::stoul(std::string(stream.substr(0, line_end)), nullptr, 16);
    stream.remove_prefix(line_end + 2);
    if (size == 0) break;
    body += stream.substr(0, size);
    REQUIRE(stream.substr(size, 2) == "\r\n");
    stream.remove_prefix(size + 2);
  }
  trailers = stream;
  return body;
}

TEST_CASE("A page that goes out in chunks with trailers stays a well-formed stream") {
  const std::string tag = "<script src=x></script>";
  std::string stream;
  Injector injector(tag);
  for (const std::string_view part : {"<!doctype html><body>a", "b</bo", "dy></html>"})
    injector.write(part, send_chunk, &stream);
  injector.finish(send_chunk, &stream);
  stream += "0\r\nServer-Timing: db\r\n\r\n";
  std::string trailers;
  CHECK(join_chunks(stream, trailers) == "<!doctype html><body>ab" + tag + "</body></html>");
  CHECK(trailers == "Server-Timing: db\r\n\r\n");
}

// Frames each piece as DATA of HTTP/2's stream 1, as a server does below us: length, type, flags, stream.
constexpr char kData = 0;
constexpr char kHeaders = 1;
constexpr char kEndStream = 1;

std::string frame(char type, char flags, std::string_view payload) {
  std::string out;
  for (const int shift : {16, 8, 0}) out += static_cast<char>(payload.size() >> shift & 0xff);
  return out + type + flags + std::string("\0\0\0\1", 4) + std::string(payload);
}

void send_data(void* user, const char* data, std::size_t size, Piece) {
  *static_cast<std::string*>(user) += frame(kData, 0, {data, size});
}

// The body in the DATA frames before the trailers, which end the stream.
std::string join_frames(std::string_view stream, std::string& trailers) {
  std::string body;
  while (!stream.empty()) {
    REQUIRE(stream.size() >= 9);
    std::size_t size = 0;
    for (const char byte : stream.substr(0, 3)) size = size << 8 | static_cast<unsigned char>(byte);
    REQUIRE(stream.size() >= 9 + size);
    const bool is_last = stream[4] == kEndStream;
    CHECK(is_last == (stream.size() == 9 + size));
    CHECK(stream[3] == (is_last ? kHeaders : kData));
    (is_last ? trailers : body) += stream.substr(9, size);
    stream.remove_prefix(9 + size);
  }
  return body;
}

TEST_CASE("A page that goes out in frames with trailers stays a well-formed stream, however it was cut") {
  const std::string page = "<!doctype html><body>ab</body></html>";
  const std::string tag = "<script src=x></script>";
  for (std::size_t cut = 0; cut <= page.size(); ++cut) {
    std::string stream;
    Injector injector(tag);
    injector.write(std::string_view(page).substr(0, cut), send_data, &stream);
    injector.write(std::string_view(page).substr(cut), send_data, &stream);
    injector.finish(send_data, &stream);
    stream += frame(kHeaders, kEndStream, "trailers");
    std::string trailers;
    CHECK(join_frames(stream, trailers) == "<!doctype html><body>ab" + tag + "</body></html>");
    CHECK(trailers == "trailers");
  }
}

}  // namespace
}  // namespace inlens::bar
