#include "console/server/static_files.hpp"

#include <catch2/catch.hpp>

#include "tests/console/server/requests.hpp"

using namespace inlens::console;
using inlens::console::test::make_request;
using inlens::console::test::text_of;

namespace {

StaticFiles make_files() {
  return StaticFiles({{"assets/app-1.js", "text/javascript", "plain", "zipped", "e1", true},
                      {"index.html", "text/html; charset=utf-8", "<!doctype html>", "", "", false}});
}

Answer get(std::string_view path, test::Fields fields = {}) {
  return make_files().answer(make_request("GET", "/", fields), path);
}

}  // namespace

TEST_CASE("A file is answered compressed to those who take it") {
  const Answer plain = get("assets/app-1.js");
  CHECK(text_of(plain) == "plain");
  CHECK_FALSE(plain.headers.find("Content-Encoding"));
  CHECK(plain.headers.get("Vary") == "Accept-Encoding");
  CHECK(plain.headers.get("ETag") == "\"e1\"");
  const Answer zipped = get("assets/app-1.js", {{"Accept-Encoding", "br, gzip;q=0.5"}});
  CHECK(text_of(zipped) == "zipped");
  CHECK(zipped.headers.get("Content-Encoding") == "gzip");
  CHECK(zipped.headers.get("Content-Type") == "text/javascript");
  CHECK(zipped.headers.get("ETag") == "\"e1-gz\"");
}

TEST_CASE("A file without a compressed form is answered as it is") {
  const Answer answer = get("index.html", {{"Accept-Encoding", "gzip"}});
  CHECK(text_of(answer) == "<!doctype html>");
  CHECK_FALSE(answer.headers.find("Content-Encoding"));
}

TEST_CASE("A file whose name is its content is cached for a year, others are asked for again") {
  CHECK(get("assets/app-1.js").headers.get("Cache-Control") == "public,max-age=31536000,immutable");
  CHECK(get("index.html").headers.get("Cache-Control") == "no-cache");
}

TEST_CASE("A file that the caller already has is not sent again") {
  for (const char* list : {"\"e1\"", "W/\"e1\"", "\"x\", \"e1\"", "*"}) {
    const Answer answer = get("assets/app-1.js", {{"If-None-Match", list}});
    CHECK(answer.status == 304);
    CHECK(text_of(answer).empty());
  }
  CHECK(get("assets/app-1.js", {{"If-None-Match", "\"e1-gz\""}}).status == 200);
  CHECK(get("assets/app-1.js", {{"If-None-Match", "e1"}}).status == 200);
}

TEST_CASE("Accept-Encoding is read with its weights") {
  for (const char* yes : {"gzip", "GZIP", "deflate, gzip", "gzip;q=1", "gzip; q=0.001"})
    CHECK(accepts_gzip(yes));
  for (const char* no : {"", "br", "gzip;q=0", "gzip; q=0.000", "xgzip", ",,"}) CHECK_FALSE(accepts_gzip(no));
}

TEST_CASE("An unknown file is not found and files cannot be changed") {
  CHECK(get("assets/app-2.js").status == 404);
  const Answer answer = make_files().answer(make_request("POST", "/"), "index.html");
  CHECK(answer.status == 405);
  CHECK(answer.headers.get("Allow") == "GET, HEAD");
}
