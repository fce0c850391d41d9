#include "agent/platform/clock.hpp"

#include <catch2/catch.hpp>

using namespace inlens;

TEST_CASE("Ticks convert to the nanoseconds that the kernel counts") {
  calibrate_clock();
  const std::uint64_t ns_begin = monotonic_ns();
  const std::uint64_t ticks_begin = ticks();
  while (monotonic_ns() - ns_begin < 20'000'000) {
  }
  const std::uint64_t by_ticks = ticks_to_ns(ticks() - ticks_begin);
  const std::uint64_t by_kernel = monotonic_ns() - ns_begin;
  CHECK(by_ticks <= by_kernel);
  CHECK(by_ticks >= by_kernel - by_kernel / 20);
}

TEST_CASE("Conversion there and back stays within a tick and a billionth") {
  calibrate_clock();
  for (const std::uint64_t ns : {std::uint64_t{0}, std::uint64_t{1'000}, std::uint64_t{3'600'000'000'000}}) {
    const std::uint64_t back = ticks_to_ns(ns_to_ticks(ns));
    CHECK(back <= ns + 1);
    CHECK(back + 2 + ns / 1'000'000'000 >= ns);
  }
}

TEST_CASE("A second reading that lies before the first gives no negative time") {
  CHECK(ticks_between(100, 99) == 0);
  CHECK(ticks_between(100, 103) == 3);
}
