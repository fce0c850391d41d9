#include "collectors/curl/flavour.hpp"

#include <errno.h>
#include <inlens/inlens.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "collectors/preload/agent.hpp"

namespace inlens::curl {

bool Flavour::is_hosts(const void* caller) noexcept {
  // Partner: the release in find_library.
  if (begin_.load(std::memory_order_acquire) == 0 && !find_library(caller)) [[unlikely]]
    return false;
  const preload::ModuleRange library{begin_.load(std::memory_order_relaxed),
                                     size_.load(std::memory_order_relaxed)};
  return !library.contains(caller);
}

bool Flavour::is_seen(const void* caller) noexcept {
  return is_hosts(caller) && preload::agent_is_running() && inlens_level_get() != INLENS_LEVEL_OFF;
}

bool Flavour::find_library(const void* caller) noexcept {
  const int error = errno;
  const auto asked = easy_getinfo.get(caller);
  const preload::ModuleRange found = preload::module_of(reinterpret_cast<const void*>(asked));
  if (asked != nullptr && library_version.get(caller) != nullptr && easy_strerror.get(caller) != nullptr &&
      found.size != 0) {
    report();
    size_.store(found.size, std::memory_order_relaxed);
    begin_.store(found.begin, std::memory_order_release);
  }
  errno = error;
  return begin_.load(std::memory_order_relaxed) != 0;
}

void Flavour::report() noexcept {
  // "libcurl/7.88.1 OpenSSL/3.0.19", of a list of all that it uses.
  std::string_view version = library_version.get(nullptr)();
  const std::size_t second = version.find(' ');
  if (second != std::string_view::npos) version = version.substr(0, version.find(' ', second + 1));
  char detail[200];
  std::size_t size = version.copy(detail, 100);
  if (const std::uint64_t count = without_trace_.load(std::memory_order_relaxed); count != 0) {
    const int written =
        std::snprintf(detail + size, sizeof(detail) - size,
                      "; %llu calls sent no trace context: what their handles send is not known",
                      static_cast<unsigned long long>(count));
    size = std::min(size + static_cast<std::size_t>(std::max(written, 0)), sizeof(detail) - 1);
  }
  inlens_collector_report({name, std::strlen(name)}, INLENS_COLLECTOR_ON, {detail, size});
}

void Flavour::note_without_trace() noexcept {
  const std::uint64_t count = without_trace_.fetch_add(1, std::memory_order_relaxed) + 1;
  if ((count & (count - 1)) == 0) report();
}

}  // namespace inlens::curl
