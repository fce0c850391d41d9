#include "collectors/sqlite/stopwatch.hpp"

#include <time.h>

#include <atomic>

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

namespace inlens::sqlite {

std::uint64_t now_ns() noexcept {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

#if defined(__x86_64__)

namespace {

constexpr unsigned kShift = 32;                 // of the fixed-point factor
constexpr std::uint64_t kEnough = 100'000'000;  // ns after which the factor is exact enough to stay

// Both clocks at the library's load.
struct Anchor {
  bool invariant = false;
  std::uint64_t ticks = 0;
  std::uint64_t ns = 0;
};
Anchor g_anchor;
std::atomic<std::uint64_t> g_factor{0};  // ns per tick; 0: not known yet

[[gnu::constructor]] void set_anchor() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  g_anchor.invariant = __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1u << 8)) != 0;
  g_anchor.ns = now_ns();
  g_anchor.ticks = __rdtsc();
}

std::uint64_t factor() noexcept {
  std::uint64_t known = g_factor.load(std::memory_order_relaxed);
  if (known != 0) return known;
  const std::uint64_t ns = now_ns() - g_anchor.ns;
  const std::uint64_t passed = __rdtsc() - g_anchor.ticks;
  if (ns == 0 || passed == 0) return std::uint64_t{1} << kShift;
  const auto exact = static_cast<unsigned __int128>(ns) << kShift;
  known = static_cast<std::uint64_t>(exact / passed);
  if (ns >= kEnough) g_factor.store(known, std::memory_order_relaxed);
  return known;
}

}  // namespace

std::uint64_t ticks() noexcept {
  return g_anchor.invariant ? __rdtsc() : now_ns();
}

std::uint64_t ticks_to_ns(std::uint64_t given) noexcept {
  if (!g_anchor.invariant) return given;
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(given) * factor() >> kShift);
}

#else

std::uint64_t ticks() noexcept {
  return now_ns();
}

std::uint64_t ticks_to_ns(std::uint64_t given) noexcept {
  return given;
}

#endif

}  // namespace inlens::sqlite
