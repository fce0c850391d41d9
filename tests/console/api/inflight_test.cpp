#include "console/api/inflight.hpp"

#include <catch2/catch.hpp>

#include "tests/console/api/sample_store.hpp"

using namespace inlens;
using namespace inlens::console::api;

TEST_CASE("the longest running comes first; tasks are listed but are no requests") {
  const auto rows = test::sample_in_flight();
  CHECK(requests_in_flight(rows) == 1);
  const Json answer = inflight(rows, test::sample_snapshot(), test::kNowMs);
  CHECK(answer["total"] == 2);
  CHECK(answer["items"][0]["task"] == true);
  CHECK(answer["items"][1]["task"] == false);
  CHECK(answer["items"][1]["usual"]["count"] == 3);
}

TEST_CASE("what a request does right now is told when it is known") {
  const Json items = inflight(test::sample_in_flight(), {}, test::kNowMs)["items"];
  CHECK(items[0]["currentKind"].is_null());
  CHECK(items[1]["currentKind"] == "statement");
  auto rows = test::sample_in_flight();
  rows[0].activity = "span";
  rows[1].activity = "something else";
  const Json others = inflight(rows, {}, test::kNowMs)["items"];
  CHECK(others[0]["currentKind"].is_null());
  CHECK(others[1]["currentKind"] == "span");
}

TEST_CASE("a list beyond its cap tells how many there are") {
  const std::vector<store::InFlight> rows(501);
  const Json answer = inflight(rows, {}, test::kNowMs);
  CHECK(answer["total"] == 501);
  CHECK(answer["shown"] == 500);
  CHECK(answer["cap"] == 500);
  CHECK(answer["items"].size() == 500);
}
