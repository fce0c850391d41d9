#include "console/server/http.hpp"

#include <catch2/catch.hpp>

using namespace inlens::console;

TEST_CASE("Header names are found without case, and every field of a name is counted") {
  Headers headers;
  headers.add("X-One", "1");
  headers.add("x-oNE", "2");
  REQUIRE(headers.find("X-ONE"));
  CHECK(*headers.find("X-ONE") == "1");
  CHECK(headers.count("x-one") == 2);
  CHECK(headers.get("X-Two").empty());
  headers.set("x-one", "3");
  CHECK(headers.count("X-One") == 1);
  CHECK(headers.get("X-One") == "3");
}

TEST_CASE("A target is split into path and query, and its fragment falls off") {
  Request request;
  request.set_target("/a/b?c=d?e#f");
  CHECK(request.path == "/a/b");
  CHECK(request.query == "c=d?e");
  request.set_target("");
  CHECK(request.path.empty());
  CHECK(request.query.empty());
  request.set_target("/a#b?c");
  CHECK(request.path == "/a");
  CHECK(request.query.empty());
}

TEST_CASE("Query values are decoded, and malformed escapes stay as they are") {
  CHECK(query_value("q=a%20b+c&q=second", "q") == "a b c");
  CHECK(query_value("a=1&%71=found", "q") == "found");
  CHECK(query_value("q", "q") == "");
  CHECK(query_value("q=%", "q") == "%");
  CHECK(query_value("q=%4", "q") == "%4");
  CHECK(query_value("q=%4x", "q") == "%4x");
  CHECK(query_value("q=%41", "q") == "A");
  CHECK(query_value("q=a=b", "q") == "a=b");
  CHECK(query_value("&&=&q=", "q") == "");
  CHECK_FALSE(query_value("qq=1", "q"));
  CHECK_FALSE(query_value("", "q"));
}

TEST_CASE("Only paths that need no decoding or cleaning are plain") {
  for (const char* good :
       {"/", "/~inlens/", "/~inlens/api/settings/collect.level", "/a/..b/c..", "/a.b/-_~!$&'()*+,;=:@"})
    CHECK(is_plain_path(good));
  for (const char* bad : {"", "a", "//", "/a//b", "/..", "/a/../b", "/./a", "/a/.", "/%2e%2e/", "/a%2fb",
                          "/a\\b", "/a b", "/\xc3\xa4", "/<a>", "http://host/a", "*"})
    CHECK_FALSE(is_plain_path(bad));
  CHECK_FALSE(is_plain_path(std::string_view("/a\0b", 4)));
  CHECK(is_plain_path("/" + std::string(1023, 'a')));
  CHECK_FALSE(is_plain_path("/" + std::string(1024, 'a')));
}
