// The agent's clock: ticks for the hooks, nanoseconds and wall-clock time for everybody who reads later.
//
// Ticks come from the time-stamp counter when it is invariant and the kernel itself keeps time by it, else
// from CLOCK_MONOTONIC (8 ns against 19 ns a reading). Calibrated once per process; conversion is exact to
// about 1 ppm. Threads: any. Blocks: calibrate_clock() for about 10 ms, everything else never.
#pragma once

#include <cstdint>
#include <ctime>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace inlens {

struct ClockScale {
  bool tsc = false;
  std::uint64_t ns_per_tick_q32 = std::uint64_t{1} << 32;  // nanoseconds per tick, 32 fractional bits
  std::uint64_t ticks_per_ns_q32 = std::uint64_t{1} << 32;
  // A request's processor time takes two system calls (190 to 1,700 ns each): of requests that are not all
  // timed, those are whose random bits under this mask are zero, so that the mean stays under 25 ns.
  std::uint64_t cpu_sample_mask = 15;
  std::uint64_t anchor_ticks = 0;
  std::int64_t anchor_unix_ns = 0;
};

// Written once by calibrate_clock() before the level leaves `off`.
extern ClockScale g_clock __attribute__((visibility("hidden")));

void calibrate_clock();

// Takes a new pair of ticks and wall-clock time, so that both follow steps of the wall clock. Worker only.
void anchor_clock(std::uint64_t& ticks, std::int64_t& unix_ns);

inline std::uint64_t monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}

inline std::uint64_t thread_cpu_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}

inline std::int64_t unix_ns() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

inline std::uint64_t ticks() {
#if defined(__x86_64__)
  if (g_clock.tsc) [[likely]]
    return __rdtsc();
#endif
  return monotonic_ns();
}

inline std::uint64_t ticks_to_ns(std::uint64_t delta) {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(delta) * g_clock.ns_per_tick_q32) >> 32);
}

inline std::uint64_t ns_to_ticks(std::uint64_t ns) {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(ns) * g_clock.ticks_per_ns_q32) >> 32);
}

// Difference of two readings; 0 when the second came from a core whose counter is a little behind.
inline std::uint64_t ticks_between(std::uint64_t begin, std::uint64_t end) {
  return end > begin ? end - begin : 0;
}

}  // namespace inlens
