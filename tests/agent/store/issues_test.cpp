#include "agent/store/issues.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "flood_guard/flood_guard.hpp"

using namespace inlens;
using store::IssueEvent;
using store::Issues;

namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

IssueEvent event(std::string_view message, std::string_view route = "/a", std::int64_t unix_ms = 1000) {
  IssueEvent event;
  event.type = "Error";
  event.message = message;
  event.route = route;
  event.unix_ms = unix_ms;
  return event;
}

}  // namespace

TEST_CASE("An issue keeps its first sample, its newest, and up to three with another route or message") {
  guard::FloodGuard guard;
  Issues issues;
  const auto slot = guard.decide(5, "Error", kSecond).issue;
  issues.open(slot, {5, "title", "why"}, event("first", "/a", 1));
  for (int i = 0; i < 8; ++i) {
    guard.decide(5, "Error", kSecond);
    issues.count(slot, event("other " + std::to_string(i / 2), "/a", 2 + i));
  }
  const store::Issue issue = issues.list(guard).front();
  CHECK(issue.title == "title");
  CHECK(issue.why_grouped == "why");
  CHECK(issue.count == 9);
  CHECK(issue.first_unix_ms == 1);
  CHECK(issue.last_unix_ms == 9);
  CHECK(issue.first.message == "first");
  CHECK(issue.newest.message == "other 3");
  REQUIRE(issue.distinct.size() == 3);
  CHECK(issue.distinct[0].message == "other 0");
  CHECK(issue.distinct[2].message == "other 2");
}

TEST_CASE("The same message on another route is a sample of its own") {
  guard::FloodGuard guard;
  Issues issues;
  const auto slot = guard.decide(5, "Error", kSecond).issue;
  issues.open(slot, {5, "", ""}, event("same", "/a"));
  issues.count(slot, event("same", "/a"));
  issues.count(slot, event("same", "/b"));
  const store::Issue issue = issues.list(guard).front();
  REQUIRE(issue.distinct.size() == 1);
  CHECK(issue.distinct[0].route == "/b");
}

TEST_CASE("The routes of an issue are counted, commonest first, and bounded with a row named other") {
  guard::FloodGuard guard;
  Issues issues;
  const auto slot = guard.decide(5, "Error", kSecond).issue;
  issues.open(slot, {5, "", ""}, event("m", "/r0"));
  for (int i = 1; i < 25; ++i) issues.count(slot, event("m", "/r" + std::to_string(i)));
  for (int i = 0; i < 3; ++i) issues.count(slot, event("m", "/r7"));
  issues.count(slot, event("m", ""));
  const store::Issue issue = issues.list(guard).front();
  REQUIRE(issue.routes.size() == 21);
  CHECK(issue.routes.front() == std::pair<std::string, std::uint64_t>("/r7", 4));
  CHECK(issue.routes.back() == std::pair<std::string, std::uint64_t>("other", 5));
}

TEST_CASE("An issue's number is never used again, though the guard's slot is") {
  guard::FloodGuard guard;
  Issues issues;
  const auto slot = guard.decide(5, "Error", kSecond).issue;
  const std::uint32_t first = issues.open(slot, {5, "", ""}, event("m"));
  CHECK(issues.slot_of(first) == slot);
  guard.resolve(slot);
  issues.retire(slot);
  CHECK_FALSE(issues.slot_of(first).has_value());
  CHECK(issues.list(guard).empty());
  const auto again = guard.decide(6, "Error", kSecond).issue;
  REQUIRE(again == slot);
  CHECK(issues.open(again, {6, "", ""}, event("m")) != first);
}

TEST_CASE("The overflow issue is opened when it is first needed and lists the types it swallowed") {
  guard::FloodGuard guard({.new_issues_per_minute = 0});
  Issues issues;
  std::uint32_t id = 0;
  for (const std::string type : {"A", "B", "B"}) {
    const guard::Decision decision = guard.decide(std::hash<std::string>()(type), type, kSecond);
    REQUIRE(decision.verdict == guard::Verdict::kOverflowed);
    id = issues.overflow(decision.issue, "why", event("m"));
  }
  const std::vector<store::Issue> list = issues.list(guard);
  REQUIRE(list.size() == 1);
  CHECK(list[0].id == id);
  CHECK(list[0].overflow);
  CHECK(list[0].count == 3);
  CHECK(list[0].swallowed_types == std::vector<std::pair<std::string, std::uint64_t>>{{"B", 2}, {"A", 1}});
}

TEST_CASE("Issues are listed by their newest event") {
  guard::FloodGuard guard;
  Issues issues;
  for (std::uint64_t kind = 1; kind <= 3; ++kind) {
    issues.open(guard.decide(kind, "Error", kSecond).issue, {kind, "", ""},
                event("m", "/", static_cast<std::int64_t>(kind)));
  }
  issues.count(guard.decide(1, "Error", kSecond).issue, event("m", "/", 9));
  const std::vector<store::Issue> list = issues.list(guard);
  REQUIRE(list.size() == 3);
  CHECK(list[0].fingerprint == 1);
  CHECK(list[1].fingerprint == 3);
}

TEST_CASE("An event for a slot that is not listed is refused") {
  Issues issues;
  CHECK(issues.count(3, event("m")) == 0);
  CHECK_FALSE(issues.listed(3));
  issues.retire(99);
}
