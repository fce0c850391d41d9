// One libcurl of the process. Debian has three that differ in the TLS library and in their symbol versions; a
// process may hold several, and a handle of one never reaches another (see versioned.hpp).
//
// Threads: any. Blocks: the first call of each function, for the loader's lock.
#pragma once

#include <curl/curl.h>

#include <atomic>

#include "collectors/preload/versioned.hpp"

namespace inlens::curl {

struct Flavour {
  template <class F>
  using Real = preload::RealVersion<F>;

  constexpr Flavour(const char* collector, const char* soname, const char* version) noexcept
      : name(collector),
        easy_init(soname, "curl_easy_init", version),
        easy_perform(soname, "curl_easy_perform", version),
        easy_setopt(soname, "curl_easy_setopt", version),
        easy_getinfo(soname, "curl_easy_getinfo", version),
        easy_strerror(soname, "curl_easy_strerror", version),
        easy_cleanup(soname, "curl_easy_cleanup", version),
        easy_reset(soname, "curl_easy_reset", version),
        easy_duphandle(soname, "curl_easy_duphandle", version),
        multi_add_handle(soname, "curl_multi_add_handle", version),
        multi_remove_handle(soname, "curl_multi_remove_handle", version),
        multi_info_read(soname, "curl_multi_info_read", version),
        library_version(soname, "curl_version", version) {}

  const char* name;
  Real<decltype(::curl_easy_init)> easy_init;
  Real<decltype(::curl_easy_perform)> easy_perform;
  Real<decltype(::curl_easy_setopt)> easy_setopt;
  Real<decltype(::curl_easy_getinfo)> easy_getinfo;
  Real<decltype(::curl_easy_strerror)> easy_strerror;
  Real<decltype(::curl_easy_cleanup)> easy_cleanup;
  Real<decltype(::curl_easy_reset)> easy_reset;
  Real<decltype(::curl_easy_duphandle)> easy_duphandle;
  Real<decltype(::curl_multi_add_handle)> multi_add_handle;
  Real<decltype(::curl_multi_remove_handle)> multi_remove_handle;
  Real<decltype(::curl_multi_info_read)> multi_info_read;
  Real<decltype(::curl_version)> library_version;

  // Whether a call from `caller` is one that the host made. libcurl's own calls are told by where they come
  // from, not by the thread: a callback of the host's may well start another transfer.
  bool is_hosts(const void* caller) noexcept;
  // And it is to be seen.
  bool is_seen(const void* caller) noexcept;

  // Counts a call that could not be given its trace context.
  void note_without_trace() noexcept;

 private:
  void report() noexcept;
  bool find_library(const void* caller) noexcept;

  std::atomic<std::uintptr_t> begin_{0};
  std::atomic<std::uintptr_t> size_{0};
  std::atomic<std::uint64_t> without_trace_{0};
};

}  // namespace inlens::curl
