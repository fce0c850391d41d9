#include "collectors/mysql/library.hpp"

#include <errno.h>
#include <inlens/inlens.h>

#include <cstdio>
#include <string_view>

#include "collectors/preload/cycles.hpp"

namespace inlens::mysql {

constinit Library g_library;
constinit std::atomic<bool> g_library_is_known{false};

namespace {

template <class F>
bool find(F*& function, const char* symbol, const char* version, const void* caller) noexcept {
  function = reinterpret_cast<F*>(preload::find_versioned(kSoname, symbol, version, caller));
  return function != nullptr;
}

void report(inlens_collector_state state, const char* what, const char* version) noexcept {
  char detail[96];
  const int size = std::snprintf(detail, sizeof(detail), "%s %.40s", what, version);
  constexpr std::string_view name = "mysql";
  inlens_collector_report({name.data(), name.size()}, state,
                          {detail, size > 0 ? static_cast<std::size_t>(size) : 0});
}

Library look_for(const void* caller) noexcept {
  const int error = errno;
  Library found;
  decltype(&::mysql_get_client_info) client_info = nullptr;
  find(client_info, "mysql_get_client_info", kVersion, caller);
  found.usable = find(found.info, "mariadb_get_infov", kOwnVersion, caller) &&
                 find(found.error_number, "mysql_errno", kVersion, caller) &&
                 find(found.sqlstate, "mysql_sqlstate", kVersion, caller) &&
                 find(found.error, "mysql_error", kVersion, caller) &&
                 find(found.field_count, "mysql_field_count", kVersion, caller) &&
                 find(found.more_results, "mysql_more_results", kVersion, caller) &&
                 find(found.affected_rows, "mysql_affected_rows", kVersion, caller) &&
                 find(found.num_rows, "mysql_num_rows", kVersion, caller) &&
                 find(found.stmt_error_number, "mysql_stmt_errno", kVersion, caller) &&
                 find(found.stmt_sqlstate, "mysql_stmt_sqlstate", kVersion, caller) &&
                 find(found.stmt_error, "mysql_stmt_error", kVersion, caller) &&
                 find(found.stmt_field_count, "mysql_stmt_field_count", kVersion, caller) &&
                 find(found.stmt_more_results, "mysql_stmt_more_results", kVersion, caller) &&
                 find(found.stmt_affected_rows, "mysql_stmt_affected_rows", kVersion, caller) &&
                 find(found.stmt_num_rows, "mysql_stmt_num_rows", kVersion, caller);
  const char* version = client_info != nullptr ? client_info() : "";
  if (found.usable) {
    found.range = preload::module_of(reinterpret_cast<const void*>(found.error_number));
    found.ours = preload::module_of(reinterpret_cast<const void*>(&find_library));
    report(INLENS_COLLECTOR_ON, "libmariadb", version);
  } else {
    report(INLENS_COLLECTOR_IMPOSSIBLE, "the host's client library is not libmariadb 3:", version);
  }
  errno = error;
  return found;
}

}  // namespace

void find_library(const void* caller) noexcept {
  [[maybe_unused]] static const bool once = [caller] {
    g_library = look_for(caller);
    g_library_is_known.store(true, std::memory_order_release);
    return true;
  }();
}

}  // namespace inlens::mysql
