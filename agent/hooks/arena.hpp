// Memory for what the hooks keep for ever: thread states and the work queue's blocks. A bump allocator over
// one lazily touched mapping, so that no hook ever calls the host's malloc. Nothing is given back; what uses
// it re-uses its own. Threads: any. Blocks: never.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cstddef>

namespace inlens::hooks {

class Arena {
 public:
  explicit Arena(std::size_t bytes) : bytes_(bytes) {
    void* range =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    base_ = range == MAP_FAILED ? nullptr : static_cast<char*>(range);
  }
  ~Arena() {
    if (base_ != nullptr) munmap(base_, bytes_);
  }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  bool valid() const { return base_ != nullptr; }

  // Zeroed memory on a cache line of its own, or nullptr when the arena is used up.
  void* allocate(std::size_t size) noexcept {
    const std::size_t rounded = (size + 63) & ~std::size_t{63};
    const std::size_t at = used_.fetch_add(rounded, std::memory_order_relaxed);
    if (base_ == nullptr || rounded > bytes_ || at > bytes_ - rounded) return nullptr;
    return base_ + at;
  }

  std::size_t used() const {
    const std::size_t used = used_.load(std::memory_order_relaxed);
    return used < bytes_ ? used : bytes_;
  }

 private:
  char* base_ = nullptr;
  std::size_t bytes_;
  std::atomic<std::size_t> used_{0};
};

}  // namespace inlens::hooks
