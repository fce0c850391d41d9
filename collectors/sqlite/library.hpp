// SQLite's own functions behind the interposed ones, and those that the collector asks. All are looked for in
// the library that the process has loaded; none is linked.
#pragma once

#include <sqlite3.h>

#include <atomic>

#include "collectors/preload/real.hpp"

namespace inlens::sqlite {

template <class F>
using Real = preload::Real<F>;

inline constexpr const char* kLibrary = "libsqlite3.so.0";

#define INLENS_REAL(name)                               \
  inline Real<decltype(::sqlite3_##name)> real_##name { \
    kLibrary, "sqlite3_" #name                          \
  }
INLENS_REAL(open);
INLENS_REAL(open16);
INLENS_REAL(open_v2);
INLENS_REAL(close);
INLENS_REAL(close_v2);
INLENS_REAL(prepare);
INLENS_REAL(prepare_v2);
INLENS_REAL(prepare_v3);
INLENS_REAL(prepare16);
INLENS_REAL(prepare16_v2);
INLENS_REAL(prepare16_v3);
INLENS_REAL(step);
INLENS_REAL(reset);
INLENS_REAL(finalize);
INLENS_REAL(exec);
INLENS_REAL(get_table);
INLENS_REAL(sql);
INLENS_REAL(db_handle);
INLENS_REAL(column_count);
INLENS_REAL(changes);
INLENS_REAL(total_changes);
INLENS_REAL(errmsg);
INLENS_REAL(extended_errcode);
INLENS_REAL(libversion);
INLENS_REAL(db_mutex);
INLENS_REAL(mutex_try);
INLENS_REAL(mutex_leave);
INLENS_REAL(next_stmt);
#undef INLENS_REAL

// A place in the host or in the library where the loader's own way does not lead to it; see real.hpp.
inline std::atomic<const void*> g_caller{nullptr};

template <class F>
F* find(Real<F>& real, const void* caller) {
  F* function = real.get();
  if (function == nullptr) [[unlikely]] {
    function = real.get(caller);
    if (function != nullptr)
      g_caller.store(reinterpret_cast<const void*>(function), std::memory_order_release);
  }
  return function;
}

// What the library says, or a zero if it has no such function.
template <class F, class... Arguments>
auto ask(Real<F>& real, Arguments... arguments) {
  using Answer = decltype(real.get()(arguments...));
  F* function = real.get();
  if (function == nullptr) [[unlikely]]
    function = real.get(g_caller.load(std::memory_order_acquire));
  return function != nullptr ? function(arguments...) : Answer{};
}

}  // namespace inlens::sqlite
