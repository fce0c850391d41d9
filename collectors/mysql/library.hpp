// libmariadb.so.3 as the collector uses it: whether it is there, and the functions of it that are only asked.
//
// Oracle's libmysqlclient has the same names with other versions and goes past us; a libmysqlclient.so.18,
// which has the versions too but not the same structs, is passed on to and not looked at.
// Threads: any. Blocks: the first call of a process, for the loader's lock.
#pragma once

#include <mysql.h>

#include <atomic>

#include "collectors/preload/versioned.hpp"

namespace inlens::mysql {

inline constexpr char kSoname[] = "libmariadb.so.3";
inline constexpr char kVersion[] = "libmysqlclient_18";
inline constexpr char kOwnVersion[] = "libmariadb_3";

struct Library {
  bool usable = false;
  preload::ModuleRange range;  // of the library
  preload::ModuleRange ours;

  decltype(&::mysql_errno) error_number = nullptr;
  decltype(&::mysql_sqlstate) sqlstate = nullptr;
  decltype(&::mysql_error) error = nullptr;
  decltype(&::mysql_field_count) field_count = nullptr;
  decltype(&::mysql_more_results) more_results = nullptr;
  decltype(&::mysql_affected_rows) affected_rows = nullptr;
  decltype(&::mysql_num_rows) num_rows = nullptr;
  decltype(&::mariadb_get_infov) info = nullptr;
  decltype(&::mysql_stmt_errno) stmt_error_number = nullptr;
  decltype(&::mysql_stmt_sqlstate) stmt_sqlstate = nullptr;
  decltype(&::mysql_stmt_error) stmt_error = nullptr;
  decltype(&::mysql_stmt_field_count) stmt_field_count = nullptr;
  decltype(&::mysql_stmt_more_results) stmt_more_results = nullptr;
  decltype(&::mysql_stmt_affected_rows) stmt_affected_rows = nullptr;
  decltype(&::mysql_stmt_num_rows) stmt_num_rows = nullptr;
};

extern Library g_library;
extern std::atomic<bool> g_library_is_known;

// Looks for it, once, and tells the console what was found.
void find_library(const void* caller) noexcept;

// The library of the process; `caller` is an address of the module that called us.
inline const Library& library(const void* caller) noexcept {
  // Partner: the release in find_library.
  if (!g_library_is_known.load(std::memory_order_acquire)) [[unlikely]]
    find_library(caller);
  return g_library;
}

// Once it is known.
inline const Library& library() noexcept {
  return g_library;
}

}  // namespace inlens::mysql
