#include "collectors/sqlite/runs.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "collectors/preload/cycles.hpp"
#include "collectors/sqlite/library.hpp"

namespace inlens::sqlite {

using preload::cycles_to_ns;

namespace {

const pid_t g_process = getpid();

__thread char t_here;               // its address tells threads apart
__thread unsigned t_open_runs = 0;  // reported and not ended

inlens_str text(const char* given) {
  return {given, given != nullptr ? std::strlen(given) : 0};
}

inlens_statement_info info_of(inlens_str sql, const sqlite3* connection, const void* caller) {
  inlens_statement_info info{};
  info.struct_size = sizeof(info);
  info.text = sql;
  info.dialect = INLENS_DIALECT_SQLITE;
  info.flags = INLENS_STATEMENT_BACKGROUND;
  // What the host marks itself counts once; a statement between the rows of one of ours counts as well.
  if (t_open_runs == 0) info.flags |= INLENS_STATEMENT_OBSERVED;
  if (const ConnectionSlot slot = find_connection(connection))
    info.database = {slot.value->name, slot.value->name_size};
  info.caller = caller;
  return info;
}

// The code and message of the connection's last call.
struct Failure {
  char code[16];
  const char* message;

  Failure(sqlite3* connection, int answered) {
    // The connection knows more of it, unless the statement is of the oldest interface or another thread's
    // call came in between.
    const int extended = ask(real_extended_errcode, connection);
    const int known = (extended & 0xFF) == (answered & 0xFF) ? extended : answered;
    std::snprintf(code, sizeof(code), "%d", known);
    message = ask(real_errmsg, connection);
  }
};

template <class Send>
[[gnu::cold, gnu::noinline]] void send_failed(inlens_statement_result& result, sqlite3* connection, int code,
                                              Send&& send) {
  const int error = errno;
  const Failure failure(connection, code);
  result.outcome = INLENS_OUTCOME_FAILED;
  result.error_code = text(failure.code);
  result.error_message = text(failure.message);
  send(result);
  errno = error;
}

bool is_failure(int code) {
  return code != SQLITE_DONE && code != SQLITE_ROW && code != SQLITE_OK;
}

// Rows returned, or else rows changed.
std::int64_t rows_of(const Run& run) {
  if (run.returns_rows) return run.rows;
  return ask(real_total_changes, run.connection) != run.changes_before ? ask(real_changes, run.connection)
                                                                       : 0;
}

inlens_statement_result result_of(const Run& run) {
  inlens_statement_result result{};
  result.struct_size = sizeof(result);
  result.rows = rows_of(run);
  if (run.spent_cycles != 0) {
    result.duration_ns = cycles_to_ns(run.spent_cycles);
    if (run.rows != 0) result.read_ns = cycles_to_ns(run.spent_cycles - run.first_cycles);
  }
  return result;
}

template <class Send>
void finish(const Run& run, int code, Send&& send) {
  inlens_statement_result result = result_of(run);
  if (is_failure(code)) [[unlikely]]
    return send_failed(result, run.connection, code, send);
  send(result);
}

// A request is written by one thread at a time: another one may end the run if the request came along.
bool may_write(const Run& run) {
  return run.thread == &t_here || (run.request != INLENS_NONE && inlens_request_current() == run.request);
}

void close_reported(const Run& run) {
  if (run.thread == &t_here) --t_open_runs;
}

// Whether the connection still has the statement. False also while another thread uses it: the process is
// about to exit and must not wait.
bool is_alive(sqlite3* connection, const sqlite3_stmt* statement) {
  if (!find_connection(connection)) return false;
  sqlite3_mutex* mutex = ask(real_db_mutex, connection);
  if (mutex != nullptr && ask(real_mutex_try, mutex) != SQLITE_OK) return false;
  sqlite3_stmt* at = ask(real_next_stmt, connection, static_cast<sqlite3_stmt*>(nullptr));
  while (at != nullptr && at != statement) at = ask(real_next_stmt, connection, at);
  if (mutex != nullptr) {
    if (auto* const leave = real_mutex_leave.get()) leave(mutex);
  }
  return at != nullptr;
}

void add(const sqlite3_stmt* statement, const Run& run, const inlens_statement_result& result) {
  const char* sql = ask(real_sql, const_cast<sqlite3_stmt*>(statement));
  const inlens_statement_info info = info_of(text(sql), run.connection, run.caller);
  inlens_statement_add(INLENS_CURRENT, &info, &result);
}

}  // namespace

bool keep_run(const sqlite3_stmt* statement, const Run& run) noexcept {
  t_run = g_runs.insert(statement, [&](Run& value) { value = run; });
  return static_cast<bool>(t_run);
}

bool begin_run(sqlite3_stmt* statement, const void* caller, Run& run) noexcept {
  const char* sql = ask(real_sql, statement);
  if (sql == nullptr) return false;  // the library's own
  run.connection = ask(real_db_handle, statement);
  run.thread = &t_here;
  run.caller = caller;
  run.returns_rows = ask(real_column_count, statement) != 0;
  if (run.returns_rows) {
    run.request = inlens_request_current();
    if (run.request == INLENS_NONE) return true;
  } else {
    run.changes_before = ask(real_total_changes, run.connection);
  }
  const inlens_statement_info info = info_of(text(sql), run.connection, caller);
  run.span = inlens_statement_begin(INLENS_CURRENT, &info);
  run.is_reported = true;
  ++t_open_runs;
  return true;
}

void end_run(sqlite3_stmt* statement, Run& run, int code) noexcept {
  if (!run.is_reported)
    return finish(run, code, [&](const inlens_statement_result& result) { add(statement, run, result); });
  if (may_write(run))
    finish(run, code,
           [&](const inlens_statement_result& result) { inlens_statement_end(run.span, &result); });
  close_reported(run);
}

void abandon_run(sqlite3_stmt* statement, Run& run) noexcept {
  // Asks the connection nothing: the library's own state is whatever the exception left.
  inlens_statement_result result{};
  result.struct_size = sizeof(result);
  result.outcome = INLENS_OUTCOME_FAILED;
  result.rows = -1;
  result.error_message = text("left by an exception or a cancellation");
  if (!run.is_reported) return add(statement, run, result);
  if (may_write(run)) inlens_statement_end(run.span, &result);
  close_reported(run);
}

void forget_run(const sqlite3_stmt* statement) noexcept {
  if (statement == nullptr) return;
  const RunSlot slot = find_run(statement);
  if (!slot) return;
  if (slot.value->is_reported) close_reported(*slot.value);
  slot.release();
}

void end_open_runs() noexcept {
  if (getpid() != g_process) return;  // a forked child's table holds its parent's
  g_runs.for_each([](const void* key, const auto& slot) {
    if (slot.value->thread != &t_here) return;
    Run run = *slot.value;
    slot.release();
    auto* statement = static_cast<sqlite3_stmt*>(const_cast<void*>(key));
    if (is_alive(run.connection, statement)) end_run(statement, run, SQLITE_OK);
  });
}

void report_failed_prepare(sqlite3* connection, inlens_str sql, int code, const void* caller) noexcept {
  const inlens_statement_info info = info_of(sql, connection, caller);
  inlens_statement_result result{};
  result.struct_size = sizeof(result);
  send_failed(result, connection, code, [&](const inlens_statement_result& failed) {
    inlens_statement_add(INLENS_CURRENT, &info, &failed);
  });
}

void report_whole(sqlite3* connection, const char* sql, int code, std::uint64_t spent_cycles,
                  const void* caller) noexcept {
  const inlens_statement_info info = info_of(text(sql), connection, caller);
  const auto send = [&](const inlens_statement_result& sent) {
    inlens_statement_add(INLENS_CURRENT, &info, &sent);
  };
  inlens_statement_result result{};
  result.struct_size = sizeof(result);
  result.rows = -1;
  result.duration_ns = cycles_to_ns(spent_cycles);
  if (is_failure(code)) return send_failed(result, connection, code, send);
  send(result);
}

}  // namespace inlens::sqlite
