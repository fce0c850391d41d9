// What time it is, on the clocks that the worker needs, read once per batch and passed on, so that everything
// below the thread's loop can be moved by hand.
#pragma once

#include <cstdint>
#include <ctime>

#include "agent/platform/clock.hpp"

namespace inlens::worker {

struct Moment {
  std::uint64_t ticks = 0;     // the hooks' clock
  std::int64_t unix_ns = 0;    // the wall clock, which may be set
  std::int64_t steady_ms = 0;  // never set, goes on while the machine sleeps

  // The hooks' clock as nanoseconds, for everything that measures distances in time.
  std::uint64_t now_ns() const { return ticks_to_ns(ticks); }
  std::int64_t unix_ms() const { return unix_ns / 1'000'000; }
  // The wall clock's reading at `then`; wraps around when `then` makes no sense.
  std::int64_t unix_ms_at(std::uint64_t then) const {
    const std::uint64_t before = ticks_to_ns(ticks_between(then, ticks));
    const std::uint64_t after = ticks_to_ns(ticks_between(ticks, then));
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(unix_ns) - before + after) / 1'000'000;
  }
};

inline Moment read_moment() {
  timespec steady{};
  clock_gettime(CLOCK_BOOTTIME, &steady);
  return {ticks(), unix_ns(), static_cast<std::int64_t>(steady.tv_sec) * 1000 + steady.tv_nsec / 1'000'000};
}

}  // namespace inlens::worker
