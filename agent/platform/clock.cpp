#include "agent/platform/clock.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace inlens {

ClockScale g_clock;

namespace {

#if defined(__x86_64__)
constexpr std::uint64_t kCalibrationNs = 10'000'000;

bool kernel_trusts_tsc() {
  const int fd =
      open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char name[16] = {};
  const ssize_t size = read(fd, name, sizeof(name) - 1);
  close(fd);
  return size >= 3 && std::strncmp(name, "tsc", 3) == 0;
}

bool tsc_is_invariant() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx) == 0) return false;
  return (edx & (1U << 8)) != 0;
}

// The pair whose two monotonic readings lie closest together is the least disturbed one.
void paired_reading(std::uint64_t& tsc, std::uint64_t& ns) {
  std::uint64_t best = UINT64_MAX;
  for (int i = 0; i < 16; ++i) {
    const std::uint64_t before = monotonic_ns();
    const std::uint64_t counter = __rdtsc();
    const std::uint64_t after = monotonic_ns();
    if (after - before < best) {
      best = after - before;
      tsc = counter;
      ns = before + (after - before) / 2;
    }
  }
}
#endif

std::uint64_t cpu_sample_mask() {
  constexpr std::uint64_t mean_ns = 25;
  std::uint64_t best = UINT64_MAX;
  for (int i = 0; i < 8; ++i) {
    const std::uint64_t before = monotonic_ns();
    thread_cpu_ns();
    best = std::min(best, monotonic_ns() - before);
  }
  return std::bit_ceil(std::clamp<std::uint64_t>(2 * best / mean_ns, 16, 1024)) - 1;
}

}  // namespace

void calibrate_clock() {
  // A forked child goes on with its parent's scale: measuring again would keep its first request waiting.
  if (g_clock.tsc) {
    anchor_clock(g_clock.anchor_ticks, g_clock.anchor_unix_ns);
    return;
  }
  ClockScale scale;
  scale.cpu_sample_mask = cpu_sample_mask();
#if defined(__x86_64__)
  if (tsc_is_invariant() && kernel_trusts_tsc()) {
    std::uint64_t tsc_begin = 0, ns_begin = 0, tsc_end = 0, ns_end = 0;
    paired_reading(tsc_begin, ns_begin);
    const timespec pause{0, static_cast<long>(kCalibrationNs)};
    nanosleep(&pause, nullptr);
    paired_reading(tsc_end, ns_end);
    if (tsc_end > tsc_begin && ns_end > ns_begin) {
      scale.tsc = true;
      scale.ns_per_tick_q32 = static_cast<std::uint64_t>(
          (static_cast<unsigned __int128>(ns_end - ns_begin) << 32) / (tsc_end - tsc_begin));
      scale.ticks_per_ns_q32 = static_cast<std::uint64_t>(
          (static_cast<unsigned __int128>(tsc_end - tsc_begin) << 32) / (ns_end - ns_begin));
    }
  }
#endif
  g_clock = scale;
  anchor_clock(g_clock.anchor_ticks, g_clock.anchor_unix_ns);
}

void anchor_clock(std::uint64_t& at_ticks, std::int64_t& at_unix_ns) {
  at_ticks = ticks();
  at_unix_ns = unix_ns();
}

}  // namespace inlens
