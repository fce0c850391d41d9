// The pool of record blocks: one address range, reserved once, touched only as far as it is used, never
// unmapped while the process lives, so that any stale handle may still be looked at.
//
// Each host thread keeps a short list of free blocks for itself (see ThreadState); this is the common stock
// behind it, a lock-free stack of groups of them whose top carries a tag against reuse (ABA). Whoever takes a
// group touches its first block only: the worker had the others last, and each would have to come over from
// its core. Blocks are named by index.
// Threads: any. Blocks: never.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "agent/hooks/record.hpp"

namespace inlens::hooks {

class Pool {
 public:
  // Reserves `bytes`; valid() is false when the kernel refuses. `seed` makes this pool's generations differ
  // from those of an earlier pool, so that handles of a parent process are stale in its child.
  Pool(std::size_t bytes, std::uint32_t seed);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  bool valid() const { return base_ != nullptr; }
  std::uint32_t seed() const { return seed_; }
  std::uint32_t capacity() const { return capacity_; }
  // Blocks that were ever taken; indices below this may be looked at.
  std::uint32_t touched() const;
  std::uint32_t stocked() const { return stocked_.load(std::memory_order_relaxed); }

  // nullptr for an index outside the range, whatever its bits.
  Block* at(std::uint32_t index) const { return index < capacity_ ? base_ + index : nullptr; }
  // For an index that came out of this pool.
  Block& operator[](std::uint32_t index) const { return base_[index]; }
  std::uint32_t index_of(const Block* block) const { return static_cast<std::uint32_t>(block - base_); }

  static constexpr std::uint32_t kGroup = 32;

  // Takes up to kGroup blocks as a chain through `next_free`; returns its first index, or kNoBlock, and sets
  // `taken`.
  std::uint32_t take(std::uint32_t& taken);
  // Gives a chain of any length back.
  void give(std::uint32_t first);

 private:
  std::uint32_t take_fresh(std::uint32_t& taken);
  void give_group(std::uint32_t first, std::uint32_t count);

  Block* base_ = nullptr;
  std::size_t bytes_ = 0;
  std::uint32_t capacity_ = 0;
  std::uint32_t seed_ = 0;
  alignas(64) std::atomic<std::uint64_t> top_;  // tag << 32 | index
  alignas(64) std::atomic<std::uint32_t> fresh_{0};
  std::atomic<std::uint32_t> stocked_{0};  // an estimate for the console
};

}  // namespace inlens::hooks
