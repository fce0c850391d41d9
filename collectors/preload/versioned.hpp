// Functions that leave libinlens-preload.so under a symbol version of the library that they stand in front
// of, and the library's own behind them.
//
// A process may hold two libraries with functions of the same name: libcurl.so.4 and libcurl-gnutls.so.4,
// libmariadb.so.3 and Oracle's libmysqlclient. A caller was linked to one of them and asks for its version,
// so the loader binds it to the function of ours that passes on to that library and to no other. A version
// that we have no function for goes past us. Each version must be named in preload.map.
#pragma once

#include <atomic>
#include <cstdint>

#define INLENS_EXPORTED extern "C" __attribute__((visibility("default")))

// `function` also leaves as `name` with `version`; "@@" before it: and for callers that ask for none.
#define INLENS_VERSIONED(function, name, version) asm(".symver " #function ", " #name version)

namespace inlens::preload {

// Looks in the library, then among what was loaded after us, then in what the caller's module brought along.
void* find_versioned(const char* soname, const char* symbol, const char* version,
                     const void* caller) noexcept;

// As Real, of one version. Threads: any. Blocks: at the first call, for the loader's lock; never afterwards.
template <class F>
class RealVersion {
 public:
  constexpr RealVersion(const char* soname, const char* symbol, const char* version) noexcept
      : soname_(soname), symbol_(symbol), version_(version) {}

  // nullptr when the process has no such function.
  F* get(const void* caller) noexcept {
    F* found = found_.load(std::memory_order_acquire);
    if (found == nullptr) [[unlikely]] {
      found = reinterpret_cast<F*>(find_versioned(soname_, symbol_, version_, caller));
      found_.store(found, std::memory_order_release);
    }
    return found;
  }

 private:
  const char* soname_;
  const char* symbol_;
  const char* version_;
  std::atomic<F*> found_{nullptr};
};

// The addresses of a loaded module, to tell a library's calls of its own exported functions from the host's.
struct ModuleRange {
  std::uintptr_t begin = 0;
  std::uintptr_t size = 0;

  bool contains(const void* address) const noexcept {
    return reinterpret_cast<std::uintptr_t>(address) - begin < size;
  }
};

// Of the module that holds `address`; empty if there is none. Blocks: for the loader's lock.
ModuleRange module_of(const void* address) noexcept;

}  // namespace inlens::preload
