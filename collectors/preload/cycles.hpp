// A clock for what is measured many times a statement, such as the reading of one row: cheaper than the
// system's, and told in nanoseconds only at the end.
//
// Threads: any. Blocks: never. Unit: ticks of the processor's counter where it is invariant, else
// nanoseconds.
#pragma once

#include <time.h>

#include <cstdint>

namespace inlens::preload {

inline std::uint64_t system_ns() noexcept {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

#if defined(__x86_64__)
// Set when the library is loaded.
extern bool g_is_counter_invariant __attribute__((visibility("hidden")));
#endif

inline std::uint64_t cycles() noexcept {
#if defined(__x86_64__)
  return g_is_counter_invariant ? __builtin_ia32_rdtsc() : system_ns();
#elif defined(__aarch64__)
  std::uint64_t count;
  asm volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count;
#else
  return system_ns();
#endif
}

// From `since` until now; 0 where counters of two processors disagree.
inline std::uint64_t cycles_since(std::uint64_t since) noexcept {
  const std::uint64_t now = cycles();
  return now > since ? now - since : 0;
}

// At least 1, as 0 means unknown to whom it is told; 0 for 0.
std::uint64_t cycles_to_ns(std::uint64_t count) noexcept;

}  // namespace inlens::preload
