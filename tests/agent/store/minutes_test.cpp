#include "agent/store/minutes.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <set>
#include <vector>

using namespace inlens::store;

namespace {

constexpr std::int64_t kMinuteMs = 60'000;
constexpr std::int64_t kNoon = 1'800'000'000'000 / kMinuteMs * kMinuteMs;

// A server that is watched through its totals, with both clocks moved by hand.
struct Server {
  std::int64_t steady_ms = 5'000;
  std::int64_t unix_ms = kNoon;
  Totals totals;
  Minutes minutes{steady_ms, unix_ms, totals};

  void pass(std::int64_t ms) {
    steady_ms += ms;
    unix_ms += ms;
    look();
  }
  void set_clock(std::int64_t by_ms) {
    unix_ms += by_ms;
    look();
  }
  void look() {
    if (minutes.due(steady_ms, unix_ms)) minutes.advance(steady_ms, unix_ms, totals);
  }
  void serve(int requests, std::uint64_t ns = 1'000'000) {
    for (int i = 0; i < requests; ++i) {
      ++totals.requests;
      totals.latency.add(ns);
      minutes.note_duration(ns);
    }
  }
  std::vector<Minute> list() const { return minutes.list(totals); }
  std::uint64_t counted() const {
    std::uint64_t sum = 0;
    for (const Minute& minute : list()) sum += minute.requests;
    return sum;
  }
};

}  // namespace

TEST_CASE("Each minute counts what was added to the totals while it ran") {
  Server server;
  server.serve(3);
  server.pass(kMinuteMs);
  server.serve(5);
  server.totals.errors = 2;
  server.totals.status_classes[5] = 1;
  server.totals.statements = 7;
  const std::vector<Minute> list = server.list();
  REQUIRE(list.size() == 2);
  CHECK(list[0].start_unix_ms == kNoon);
  CHECK(list[0].requests == 3);
  CHECK(list[1].start_unix_ms == kNoon + kMinuteMs);
  CHECK(list[1].requests == 5);
  CHECK(list[1].errors == 2);
  CHECK(list[1].server_errors == 1);
  CHECK(list[1].statements == 7);
}

TEST_CASE("A minute's percentiles are those of its own requests") {
  Server server;
  server.serve(100, 1'000'000);
  server.pass(kMinuteMs);
  server.serve(90, 2'000);
  server.serve(10, 50'000'000);
  const Minute minute = server.list().back();
  CHECK(minute.p50_ns == Approx(2'000).epsilon(0.04));
  CHECK(minute.p95_ns == Approx(50'000'000).epsilon(0.04));
  CHECK(minute.max_ns == 50'000'000);
}

TEST_CASE("What was counted before the start belongs to no minute") {
  Totals before;
  before.requests = 1000;
  before.latency.add(5);
  Minutes minutes(0, kNoon, before);
  Totals now = before;
  now.requests += 2;
  REQUIRE(minutes.list(now).size() == 1);
  CHECK(minutes.list(now)[0].requests == 2);
}

TEST_CASE("The longest request of a minute is told from exact counts when its detail was lost") {
  Server server;
  ++server.totals.requests;
  server.totals.latency.add(80'000'000);
  CHECK(server.list().back().max_ns == Approx(80'000'000).epsilon(0.07));
}

TEST_CASE("At most sixty minutes are listed, the last one still running") {
  Server server;
  for (int i = 0; i < 200; ++i) {
    server.serve(1);
    server.pass(kMinuteMs);
  }
  const std::vector<Minute> list = server.list();
  REQUIRE(list.size() == 60);
  CHECK(list.back().start_unix_ms == kNoon + 200 * kMinuteMs);
  CHECK(list.back().requests == 0);
  CHECK(list.front().start_unix_ms == kNoon + 141 * kMinuteMs);
}

TEST_CASE("After a long pause older minutes are left out and the gap is not filled with what is not known") {
  Server server;
  server.serve(4);
  server.pass(30 * kMinuteMs);
  server.serve(1);
  CHECK(server.list().size() == 2);
  CHECK(server.counted() == 5);
  server.pass(59 * kMinuteMs);
  REQUIRE(server.list().size() == 2);
  CHECK(server.list().front().requests == 1);
}

TEST_CASE("When the clock is set forward, past minutes stay as long ago as they were") {
  Server server;
  server.serve(3);
  server.pass(kMinuteMs);
  server.serve(2);
  server.set_clock(180 * kMinuteMs);
  const std::vector<Minute> list = server.list();
  REQUIRE(list.size() == 2);
  CHECK(list[0].requests == 3);
  CHECK(list[1].requests == 2);
  CHECK(list[1].start_unix_ms == kNoon + 181 * kMinuteMs);
  CHECK(list[0].start_unix_ms == kNoon + 180 * kMinuteMs);
}

TEST_CASE("When the clock is set back, no two minutes share a label and nothing is lost") {
  Server server;
  for (int i = 0; i < 5; ++i) {
    server.serve(i + 1);
    server.pass(kMinuteMs);
  }
  server.set_clock(-3 * kMinuteMs - 20'000);
  server.serve(1);
  std::set<std::int64_t> labels;
  for (const Minute& minute : server.list()) labels.insert(minute.start_unix_ms);
  CHECK(labels.size() == server.list().size());
  CHECK(server.counted() == server.totals.requests);
}

TEST_CASE("A slowly corrected clock changes nothing") {
  Server server;
  for (int i = 0; i < 30; ++i) {
    server.serve(1);
    server.unix_ms += 300;
    server.pass(kMinuteMs - 300);
  }
  CHECK(server.counted() == 30);
  const std::vector<Minute> list = server.list();
  for (std::size_t i = 1; i < list.size(); ++i) {
    CHECK(list[i].start_unix_ms == list[i - 1].start_unix_ms + kMinuteMs);
  }
}

TEST_CASE("Whatever the wall clock does, labels rise and each request is in exactly one minute") {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    Server server;
    for (int step = 0; step < 40; ++step) {
      server.serve(static_cast<int>(random() % 5));
      server.pass(static_cast<std::int64_t>(random() % 70'000));
      if (random() % 6 == 0) server.set_clock(static_cast<std::int64_t>(random() % 400'000) - 200'000);
      const std::vector<Minute> list = server.list();
      for (std::size_t i = 1; i < list.size(); ++i)
        REQUIRE(list[i].start_unix_ms > list[i - 1].start_unix_ms);
      REQUIRE(list.back().start_unix_ms == server.unix_ms / kMinuteMs * kMinuteMs);
    }
    REQUIRE(server.counted() == server.totals.requests);
  }
}
