#include "agent/worker/connection_rates.hpp"

namespace inlens::worker {

void ConnectionRates::sample(hooks::Core& core, std::int64_t steady_ms) noexcept {
  if (taken_ != 0 && steady_ms - last_ms_ < 1000) return;
  last_ms_ = steady_ms;
  std::array<std::uint64_t, kRows>& slot = opened_[taken_ % kSeconds];
  for (std::uint32_t row = 0; row < kRows; ++row) {
    hooks::ConnectionRow& at = core.connections[row];
    const std::uint64_t now = at.opened.load(std::memory_order_relaxed);
    // The slot still holds the reading of a minute ago, or zero.
    at.opened_last_minute.store(now - slot[row], std::memory_order_relaxed);
    slot[row] = now;
  }
  ++taken_;
}

}  // namespace inlens::worker
