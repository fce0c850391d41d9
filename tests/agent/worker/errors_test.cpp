#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <string>

#include "agent/worker/aggregate.hpp"
#include "tests/agent/worker/record_builder.hpp"

using namespace inlens;
using namespace inlens::worker;
using hooks::BlockUse;

namespace {

struct Bench {
  explicit Bench(guard::Limits limits = {}) : aggregate(*core, with(limits), nullptr) {}

  static Settings with(guard::Limits limits) {
    Settings settings;
    settings.guard = limits;
    return settings;
  }
  void take(RecordBuilder& record) {
    aggregate.take(record.block(), moment(now));
    hooks::give_record(*core, record.index());
  }
  void alone(const ErrorSpec& spec) {
    RecordBuilder record(core, BlockUse::kEvent);
    record.error(spec);
    take(record);
  }
  void check_identity() {
    const store::GuardFigures figures = aggregate.errors().figures();
    std::uint64_t listed = 0;
    for (const store::Issue& issue : aggregate.errors().list()) listed += issue.count;
    REQUIRE(figures.seen == figures.counted + figures.dropped);
    REQUIRE(figures.counted == listed + figures.retired);
    REQUIRE(figures.listed == aggregate.errors().list().size());
  }

  TestCore core;
  std::uint64_t now = 10 * kSecond;
  Aggregate aggregate;
};

std::string letters(std::uint32_t number) {
  std::string text;
  for (; number > 0; number /= 26) text += static_cast<char>('a' + number % 26);
  return text;
}

}  // namespace

TEST_CASE("Errors of one cause are one issue, with the request, route and target of each sample") {
  Bench bench;
  for (std::uint64_t id = 1; id <= 3; ++id) {
    RecordBuilder record(bench.core);
    record.id(id)
        .times(bench.now - 5 * kMs, bench.now)
        .request("GET", "/orders/17" + std::to_string(id), 500)
        .begin();
    record.error(
        {.message = "order " + std::to_string(id) + " not found", .code = "E1", .at = bench.now - kMs});
    bench.take(record);
  }
  const auto issues = bench.aggregate.errors().list();
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].type == "shop::NotFound");
  CHECK(issues[0].title == "order ? not found");
  CHECK(issues[0].why_grouped == "shop::NotFound\norder ? not found\n/orders/{id}");
  CHECK(issues[0].count == 3);
  CHECK(issues[0].first.message == "order 1 not found");
  CHECK(issues[0].first.request == store::RequestId{0xABCD, 1});
  CHECK(issues[0].first.target == "/orders/171");
  CHECK(issues[0].newest.code == "E1");
  CHECK(issues[0].newest.request == store::RequestId{0xABCD, 3});
  CHECK(issues[0].newest.at_unix_ms == moment(bench.now - kMs).unix_ms());
  CHECK(issues[0].routes == std::vector<std::pair<std::string, std::uint64_t>>{{"/orders/{id}", 3}});
  const auto newest = bench.aggregate.history().list().front();
  CHECK(newest->errors[0].issue == issues[0].id);
}

TEST_CASE("An error outside of any request is an issue without a request") {
  Bench bench;
  bench.alone({.type = "Timer", .message = "late"});
  const auto issues = bench.aggregate.errors().list();
  REQUIRE(issues.size() == 1);
  CHECK_FALSE(issues[0].first.request.has_value());
  CHECK(issues[0].routes.empty());
  CHECK(bench.aggregate.requests_seen() == 0);
  CHECK(bench.aggregate.history().size() == 0);
}

TEST_CASE("What an earlier use of its block left behind is not taken for an error's own") {
  Bench bench;
  RecordBuilder record(bench.core);
  record.id(77).parent(5, 0).request("GET", "/secret");
  record.head().block.use = BlockUse::kEvent;
  record.error({});
  bench.take(record);
  const auto issues = bench.aggregate.errors().list();
  CHECK_FALSE(issues[0].first.request.has_value());
  CHECK(issues[0].first.target.empty());
}

TEST_CASE("New kinds beyond twenty a minute go to the overflow issue, and the list never exceeds its limit") {
  Bench bench;
  for (std::uint32_t i = 1; i <= 900; ++i) bench.alone({.type = "Kind" + letters(i), .message = "m"});
  const auto issues = bench.aggregate.errors().list();
  CHECK(issues.size() == 21);
  CHECK(std::count_if(issues.begin(), issues.end(), [](const auto& issue) { return issue.overflow; }) == 1);
  for (const auto& issue : issues) {
    if (!issue.overflow) continue;
    CHECK(issue.count == 880);
    CHECK_FALSE(issue.swallowed_types.empty());
  }
  bench.check_identity();
}

TEST_CASE("No second counts more than the limit, and the busiest one is known") {
  Bench bench;
  for (int step = 0; step < 5'000; ++step) {
    bench.now += kMs;
    for (int i = 0; i < 3; ++i) bench.alone({});
    REQUIRE(bench.aggregate.errors().figures().max_in_one_second <= 1000);
  }
  const store::GuardFigures figures = bench.aggregate.errors().figures();
  CHECK(figures.seen == 15'000);
  CHECK(figures.dropped > 0);
  CHECK(figures.max_in_one_second >= 900);
  bench.check_identity();
}

TEST_CASE("The busiest second is told apart from what two seconds hold together") {
  Bench bench;
  bench.now = 20 * kSecond;
  for (int i = 0; i < 30; ++i) bench.alone({});
  bench.now += kSecond;
  for (int i = 0; i < 20; ++i) bench.alone({});
  bench.now += kSecond / 2;
  for (int i = 0; i < 15; ++i) bench.alone({});
  CHECK(bench.aggregate.errors().figures().max_in_one_second == 35);
}

TEST_CASE("A dropped error leaves its request without an issue") {
  Bench bench({.events_per_second = 1});
  bench.alone({});
  RecordBuilder record(bench.core);
  record.id(1).error({});
  bench.take(record);
  CHECK_FALSE(bench.aggregate.history().list().front()->errors[0].issue.has_value());
  CHECK(bench.aggregate.history().list().front()->notable);
}

TEST_CASE("A resolved issue leaves the list, and the same error opens a new one with another number") {
  Bench bench;
  bench.alone({});
  const std::uint32_t id = bench.aggregate.errors().list()[0].id;
  CHECK(bench.aggregate.errors().resolve(id));
  CHECK_FALSE(bench.aggregate.errors().resolve(id));
  CHECK(bench.aggregate.errors().list().empty());
  bench.check_identity();
  bench.alone({});
  CHECK(bench.aggregate.errors().list()[0].id != id);
  bench.check_identity();
}

TEST_CASE("seen = counted + dropped, and counted = what the issues show, under any sequence") {
  std::mt19937 random(5);
  Bench bench({.events_per_second = 40,
               .new_issues_per_minute = 5,
               .issues_total = 12,
               .retention_ns = 90 * kSecond});
  for (int step = 0; step < 3'000; ++step) {
    bench.now += random() % (kSecond / 10);
    if (random() % 200 == 0) bench.now += 60 * kSecond;
    const std::uint32_t what = random() % 100;
    if (what < 60) {
      bench.alone({.type = "K" + letters(1 + random() % 40), .message = "m"});
    } else if (what < 95) {
      RecordBuilder record(bench.core);
      record.id(random()).route("/r" + letters(1 + random() % 30));
      for (std::uint32_t i = random() % 5; i > 0; --i)
        record.error({.type = "R", .message = letters(1 + random() % 9)});
      bench.take(record);
    } else if (what < 98) {
      const auto issues = bench.aggregate.errors().list();
      if (!issues.empty()) bench.aggregate.errors().resolve(issues[random() % issues.size()].id);
    } else {
      bench.aggregate.errors().expire(bench.now);
    }
    if (step % 10 == 0) bench.check_identity();
  }
  CHECK(bench.aggregate.errors().figures().retired > 0);
  CHECK(bench.aggregate.errors().figures().dropped > 0);
}
