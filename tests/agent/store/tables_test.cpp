#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "agent/store/routes.hpp"
#include "agent/store/statements.hpp"

using namespace inlens::store;

namespace {

StatementText text_of(std::uint64_t fingerprint) {
  return {fingerprint, std::make_shared<const std::string>("select " + std::to_string(fingerprint)), "sqlite",
          1};
}

RouteUse use(std::uint64_t ns, std::uint32_t status = 200) {
  RouteUse use;
  use.duration_ns = ns;
  use.status = status;
  use.unix_ms = 1000;
  return use;
}

template <class Row>
std::uint64_t counted(const std::vector<Row>& rows) {
  std::uint64_t count = 0;
  for (const Row& row : rows) count += row.latency.count;
  return count;
}

}  // namespace

TEST_CASE("The 501st statement goes to the row named other and totals stay true") {
  Statements table(500);
  std::uint64_t total_ns = 0;
  for (std::uint64_t i = 1; i <= 510; ++i) {
    for (std::uint64_t run = 0; run < 2; ++run) {
      Statements::add_run(table.row(text_of(i)), i * 100, 3, run == 1, 1000);
      total_ns += i * 100;
    }
  }
  const std::vector<StatementStats> list = table.list();
  REQUIRE(list.size() == 501);
  CHECK(list.back().other);
  CHECK(list.back().latency.count == 20);
  CHECK(list.back().failures == 10);
  CHECK(list.back().rows == 60);
  CHECK(std::count_if(list.begin(), list.end(), [](const StatementStats& row) { return row.other; }) == 1);
  CHECK(counted(list) == 1020);
  std::uint64_t listed_ns = 0;
  for (const StatementStats& row : list) listed_ns += row.latency.total_ns;
  CHECK(listed_ns == total_ns);
  CHECK(table.distinct() == 510);
}

TEST_CASE("A statement that has a row keeps it when the table is full") {
  Statements table(2);
  StatementRow& first = table.row(text_of(7));
  table.row(text_of(8));
  CHECK(&table.row(text_of(9)) == &table.other());
  CHECK(&table.row(text_of(7)) == &first);
}

TEST_CASE("Statements are listed by total time and say which route ran them last") {
  Routes routes(10);
  Statements table(10);
  StatementRow& cheap = table.row(text_of(1));
  StatementRow& dear = table.row(text_of(2));
  Statements::add_run(cheap, 10, -1, false, 5000);
  Statements::add_run(dear, 500, 4, false, 5000);
  Statements::add_run(dear, 700, -1, false, 6000);
  dear.last_route = &routes.row("GET", "/orders", false);
  const std::vector<StatementStats> list = table.list();
  REQUIRE(list.size() == 2);
  CHECK(list[0].fingerprint == 2);
  CHECK(list[0].last_route == "/orders");
  CHECK(list[0].rows == 4);
  CHECK(list[0].first_unix_ms == 5000);
  CHECK(list[0].last_unix_ms == 6000);
  CHECK(list[1].last_route.empty());
}

TEST_CASE("A row of routes belongs to a method and a route, and is found again") {
  Routes table(10);
  RouteRow& get = table.row("GET", "/a", false);
  RouteRow& post = table.row("POST", "/a", false);
  CHECK(&get != &post);
  CHECK(&table.row("GET", "/a", false) == &get);
  CHECK(&table.row("GE", "T/a", false) != &get);
}

TEST_CASE("Routes beyond the limit are counted in the row named other") {
  Routes table(3);
  for (int i = 0; i < 10; ++i) Routes::add(table.row("GET", "/" + std::to_string(i), false), use(100, 500));
  const std::vector<RouteStats> list = table.list();
  REQUIRE(list.size() == 4);
  CHECK(list.back().other);
  CHECK(list.back().latency.count == 7);
  CHECK(list.back().status_classes[5] == 7);
  CHECK(counted(list) == 10);
  CHECK(table.distinct() == 10);
}

TEST_CASE(
    "Paths that nobody named and that were answered with a client error fill at most half of the table") {
  Routes table(10);
  for (int i = 0; i < 50; ++i) Routes::add(table.row("GET", "/wp-" + std::to_string(i), true), use(1, 404));
  CHECK(table.list().size() == 6);
  RouteRow& real = table.row("GET", "/orders", false);
  CHECK_FALSE(table.is_other(real));
}

TEST_CASE("A task adds to its request's route without being counted as a request") {
  Routes table(3);
  RouteRow& row = table.row("GET", "/", false);
  Routes::add(row, use(100));
  RouteUse task = use(50);
  task.errors = 2;
  task.statements = 5;
  task.statement_ns = 40;
  Routes::add_task(row, task);
  const RouteStats stats = table.list().front();
  CHECK(stats.latency.count == 1);
  CHECK(stats.errors == 2);
  CHECK(stats.statements == 5);
  CHECK(stats.statement_ns == 40);
}

TEST_CASE("Statuses are counted by class, and those outside of 100 to 599 apart") {
  Routes table(3);
  RouteRow& row = table.row("GET", "/", false);
  for (const std::uint32_t status : {0U, 99U, 100U, 204U, 302U, 404U, 503U, 600U, 65535U})
    Routes::add(row, use(1, status));
  CHECK(row.stats.status_classes == std::array<std::uint64_t, 6>{4, 1, 1, 1, 1, 1});
}

TEST_CASE("The number of different keys beyond a full table is estimated within five per cent") {
  Distinct distinct;
  CHECK(distinct.estimate() == 0);
  std::mt19937_64 random(42);
  std::vector<std::uint64_t> keys(20'000);
  for (std::uint64_t& key : keys) key = random();
  for (int round = 0; round < 2; ++round) {
    for (const std::uint64_t key : keys) distinct.add(key);
  }
  CHECK(distinct.estimate() == Approx(20'000).epsilon(0.05));
}
