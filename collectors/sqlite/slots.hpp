// A table of fixed size, keyed by the addresses of the host's objects: lock-free, for any number of threads,
// as long as one object is entered and taken out by one thread at a time, which is what SQLite asks of its
// users as well. A key lies in one of the seven places of its bucket; the bucket's own address marks a place
// that is being filled. Most look-ups are of what is not there, and end at the bucket's count.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace inlens::sqlite {

template <class Value, std::size_t kBuckets>
class Slots {
 public:
  struct Slot {
    std::atomic<const void*>* key = nullptr;  // nullptr: none
    Value* value = nullptr;
    std::atomic<std::size_t>* used = nullptr;
    explicit operator bool() const { return key != nullptr; }
    // From here on another object may get the place. The value stays as it is until then.
    void release() const {
      key->store(nullptr, std::memory_order_release);
      used->fetch_sub(1, std::memory_order_relaxed);
    }
  };

  Slot find(const void* key) noexcept {
    Bucket& bucket = bucket_of(key);
    if (bucket.used.load(std::memory_order_relaxed) == 0) [[likely]]
      return {};
    for (std::size_t i = 0; i < kPlaces; ++i) {
      if (bucket.keys[i].load(std::memory_order_acquire) == key) return bucket.slot(i);
    }
    return {};
  }

  // Takes a place for a key that is not in the table and fills it by `fill(value)`, before anybody finds it.
  // None when its bucket is full.
  template <class Fill>
  Slot insert(const void* key, Fill&& fill) noexcept {
    Bucket& bucket = bucket_of(key);
    for (std::size_t i = 0; i < kPlaces; ++i) {
      const void* none = nullptr;
      if (bucket.keys[i].load(std::memory_order_relaxed) != nullptr ||
          !bucket.keys[i].compare_exchange_strong(none, &bucket, std::memory_order_acquire))
        continue;
      fill(bucket.values[i]);
      bucket.used.fetch_add(1, std::memory_order_relaxed);
      bucket.keys[i].store(key, std::memory_order_release);
      return bucket.slot(i);
    }
    return {};
  }

  template <class Call>
  void for_each(Call&& call) noexcept {
    for (Bucket& bucket : buckets_) {
      for (std::size_t i = 0; i < kPlaces; ++i) {
        const void* key = bucket.keys[i].load(std::memory_order_acquire);
        if (key != nullptr && key != &bucket) call(key, bucket.slot(i));
      }
    }
  }

 private:
  static constexpr std::size_t kPlaces = 7;  // count and keys fill a cache line
  static_assert((kBuckets & (kBuckets - 1)) == 0);

  struct alignas(64) Bucket {
    std::atomic<std::size_t> used{0};
    std::atomic<const void*> keys[kPlaces] = {};
    Value values[kPlaces] = {};

    Slot slot(std::size_t place) { return {&keys[place], &values[place], &used}; }
  };

  Bucket& bucket_of(const void* key) noexcept {
    const auto number = reinterpret_cast<std::uintptr_t>(key) >> 4;
    return buckets_[(number * UINT64_C(0x9E3779B97F4A7C15) >> 40) & (kBuckets - 1)];
  }

  Bucket buckets_[kBuckets];
};

}  // namespace inlens::sqlite
