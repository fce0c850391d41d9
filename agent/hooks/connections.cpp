#include "agent/hooks/connections.hpp"

namespace inlens::hooks {

namespace {

bool equal(const char* kept, std::size_t room, std::string_view text) {
  return std::string_view(kept, text.size()) == text && (text.size() == room || kept[text.size()] == '\0');
}

}  // namespace

std::uint32_t Connections::find(std::string_view kind, std::string_view target) noexcept {
  kind = kind.substr(0, sizeof(ConnectionRow::kind));
  target = target.substr(0, sizeof(ConnectionRow::target));
  for (std::uint32_t i = 0; i < kConnectionTargets; ++i) {
    ConnectionRow& row = rows_[i];
    auto use = row.use.load(std::memory_order_acquire);
    if (use == ConnectionRow::Use::kFree &&
        row.use.compare_exchange_strong(use, ConnectionRow::Use::kClaimed, std::memory_order_acquire)) {
      kind.copy(row.kind, kind.size());
      target.copy(row.target, target.size());
      row.use.store(ConnectionRow::Use::kReady, std::memory_order_release);
      return i;
    }
    // Whose name is being written may be this target's; then it gets a second row, and readers add the two.
    if (use != ConnectionRow::Use::kReady) continue;
    if (equal(row.kind, sizeof(row.kind), kind) && equal(row.target, sizeof(row.target), target)) return i;
  }
  return kOtherTarget;
}

}  // namespace inlens::hooks
