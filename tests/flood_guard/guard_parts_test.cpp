// The three parts the guard is made of: its own time, the sliding count and the table of commonest types.
#include <catch2/catch.hpp>
#include <random>

#include "flood_guard/guard_clock.hpp"
#include "flood_guard/sliding_count.hpp"
#include "flood_guard/top_types.hpp"

using namespace inlens::guard;

namespace {
constexpr uint64_t kSecond = 1'000'000'000;
}

TEST_CASE("guard time is the time since the first reading") {
  GuardClock clock;
  CHECK(clock.advance(500) == 0);
  CHECK(clock.advance(700) == 200);
  CHECK(clock.peek(1000) == 500);
  CHECK(clock.advance(700) == 200);
}

TEST_CASE("a reading slightly behind is the same moment and costs no time afterwards") {
  GuardClock clock;
  clock.advance(10 * kSecond);
  CHECK(clock.advance(10 * kSecond - 5) == 0);
  CHECK(clock.advance(10 * kSecond + 1) == 1);
}

TEST_CASE("one reading far behind is ignored") {
  GuardClock clock;
  clock.advance(100 * kSecond);
  CHECK(clock.advance(0) == 0);
  CHECK(clock.advance(100 * kSecond - 5) == 0);
  CHECK(clock.advance(101 * kSecond) == kSecond);
}

TEST_CASE("a clock that was set back becomes the reference after one second of its own") {
  GuardClock clock;
  clock.advance(100 * kSecond);
  CHECK(clock.advance(10 * kSecond) == 0);
  CHECK(clock.advance(11 * kSecond) == 0);
  CHECK(clock.advance(12 * kSecond) == kSecond);
}

TEST_CASE("guard time stops at the end of its range") {
  GuardClock clock;
  clock.advance(0);
  CHECK(clock.advance(UINT64_MAX) == UINT64_MAX);
  clock.advance(0);
  clock.advance(2 * kSecond);
  CHECK(clock.advance(9 * kSecond) == UINT64_MAX);
}

TEST_CASE("the sliding count forgets a step when its window has passed and not before") {
  SlidingCount<10, 3> count;
  count.add(5);
  count.add(9);
  CHECK(count.at(9) == 2);
  CHECK(count.at(29) == 2);
  CHECK(count.at(30) == 0);
  count.add(15);
  CHECK(count.at(30) == 1);
  CHECK(count.at(UINT64_MAX) == 0);
  count.add(UINT64_MAX);
  CHECK(count.at(UINT64_MAX) == 1);
}

TEST_CASE("a frequent type is never lost among a thousand types seen once") {
  TopTypes types;
  std::mt19937_64 random(3);
  uint64_t frequent = 0;
  for (int i = 0; i < 3000; ++i) {
    const bool is_frequent = random() % 4 == 0;
    frequent += is_frequent ? 1 : 0;
    types.add(is_frequent ? "frequent" : "once" + std::to_string(i));
  }
  const auto list = types.commonest();
  REQUIRE(list.size() == TopTypes::kCapacity);
  CHECK(list[0].type == "frequent");
  CHECK(list[0].count >= frequent);
  CHECK(list[0].count - list[0].uncertain <= frequent);
  uint64_t sum = 0;
  for (const TypeCount& row : list) sum += row.count;
  CHECK(sum == 3000);
}

TEST_CASE("a long type name is cut before the character that does not fit") {
  TopTypes types;
  types.add(std::string(199, 'a') + "\xC3\xA4 and more");
  types.add(std::string(100'000, '\x80'));
  types.add("");
  const auto list = types.commonest();
  REQUIRE(list.size() == 3);
  CHECK(list[0].type == std::string(199, 'a'));
  CHECK(list[1].type.size() <= 200);
  CHECK(list[2].type.empty());
}
