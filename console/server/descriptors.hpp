// The listener's socket descriptors, so that a forked child can close its copies without touching the
// inherited event loop. Written by the console thread without locks; read after fork, in the child, where no
// other thread exists. Owns no descriptor.
#pragma once

#include <atomic>
#include <cstddef>

namespace inlens::console {

class Descriptors {
 public:
  static constexpr std::size_t kCapacity = 264;  // 256 clients, the listener, and some room

  // False when full; then the descriptor must not be kept.
  bool add(int fd) noexcept;

  // Call it before close(): the number may be the host's a moment later, and a child forked between the two
  // would close the host's descriptor.
  void remove(int fd) noexcept;

  // Async-signal-safe.
  void close_all_in_child() noexcept;

 private:
  std::atomic<int> slots_[kCapacity] = {};  // fd + 1, 0 = free
};

}  // namespace inlens::console
