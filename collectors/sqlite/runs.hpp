// One run of a statement: from the step that starts it to the one that has no more rows, or that fails, or to
// the reset or finalize that ends it early.
//
// A statement that cannot return rows, and any statement of a request, is reported when its run begins and
// ends, so that it can be seen while it lasts. A query outside of requests is reported when it is over: its
// run may last as long as the host likes, and it is not to hold the thread's background record open.
// Threads: a run is used by one thread at a time. Blocks: never.
#pragma once

#include <inlens/inlens.h>
#include <sqlite3.h>

#include <cstdint>

#include "collectors/sqlite/connections.hpp"
#include "collectors/sqlite/slots.hpp"

namespace inlens::sqlite {

struct Run {
  sqlite3* connection = nullptr;
  inlens_request request = INLENS_NONE;  // of a query that is reported already; NONE: the thread's own work
  inlens_span span = INLENS_NONE;
  const void* thread = nullptr;  // the one that began it
  const void* caller = nullptr;
  std::uint64_t spent_cycles = 0;  // inside the library
  std::uint64_t first_cycles = 0;  // of them, up to the first row
  std::int64_t rows = 0;           // returned
  int changes_before = 0;
  bool returns_rows = false;  // or could; only then the time inside the library is measured
  bool is_reported = false;
};

inline Slots<Run, 256> g_runs;  // of statements in the middle of one
using RunSlot = Slots<Run, 256>::Slot;
inline thread_local constinit RunSlot
    t_run;  // kept last by this thread; its key tells whether it still holds

// The run that a statement is in the middle of, or none.
inline RunSlot find_run(const sqlite3_stmt* statement) noexcept {
  if (t_run && t_run.key->load(std::memory_order_acquire) == statement) return t_run;
  return g_runs.find(statement);
}
// False when there is no place for it.
bool keep_run(const sqlite3_stmt* statement, const Run& run) noexcept;

// False when nothing is to be reported: the statement has no text.
bool begin_run(sqlite3_stmt* statement, const void* caller, Run& run) noexcept;
// `code`: what the last step answered; SQLITE_OK when the host ended the run.
void end_run(sqlite3_stmt* statement, Run& run, int code) noexcept;
// Of a step that was left by an exception or a cancellation.
void abandon_run(sqlite3_stmt* statement, Run& run) noexcept;
// Of a statement that is gone already, as where the library had no memory for a row.
void forget_run(const sqlite3_stmt* statement) noexcept;

// Ends what the calling thread has left open when the process exits.
void end_open_runs() noexcept;

// A statement that did not come so far as to be stepped.
void report_failed_prepare(sqlite3* connection, inlens_str text, int code, const void* caller) noexcept;

// A text that the library ran without any call that we could see.
void report_whole(sqlite3* connection, const char* text, int code, std::uint64_t spent_cycles,
                  const void* caller) noexcept;

}  // namespace inlens::sqlite
