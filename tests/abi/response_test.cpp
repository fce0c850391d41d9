// The bar in responses, and the console mounted in the host, through the C++ API.
#include <array>
#include <catch2/catch.hpp>
#include <inlens/inlens.hpp>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/abi/running_agent.hpp"

using abi_test::ask_console;
using abi_test::page_request;
using abi_test::running_agent;
using abi_test::settle;
using inlens::Request;

namespace {

const std::string kPage = "<!doctype html><html><head><title>t</title></head><body><p>text</p></body></html>";

struct Decorated {
  std::string body;
  inlens::Edit edit;
};

inlens::ResponseHead head_of(const std::array<inlens_header, 1>& headers, unsigned status = 200) {
  inlens::ResponseHead head;
  head.status = status;
  head.headers = headers;
  return head;
}

Decorated decorated(std::string body, const char* content_type, unsigned status = 200) {
  running_agent();
  Request request(page_request());
  const std::array headers = {inlens::header("Content-Type", content_type)};
  Decorated result{std::move(body), {}};
  result.edit = inlens::decorate(result.body, head_of(headers, status), request);
  request.end(status);
  return result;
}

std::size_t scripts_in(std::string_view body) {
  std::size_t count = 0;
  for (auto at = body.find("<script"); at != std::string_view::npos; at = body.find("<script", at + 1))
    ++count;
  return count;
}

}  // namespace

TEST_CASE("An HTML page gets the bar once, and the rest of its bytes stay") {
  const Decorated page = decorated(kPage, "text/html; charset=utf-8");
  CHECK(page.edit.decorate);
  CHECK(page.edit.drop_content_length);
  CHECK(page.edit.cache_control == "no-store");
  REQUIRE(scripts_in(page.body) == 1);
  const auto begin = page.body.find("<script");
  const auto end = page.body.find("</script>") + 9;
  CHECK(page.body.substr(0, begin) + page.body.substr(end) == kPage);
}

TEST_CASE("Other content and other statuses pass unchanged, with a reason") {
  for (const char* type : {"application/json", "text/css", "text/event-stream", "image/svg+xml"}) {
    const Decorated other = decorated(kPage, type);
    CHECK_FALSE(other.edit.decorate);
    CHECK(other.body == kPage);
    CHECK_FALSE(other.edit.skip_reason.empty());
  }
  const Decorated error = decorated(kPage, "text/html", 500);
  CHECK_FALSE(error.edit.decorate);
  CHECK(error.body == kPage);
}

TEST_CASE("A body in pieces becomes the same as a whole one, wherever it is cut") {
  running_agent();
  const std::array headers = {inlens::header("Content-Type", "text/html")};
  for (std::size_t cut = 0; cut <= kPage.size(); ++cut) {
    Request request(page_request());
    std::string whole = kPage;
    std::string pieces;
    const auto append = [&pieces](std::string_view piece) { pieces.append(piece); };
    inlens::Decorator decorator(head_of(headers), request);
    REQUIRE(decorator.active());
    decorator.write(std::string_view(kPage).substr(0, cut), append);
    decorator.write(std::string_view(kPage).substr(cut), append);
    decorator.finish(append);
    CHECK_FALSE(decorator.active());
    REQUIRE(scripts_in(pieces) == 1);
    const auto begin = pieces.find("<script");
    pieces.erase(begin, pieces.find("</script>") + 9 - begin);
    CHECK(pieces == kPage);
    request.end(200);
  }
}

TEST_CASE("What passes through is handed on as slices of the caller's own bytes") {
  running_agent();
  const std::array headers = {inlens::header("Content-Type", "text/html")};
  Request request(page_request());
  inlens::Decorator decorator(head_of(headers), request);
  REQUIRE(decorator.active());
  const std::string text = "<!doctype html><p>" + std::string(20'000, 'x') + "</p>";
  std::size_t own_bytes = 0;
  decorator.write(text, [&](std::string_view piece) {
    if (piece.data() >= text.data() && piece.data() < text.data() + text.size()) own_bytes += piece.size();
  });
  CHECK(own_bytes > text.size() - 1536);
  decorator.finish([](std::string_view) {});
  request.end(200);
}

TEST_CASE("An exception of the caller's sink comes out behind the library, which goes on") {
  running_agent();
  const std::array headers = {inlens::header("Content-Type", "text/html")};
  Request request(page_request());
  inlens::Decorator decorator(head_of(headers), request);
  REQUIRE(decorator.active());
  const auto refuse = [](std::string_view) { throw std::length_error("the client's buffer is full"); };
  CHECK_THROWS_AS(decorator.write(kPage, refuse), std::length_error);
  CHECK_THROWS_AS(decorator.finish(refuse), std::length_error);
  CHECK_FALSE(decorator.active());
  request.end(200);
  CHECK(scripts_in(decorated(kPage, "text/html").body) == 1);
}

TEST_CASE("A decorator that is left without finish gives back what it held") {
  running_agent();
  const std::array headers = {inlens::header("Content-Type", "text/html")};
  for (int i = 0; i < 20'000; ++i) {  // many more than there is memory for at once
    if (i % 100 == 0) settle();       // what has ended is given back by the worker
    Request request(page_request());
    inlens::Decorator decorator(head_of(headers), request);
    REQUIRE(decorator.active());
    request.end(200);
  }
}

TEST_CASE("The decorator asks for every stale header to be removed") {
  const Decorated page = decorated(kPage, "text/html");
  std::vector<std::string> removed;
  page.edit.remove_stale([&removed](std::string_view name) { removed.emplace_back(name); });
  CHECK(removed == std::vector<std::string>{"Content-Length", "ETag", "Last-Modified", "Accept-Ranges",
                                            "Content-MD5", "Digest", "Content-Digest", "Repr-Digest"});
}

TEST_CASE("The console owns its base path and nothing beside it") {
  for (const char* target : {"/~inlens/", "/~inlens/api/overview", "/~inlens"})
    CHECK(inlens::console_owns(target));
  for (const char* target : {"/", "", "/~inlensed", "/x/~inlens/", "~inlens/"})
    CHECK_FALSE(inlens::console_owns(target));
}

TEST_CASE("The mounted console answers a caller with the token and does not record the question") {
  running_agent();
  const auto before = inlens::figures();
  CHECK(ask_console("/~inlens/api/overview").status == 200);
  CHECK(ask_console("/somewhere/else").status == 0);
  CHECK(inlens::figures().requests == before.requests);
}

TEST_CASE("An exception of the caller's answer function comes out behind the library") {
  running_agent();
  const std::array headers = {inlens::header("Host", "localhost")};
  inlens::ConsoleRequest request;
  request.method = "GET";
  request.target = "/~inlens/";
  request.headers = headers;
  request.peer = "127.0.0.1";
  const auto refuse = [](const inlens_http_answer&) { throw std::bad_alloc(); };
  CHECK_THROWS_AS(inlens::handle_console(request, refuse), std::bad_alloc);
}
