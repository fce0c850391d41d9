#include "agent/hooks/pool.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace inlens::hooks {

namespace {
constexpr std::uint64_t pack(std::uint64_t tag, std::uint32_t index) {
  return tag << 32 | index;
}
constexpr std::uint32_t index_in(std::uint64_t top) {
  return static_cast<std::uint32_t>(top);
}
}  // namespace

Pool::Pool(std::size_t bytes, std::uint32_t seed) : seed_(seed & ~1U), top_(pack(0, kNoBlock)) {
  // Request handles carry 24 bits of index.
  const std::size_t blocks = std::min<std::size_t>(bytes / kBlockBytes, (1U << 24) - 1);
  if (blocks == 0) return;
  bytes_ = blocks * kBlockBytes;
  void* range =
      mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) return;
  base_ = static_cast<Block*>(range);
  capacity_ = static_cast<std::uint32_t>(blocks);
}

Pool::~Pool() {
  if (base_ != nullptr) munmap(base_, bytes_);
}

std::uint32_t Pool::touched() const {
  return std::min(fresh_.load(std::memory_order_acquire), capacity_);
}

std::uint32_t Pool::take(std::uint32_t& taken) {
  std::uint64_t top = top_.load(std::memory_order_acquire);
  while (index_in(top) != kNoBlock) {
    const std::uint32_t first = index_in(top);
    // May be a link that another thread is changing; the tag then makes the exchange fail.
    const std::uint32_t next = base_[first].head.block.next.load(std::memory_order_relaxed);
    if (top_.compare_exchange_weak(top, pack((top >> 32) + 1, next), std::memory_order_acquire,
                                   std::memory_order_acquire)) {
      taken = base_[first].head.ordinals;
      stocked_.fetch_sub(taken, std::memory_order_relaxed);
      return first;
    }
  }
  return take_fresh(taken);
}

std::uint32_t Pool::take_fresh(std::uint32_t& taken) {
  taken = 0;
  std::uint32_t first = fresh_.load(std::memory_order_relaxed);
  std::uint32_t count = 0;
  do {
    if (first >= capacity_) return kNoBlock;
    count = std::min(kGroup, capacity_ - first);
    // Partner: touched(). The blocks behind the mark are zero pages until they are made below; a zero block
    // reads as free with an even generation, so looking at it early is harmless.
  } while (!fresh_.compare_exchange_weak(first, first + count, std::memory_order_acq_rel,
                                         std::memory_order_relaxed));
  for (std::uint32_t i = 0; i < count; ++i) {
    BlockHead& head = base_[first + i].head.block;
    head.generation.store(seed_, std::memory_order_relaxed);
    head.next_free.store(i + 1 < count ? first + i + 1 : kNoBlock, std::memory_order_relaxed);
  }
  taken = count;
  return first;
}

void Pool::give(std::uint32_t first) {
  while (first != kNoBlock) {
    std::uint32_t last = first;
    std::uint32_t count = 1;
    std::uint32_t next = base_[last].head.block.next_free.load(std::memory_order_relaxed);
    while (next != kNoBlock && count < kGroup) {
      last = next;
      ++count;
      next = base_[last].head.block.next_free.load(std::memory_order_relaxed);
    }
    base_[last].head.block.next_free.store(kNoBlock, std::memory_order_relaxed);
    give_group(first, count);
    first = next;
  }
}

void Pool::give_group(std::uint32_t first, std::uint32_t count) {
  BlockHead& head = base_[first].head.block;
  base_[first].head.ordinals = count;
  std::uint64_t top = top_.load(std::memory_order_relaxed);
  do {
    head.next.store(index_in(top), std::memory_order_relaxed);
  } while (!top_.compare_exchange_weak(top, pack((top >> 32) + 1, first), std::memory_order_release,
                                       std::memory_order_relaxed));
  stocked_.fetch_add(count, std::memory_order_relaxed);
}

}  // namespace inlens::hooks
