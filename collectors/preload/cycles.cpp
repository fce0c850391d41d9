#include "collectors/preload/cycles.hpp"

#include <atomic>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace inlens::preload {

#if defined(__x86_64__)
bool g_is_counter_invariant = false;
#endif

namespace {

// From here on the error of the two clocks' readings is below a millionth.
constexpr std::uint64_t kEnoughNs = 100'000'000;

// Both clocks when the library was loaded.
std::uint64_t g_first_ns = 0;
std::uint64_t g_first_cycles = 0;
std::atomic<std::uint64_t> g_ns_per_cycle_q32{0};  // 32 fractional bits; 0: not known well enough yet

[[gnu::constructor]] void read_both() {
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  g_is_counter_invariant = __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1U << 8)) != 0;
#endif
  g_first_cycles = cycles();
  g_first_ns = system_ns();
}

}  // namespace

std::uint64_t cycles_to_ns(std::uint64_t count) noexcept {
  if (count == 0) return 0;
  std::uint64_t factor = g_ns_per_cycle_q32.load(std::memory_order_relaxed);
  if (factor == 0) [[unlikely]] {
    const std::uint64_t passed = cycles_since(g_first_cycles);
    const std::uint64_t passed_ns = system_ns() - g_first_ns;
    if (g_first_ns == 0 || passed == 0) return 0;
    factor = static_cast<std::uint64_t>((static_cast<unsigned __int128>(passed_ns) << 32) / passed);
    if (passed_ns >= kEnoughNs) g_ns_per_cycle_q32.store(factor, std::memory_order_relaxed);
  }
  const auto ns = static_cast<std::uint64_t>((static_cast<unsigned __int128>(count) * factor) >> 32);
  return ns != 0 ? ns : 1;
}

}  // namespace inlens::preload
