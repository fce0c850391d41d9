#include "console/server/descriptors.hpp"

#include <unistd.h>

namespace inlens::console {

// Relaxed throughout: one thread writes, and fork orders everything before the child's reads.
bool Descriptors::add(int fd) noexcept {
  for (auto& slot : slots_) {
    if (slot.load(std::memory_order_relaxed) != 0) continue;
    slot.store(fd + 1, std::memory_order_relaxed);
    return true;
  }
  return false;
}

void Descriptors::remove(int fd) noexcept {
  for (auto& slot : slots_)
    if (slot.load(std::memory_order_relaxed) == fd + 1) slot.store(0, std::memory_order_relaxed);
}

void Descriptors::close_all_in_child() noexcept {
  for (auto& slot : slots_)
    if (const int fd = slot.exchange(0, std::memory_order_relaxed) - 1; fd >= 0) ::close(fd);
}

}  // namespace inlens::console
