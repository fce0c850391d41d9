#include "agent/store/calls.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace inlens::store;

TEST_CASE("A server is scheme, host and port of a URL, whatever else the URL is") {
  CHECK(server_of("http://stock.example:8080/items?id=7") == "http://stock.example:8080");
  CHECK(server_of("https://a.example?x=1") == "https://a.example");
  CHECK(server_of("https://a.example#top") == "https://a.example");
  CHECK(server_of("stock.example/items") == "stock.example");
  CHECK(server_of("http://") == "http://");
  CHECK(server_of("/items").empty());
  CHECK(server_of("").empty());
}

TEST_CASE("Calls to one server share a row, with sums of their phases") {
  Calls calls;
  CallUse use;
  use.duration_ns = 5'000'000;
  use.connect_ns = 1'000'000;
  use.first_byte_ns = 3'000'000;
  use.status = 200;
  Calls::add(calls.row("http://a.example/1"), use);
  use.connect_ns = 0;
  use.status = 503;
  Calls::add(calls.row("http://a.example/2"), use);
  use.status = 0;
  use.failed = true;
  Calls::add(calls.row("http://b.example/"), use);
  const auto list = calls.list();
  REQUIRE(list.size() == 2);
  CHECK(list[0].server == "http://a.example");
  CHECK(list[0].latency.count == 2);
  CHECK(list[0].connected == 1);
  CHECK(list[0].first_byte_ns == 6'000'000);
  CHECK(list[0].status_classes[5] == 1);
  CHECK(list[0].failures == 0);
  CHECK(list[1].failures == 1);
}

TEST_CASE("Servers beyond the limit count in the row named other") {
  Calls calls(3);
  for (int i = 0; i < 10; ++i) Calls::add(calls.row("http://host" + std::to_string(i) + "/"), {});
  const auto list = calls.list();
  REQUIRE(list.size() == 4);
  CHECK(list.back().other);
  CHECK(list.back().latency.count == 7);
  CHECK(calls.distinct() >= 9);
}
