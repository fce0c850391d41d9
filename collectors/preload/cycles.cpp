#include "collectors/preload/cycles.hpp"

#include <atomic>

namespace inlens::preload {

namespace {

// From here on the error of the two clocks' readings is below a millionth.
constexpr std::uint64_t kEnoughNs = 100'000'000;

std::atomic<std::uint64_t> g_first_ns{0};
std::atomic<std::uint64_t> g_first_cycles{0};
std::atomic<double> g_ns_per_cycle{0};

}  // namespace

void calibrate_cycles() noexcept {
  if (g_first_ns.load(std::memory_order_acquire) != 0) return;
  g_first_cycles.store(cycles(), std::memory_order_relaxed);
  g_first_ns.store(system_ns(), std::memory_order_release);
}

std::uint64_t cycles_to_ns(std::uint64_t count) noexcept {
  if (count == 0) return 0;
  double factor = g_ns_per_cycle.load(std::memory_order_relaxed);
  if (factor == 0) [[unlikely]] {
    const std::uint64_t first_ns = g_first_ns.load(std::memory_order_acquire);
    const std::uint64_t passed = cycles_since(g_first_cycles.load(std::memory_order_relaxed));
    const std::uint64_t passed_ns = system_ns() - first_ns;
    if (first_ns == 0 || passed == 0) return 0;
    factor = static_cast<double>(passed_ns) / static_cast<double>(passed);
    if (passed_ns >= kEnoughNs) g_ns_per_cycle.store(factor, std::memory_order_relaxed);
  }
  const auto ns = static_cast<std::uint64_t>(static_cast<double>(count) * factor);
  return ns != 0 ? ns : 1;
}

}  // namespace inlens::preload
