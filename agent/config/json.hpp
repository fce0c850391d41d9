// nlohmann's JSON for the settings and the console, made safe to get rid of. Include this instead of
// <nlohmann/json.hpp> in everything that becomes part of the library.
//
// nlohmann's destructor first collects a value's children in a vector. Where memory is refused at that
// moment, the process would end, and it is the host's process. So vectors of JSON values fall back on a
// reserve of fixed size. Threads: any. Blocks: for a lock, and only when memory was refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <nlohmann/json_fwd.hpp>
#include <type_traits>

namespace inlens::config {

// Untouched pages until it is needed; taken from its begin, free again as a whole once all was given back.
class JsonReserve {
 public:
  static JsonReserve& instance() noexcept {
    static constinit JsonReserve reserve;
    return reserve;
  }

  void* take(std::size_t bytes) noexcept {
    const std::scoped_lock lock(mutex_);
    const std::size_t rounded = (bytes + kAlign - 1) / kAlign * kAlign;
    if (rounded < bytes || rounded > sizeof(bytes_) - used_) return nullptr;
    void* taken = bytes_ + used_;
    used_ += rounded;
    ++parts_;
    return taken;
  }

  // False for memory that is not of the reserve.
  bool give(void* memory) noexcept {
    const std::less<const void*> before;
    if (before(memory, bytes_) || !before(memory, bytes_ + sizeof(bytes_))) return false;
    const std::scoped_lock lock(mutex_);
    if (--parts_ == 0) used_ = 0;
    return true;
  }

 private:
  static constexpr std::size_t kAlign = alignof(std::max_align_t);
  std::mutex mutex_;
  std::size_t used_ = 0;
  std::size_t parts_ = 0;
  alignas(kAlign) char bytes_[512 * 1024] = {};
};

template <class T>
struct JsonAllocator {
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using propagate_on_container_move_assignment = std::true_type;
  using is_always_equal = std::true_type;

  constexpr JsonAllocator() noexcept = default;
  template <class U>
  constexpr JsonAllocator(const std::allocator<U>&) noexcept {}

  [[nodiscard]] T* allocate(std::size_t count) {
    if (count > PTRDIFF_MAX / sizeof(T)) throw std::bad_array_new_length();
    void* memory = ::operator new(count * sizeof(T), std::nothrow);
    if (memory == nullptr) memory = JsonReserve::instance().take(count * sizeof(T));
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) noexcept {
    if (!JsonReserve::instance().give(memory)) ::operator delete(memory);
  }
};

}  // namespace inlens::config

template <>
class std::allocator<nlohmann::json> : public inlens::config::JsonAllocator<nlohmann::json> {
 public:
  using JsonAllocator::JsonAllocator;
  friend constexpr bool operator==(const allocator&, const allocator&) noexcept { return true; }
};

template <>
class std::allocator<nlohmann::ordered_json> : public inlens::config::JsonAllocator<nlohmann::ordered_json> {
 public:
  using JsonAllocator::JsonAllocator;
  friend constexpr bool operator==(const allocator&, const allocator&) noexcept { return true; }
};

#include <nlohmann/json.hpp>  // only now, as it names those vectors
