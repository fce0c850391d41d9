// What a collector remembers about a library's handle, found by the handle's address.
//
// A fixed table without locks: each address may lie in two buckets of a cache line's size. Threads: any; the
// state of one handle belongs to the thread that uses the handle. Blocks: never. Owns: all its memory, which
// is touched only as far as it is used.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace inlens::preload {

template <class State, std::size_t kCapacity>
class HandleTable {
 public:
  static constexpr std::size_t kWays = 8;
  static constexpr std::size_t kBuckets = kCapacity / kWays;
  static_assert(kBuckets * kWays == kCapacity && (kBuckets & (kBuckets - 1)) == 0 && kBuckets <= 65536);

  // nullptr if the handle is not known.
  State* find(const void* handle) noexcept {
    const std::uint64_t hash = hash_of(handle);
    if (State* state = find_in(first_of(hash), handle)) [[likely]]
      return state;
    return find_in(second_of(hash), handle);
  }

  // The handle's state, as it is or fresh; nullptr when there is no room for it.
  State* add(const void* handle) noexcept {
    if (State* state = find(handle)) return state;
    const std::uint64_t hash = hash_of(handle);
    State* state = add_in(first_of(hash), handle);
    return state != nullptr ? state : add_in(second_of(hash), handle);
  }

  void remove(const void* handle) noexcept {
    State* state = find(handle);
    // Partner: the claim in add_in.
    if (state != nullptr)
      key_of(static_cast<std::size_t>(state - states_)).store(0, std::memory_order_release);
  }

 private:
  static constexpr std::uintptr_t kClaimed = 1;
  struct alignas(64) Bucket {
    std::atomic<std::uintptr_t> keys[kWays];
  };

  static std::uint64_t hash_of(const void* handle) noexcept {
    return (reinterpret_cast<std::uintptr_t>(handle) >> 4) * UINT64_C(0x9E3779B97F4A7C15);
  }
  static std::size_t first_of(std::uint64_t hash) noexcept { return hash >> 48 & (kBuckets - 1); }
  static std::size_t second_of(std::uint64_t hash) noexcept { return hash >> 32 & (kBuckets - 1); }
  std::atomic<std::uintptr_t>& key_of(std::size_t index) noexcept {
    return buckets_[index / kWays].keys[index % kWays];
  }

  State* find_in(std::size_t bucket, const void* handle) noexcept {
    const auto key = reinterpret_cast<std::uintptr_t>(handle);
    for (std::size_t way = 0; way < kWays; ++way) {
      // Partner: the release in add_in.
      if (buckets_[bucket].keys[way].load(std::memory_order_acquire) == key)
        return key > kClaimed ? &states_[bucket * kWays + way] : nullptr;
    }
    return nullptr;
  }

  State* add_in(std::size_t bucket, const void* handle) noexcept {
    const auto key = reinterpret_cast<std::uintptr_t>(handle);
    if (key <= kClaimed) return nullptr;
    for (std::size_t way = 0; way < kWays; ++way) {
      std::uintptr_t free = 0;
      auto& at = buckets_[bucket].keys[way];
      if (!at.compare_exchange_strong(free, kClaimed, std::memory_order_acquire, std::memory_order_relaxed))
        continue;
      State* state = &states_[bucket * kWays + way];
      *state = State{};
      at.store(key, std::memory_order_release);
      return state;
    }
    return nullptr;
  }

  Bucket buckets_[kBuckets];
  State states_[kCapacity];
};

}  // namespace inlens::preload
