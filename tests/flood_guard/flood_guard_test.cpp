// The promises of the flood guard, one a case; the clock is moved by hand.
#include "flood_guard/flood_guard.hpp"

#include <catch2/catch.hpp>
#include <set>

using namespace inlens::guard;

namespace {

constexpr uint64_t kMs = 1'000'000;
constexpr uint64_t kSecond = 1000 * kMs;
constexpr uint64_t kHour = 3600 * kSecond;

uint64_t sum_of_issues(const FloodGuard& guard, uint32_t slots = 1000) {
  uint64_t sum = 0;
  for (uint32_t slot = 0; slot < slots; ++slot) sum += guard.issue_count(slot);
  return sum;
}

void require_identity(const FloodGuard& guard) {
  const Figures f = guard.figures();
  REQUIRE(f.seen == f.counted + f.dropped);
  REQUIRE(f.counted == sum_of_issues(guard) + f.retired);
}

// Opens `count` issues slowly enough that the minute's limit never matters; returns the time after them.
uint64_t open_slowly(FloodGuard& guard, uint32_t count, uint64_t now) {
  for (uint32_t i = 0; i < count; ++i, now += 4 * kSecond) {
    REQUIRE(guard.decide(1'000'000 + i, "slow", now).verdict == Verdict::kOpened);
  }
  return now;
}

}  // namespace

TEST_CASE("the first event of a kind opens an issue and the next ones are counted into it") {
  FloodGuard guard;
  const Decision first = guard.decide(7, "std::runtime_error", kSecond);
  const Decision second = guard.decide(7, "std::runtime_error", kSecond + 1);
  CHECK(first.verdict == Verdict::kOpened);
  CHECK(second.verdict == Verdict::kCounted);
  CHECK(second.issue == first.issue);
  CHECK(guard.issue_count(first.issue) == 2);
  CHECK(guard.figures().listed == 1);
  CHECK_FALSE(guard.overflow_issue());
}

TEST_CASE("fingerprint zero is a fingerprint like any other") {
  FloodGuard guard;
  CHECK(guard.decide(0, "zero", 0).verdict == Verdict::kOpened);
  CHECK(guard.decide(0, "zero", 0).verdict == Verdict::kCounted);
  CHECK_FALSE(guard.overflow_issue());
}

TEST_CASE("ten seconds of unique errors list twenty issues and the overflow issue") {
  FloodGuard guard;
  uint64_t fingerprint = 0;
  for (uint64_t now = 5 * kSecond; now < 15 * kSecond; now += kMs / 2) {
    guard.decide(++fingerprint, "unique", now);  // 2,000 a second
  }
  const Figures f = guard.figures();
  CHECK(f.seen == 20'000);
  CHECK(f.opened == 20);
  CHECK(f.listed == 21);
  CHECK(f.counted <= 10 * 1000);
  CHECK(f.overflowed == f.counted - 20);
  require_identity(guard);
}

TEST_CASE("a burst counts the thousand events of its second and drops the rest") {
  FloodGuard guard;
  for (int i = 0; i < 5000; ++i) guard.decide(1, "burst", kSecond);
  CHECK(guard.figures().counted == 1000);
  CHECK(guard.figures().dropped == 4000);
  require_identity(guard);
}

TEST_CASE("bursts on both sides of a second's edge count a thousand together") {
  FloodGuard guard;
  for (int i = 0; i < 900; ++i) guard.decide(1, "edge", 1999 * kMs);
  for (int i = 0; i < 900; ++i) guard.decide(1, "edge", 2001 * kMs);
  CHECK(guard.figures().counted == 1000);
  for (int i = 0; i < 900; ++i)
    guard.decide(1, "edge", 2999 * kMs);  // exactly one second after the first burst
  CHECK(guard.figures().counted == 1000);
}

TEST_CASE("the guard opens again one step after the burst left the second") {
  FloodGuard guard;
  for (int i = 0; i < 2000; ++i) guard.decide(1, "burst", kSecond);
  CHECK(guard.decide(1, "burst", 2 * kSecond).verdict == Verdict::kDropped);
  CHECK(guard.decide(1, "burst", 2 * kSecond + 100 * kMs).verdict == Verdict::kCounted);
}

TEST_CASE("a steady nine hundred events a second are all counted") {
  FloodGuard guard;
  for (uint64_t i = 0; i < 9000; ++i) guard.decide(1, "steady", i * kSecond / 900);
  CHECK(guard.figures().dropped == 0);
}

TEST_CASE("a dropped event has no issue and opens none") {
  FloodGuard guard({.events_per_second = 1});
  guard.decide(1, "first", kSecond);
  const Decision dropped = guard.decide(2, "second", kSecond);
  CHECK(dropped.verdict == Verdict::kDropped);
  CHECK(dropped.issue == kNoIssue);
  CHECK(guard.figures().listed == 1);
  CHECK(guard.swallowed_types().empty());
}

TEST_CASE("the hint says closed exactly when the next event would be dropped") {
  FloodGuard guard({.events_per_second = 3});
  for (uint64_t now = 0; now < 5 * kSecond; now += 37 * kMs) {
    const bool closed = guard.closed(now);
    CHECK(closed == (guard.decide(1, "hint", now).verdict == Verdict::kDropped));
  }
  CHECK(guard.figures().dropped > 0);
  CHECK_FALSE(guard.closed(60 * kSecond));
}

TEST_CASE("no more than twenty issues are opened within any minute") {
  FloodGuard guard;
  for (uint64_t i = 0; i < 20; ++i) guard.decide(i, "early", 59 * kSecond + i);
  CHECK(guard.decide(100, "late", 60 * kSecond).verdict == Verdict::kOverflowed);
  CHECK(guard.decide(101, "late", 119 * kSecond).verdict == Verdict::kOverflowed);
  CHECK(guard.decide(102, "late", 121 * kSecond).verdict == Verdict::kOpened);
}

TEST_CASE("an open issue goes on counting while new kinds overflow") {
  FloodGuard guard({.new_issues_per_minute = 1});
  const Decision known = guard.decide(1, "known", kSecond);
  CHECK(guard.decide(2, "new", kSecond).verdict == Verdict::kOverflowed);
  const Decision again = guard.decide(1, "known", kSecond);
  CHECK(again.verdict == Verdict::kCounted);
  CHECK(again.issue == known.issue);
}

TEST_CASE("the whole list is two hundred with a place kept for the overflow issue") {
  FloodGuard guard;
  const uint64_t now = open_slowly(guard, 199, kSecond);
  CHECK(guard.figures().listed == 199);
  const Decision over = guard.decide(1, "one more", now);
  CHECK(over.verdict == Verdict::kOverflowed);
  CHECK(guard.overflow_issue() == over.issue);
  CHECK(guard.figures().listed == 200);
  CHECK(guard.figures().opened == 199);
  require_identity(guard);
}

TEST_CASE("every listed issue has its own slot within the list") {
  FloodGuard guard;
  std::set<uint32_t> slots;
  uint64_t now = kSecond;
  for (uint64_t i = 0; i < 300; ++i, now += 4 * kSecond) {
    const Decision decision = guard.decide(i, "slot", now);
    CHECK(decision.issue < 200);
    slots.insert(decision.issue);
  }
  CHECK(slots.size() == 200);
}

TEST_CASE("a live issue is never evicted by new ones") {
  FloodGuard guard({.issues_total = 3});
  uint64_t now = open_slowly(guard, 2, kSecond);
  for (uint64_t i = 0; i < 500; ++i, now += 4 * kSecond) guard.decide(i, "new", now);
  CHECK(guard.decide(1'000'000, "slow", now).verdict == Verdict::kCounted);
  CHECK(guard.decide(1'000'001, "slow", now).verdict == Verdict::kCounted);
}

TEST_CASE("the overflow issue lists the commonest types it swallowed, commonest first") {
  FloodGuard guard({.new_issues_per_minute = 0});
  uint64_t fingerprint = 0;
  for (int i = 0; i < 30; ++i) guard.decide(++fingerprint, "common", kSecond);
  for (int i = 0; i < 10; ++i) guard.decide(++fingerprint, "rarer", kSecond);
  const auto types = guard.swallowed_types();
  REQUIRE(types.size() == 2);
  CHECK(types[0].type == "common");
  CHECK(types[0].count == 30);
  CHECK(types[1].type == "rarer");
  CHECK(types[1].count == 10);
}

TEST_CASE("a resolved issue frees its place and its events stay in the sum") {
  FloodGuard guard({.issues_total = 2});
  const Decision first = guard.decide(1, "first", kSecond);
  guard.decide(1, "first", kSecond);
  CHECK(guard.decide(2, "second", kSecond).verdict == Verdict::kOverflowed);
  guard.resolve(first.issue);
  CHECK(guard.figures().retired == 2);
  CHECK(guard.issue_count(first.issue) == 0);
  CHECK(guard.decide(2, "second", kSecond).verdict == Verdict::kOpened);
  require_identity(guard);
}

TEST_CASE("a resolved kind that comes back opens a new issue with a fresh count") {
  FloodGuard guard;
  const Decision first = guard.decide(1, "back", kSecond);
  guard.resolve(first.issue);
  const Decision again = guard.decide(1, "back", kSecond);
  CHECK(again.verdict == Verdict::kOpened);
  CHECK(guard.issue_count(again.issue) == 1);
  CHECK(guard.figures().opened == 2);
}

TEST_CASE("resolving the overflow issue clears its types and it is created again on need") {
  FloodGuard guard({.new_issues_per_minute = 0});
  const Decision over = guard.decide(1, "type", kSecond);
  guard.resolve(over.issue);
  CHECK_FALSE(guard.overflow_issue());
  CHECK(guard.swallowed_types().empty());
  CHECK(guard.figures().listed == 0);
  CHECK(guard.decide(2, "other", kSecond).verdict == Verdict::kOverflowed);
  CHECK(guard.overflow_issue());
  CHECK(guard.issue_count(*guard.overflow_issue()) == 1);
  require_identity(guard);
}

TEST_CASE("resolving a slot that is not listed changes nothing") {
  FloodGuard guard;
  guard.decide(1, "one", kSecond);
  for (const uint32_t slot : {0U, 50U, 200U, kNoIssue}) guard.resolve(slot);
  CHECK(guard.figures().listed == 1);
  CHECK(guard.figures().retired == 0);
}

TEST_CASE("the other issues are found after one between them was resolved") {
  FloodGuard guard({.new_issues_per_minute = 1000});
  std::vector<uint32_t> slots;
  for (uint64_t i = 0; i < 150; ++i) slots.push_back(guard.decide(i, "many", kSecond).issue);
  for (std::size_t i = 0; i < 150; i += 3) guard.resolve(slots[i]);
  for (uint64_t i = 0; i < 150; ++i) {
    const Verdict expected = i % 3 == 0 ? Verdict::kOpened : Verdict::kCounted;
    CHECK(guard.decide(i, "many", kSecond).verdict == expected);
  }
}

TEST_CASE("only issues unseen for the retention time are retired") {
  FloodGuard guard;
  const Decision stale = guard.decide(1, "stale", 0);
  const Decision live = guard.decide(2, "live", 0);
  guard.decide(2, "live", kHour);
  CHECK(guard.expire(72 * kHour - 1).empty());
  CHECK(guard.expire(72 * kHour) == std::vector<uint32_t>{stale.issue});
  CHECK(guard.issue_count(live.issue) == 2);
  CHECK(guard.figures().retired == 1);
  CHECK(guard.figures().listed == 1);
  require_identity(guard);
}

TEST_CASE("the overflow issue expires like any other") {
  FloodGuard guard({.new_issues_per_minute = 0});
  guard.decide(1, "over", 0);
  CHECK(guard.expire(72 * kHour).size() == 1);
  CHECK_FALSE(guard.overflow_issue());
  require_identity(guard);
}

TEST_CASE("a shorter list keeps every listed issue and only stops new ones") {
  FloodGuard guard;
  const uint64_t now = open_slowly(guard, 50, kSecond);
  guard.set_limits({.issues_total = 10});
  CHECK(guard.figures().listed == 50);
  CHECK(guard.decide(1'000'000, "slow", now).verdict == Verdict::kCounted);
  CHECK(guard.decide(1, "new", now).verdict == Verdict::kOverflowed);
  require_identity(guard);
}

TEST_CASE("a longer list takes more issues and keeps the slots of the old ones") {
  FloodGuard guard({.issues_total = 3});
  uint64_t now = open_slowly(guard, 2, kSecond);
  CHECK(guard.decide(1, "new", now).verdict == Verdict::kOverflowed);
  const uint32_t slot = guard.decide(1'000'001, "slow", now).issue;
  guard.set_limits({.issues_total = 400});
  CHECK(guard.decide(1'000'001, "slow", now).issue == slot);
  now += 61 * kSecond;
  for (uint64_t i = 0; i < 397; ++i, now += 4 * kSecond) {
    CHECK(guard.decide(i, "new", now).verdict == Verdict::kOpened);
  }
  CHECK(guard.figures().listed == 400);
  require_identity(guard);
}

TEST_CASE("a lower rate holds from the next event on") {
  FloodGuard guard;
  for (int i = 0; i < 500; ++i) guard.decide(1, "rate", kSecond);
  guard.set_limits({.events_per_second = 100});
  CHECK(guard.closed(kSecond));
  CHECK(guard.decide(1, "rate", kSecond + 900 * kMs).verdict == Verdict::kDropped);
  CHECK(guard.decide(1, "rate", kSecond + 1100 * kMs).verdict == Verdict::kCounted);
}

TEST_CASE("limits of zero drop everything, open nothing and still keep the identity") {
  FloodGuard shut({.events_per_second = 0});
  CHECK(shut.decide(1, "any", kSecond).verdict == Verdict::kDropped);
  require_identity(shut);
  FloodGuard tiny({.new_issues_per_minute = 5, .issues_total = 0});
  CHECK(tiny.decide(1, "any", kSecond).verdict == Verdict::kOverflowed);
  CHECK(tiny.figures().listed == 1);
  require_identity(tiny);
}

TEST_CASE("a clock set back an hour closes the guard for a second at most") {
  FloodGuard guard;
  for (int i = 0; i < 2000; ++i) guard.decide(1, "back", 2 * kHour);
  CHECK(guard.closed(kHour));
  uint64_t now = kHour;
  while (guard.decide(1, "back", now).verdict == Verdict::kDropped && now < kHour + 10 * kSecond)
    now += 10 * kMs;
  CHECK(now > kHour + kSecond);
  CHECK(now <= kHour + 2 * kSecond + 200 * kMs);
  require_identity(guard);
}

TEST_CASE("one odd reading of zero retires nothing and opens no second budget") {
  FloodGuard guard;
  for (int i = 0; i < 2000; ++i) guard.decide(1, "odd", 100 * kHour);
  CHECK(guard.decide(1, "odd", 0).verdict == Verdict::kDropped);
  CHECK(guard.decide(1, "odd", 100 * kHour + kMs).verdict == Verdict::kDropped);
  CHECK(guard.expire(100 * kHour + kMs).empty());
}
