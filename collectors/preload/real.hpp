// The library's own function behind one that libinlens-preload.so stands in front of.
//
// It is looked for once: first among what was loaded after us, then in the library itself if the process has
// loaded it, as a module that was loaded with RTLD_LOCAL brings its libraries along out of sight of
// RTLD_NEXT. Threads: any. Blocks: at the first call of each function, for the loader's lock; never
// afterwards.
//
// Should neither find it, as with a library under another name, whoever knows its caller can have the
// caller's module asked: it and what it needs were loaded together.
#pragma once

#include <atomic>

namespace inlens::preload {

void* find_real(const char* soname, const char* symbol, const void* caller = nullptr) noexcept;

template <class F>
class Real {
 public:
  constexpr Real(const char* soname, const char* symbol) noexcept : soname_(soname), symbol_(symbol) {}

  // nullptr when the process has no such function, as with a library too old to have it.
  F* get(const void* caller = nullptr) noexcept {
    F* found = found_.load(std::memory_order_acquire);
    if (found == nullptr) [[unlikely]] {
      found = reinterpret_cast<F*>(find_real(soname_, symbol_, caller));
      found_.store(found, std::memory_order_release);
    }
    return found;
  }

 private:
  const char* soname_;
  const char* symbol_;
  std::atomic<F*> found_{nullptr};
};

}  // namespace inlens::preload
