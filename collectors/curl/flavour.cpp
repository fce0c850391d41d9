#include "collectors/curl/flavour.hpp"

#include <errno.h>
#include <inlens/inlens.h>

#include <cstring>
#include <string_view>

#include "collectors/preload/agent.hpp"

namespace inlens::curl {

bool Flavour::is_seen(const void* caller) noexcept {
  // Partner: the release in find_library.
  if (begin_.load(std::memory_order_acquire) == 0 && !find_library(caller)) [[unlikely]]
    return false;
  const preload::ModuleRange library{begin_.load(std::memory_order_relaxed),
                                     size_.load(std::memory_order_relaxed)};
  if (library.contains(caller)) return false;
  return preload::agent_is_running() && inlens_level_get() != INLENS_LEVEL_OFF;
}

bool Flavour::find_library(const void* caller) noexcept {
  const int error = errno;
  const auto asked = easy_getinfo.get(caller);
  const auto version = library_version.get(caller);
  const preload::ModuleRange found = preload::module_of(reinterpret_cast<const void*>(asked));
  if (asked != nullptr && version != nullptr && easy_strerror.get(caller) != nullptr && found.size != 0) {
    // "libcurl/7.88.1 OpenSSL/3.0.19", of a list of all that it uses.
    std::string_view detail = version();
    const std::size_t second = detail.find(' ');
    if (second != std::string_view::npos) detail = detail.substr(0, detail.find(' ', second + 1));
    inlens_collector_report({name, std::strlen(name)}, INLENS_COLLECTOR_ON, {detail.data(), detail.size()});
    size_.store(found.size, std::memory_order_relaxed);
    begin_.store(found.begin, std::memory_order_release);
  }
  errno = error;
  return begin_.load(std::memory_order_relaxed) != 0;
}

}  // namespace inlens::curl
