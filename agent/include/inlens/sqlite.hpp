/* sqlite.hpp: statements of SQLite for hosts that carry it in themselves, where no library can be stood in
 * front of; header-only, C++17. Include the host's own sqlite3.h before it.
 *
 * Called by: the code that opens connections: attach(connection) once for each. It takes the connection's one
 * trace callback (sqlite3_trace_v2), with which SQLite reports each statement, its rows and its end. What
 * SQLite does not report there is how a statement ended: call step() and prepare() of this header instead of
 * sqlite3_step() and sqlite3_prepare_v2() where failures are to be seen.
 *
 * Threads: as SQLite asks for the connection itself. Blocks: never.
 * Errors:  none leave; SQLite's own answers are passed on.
 * Owns:    256 bytes and more for each connection, freed when SQLite closes it.
 */
#ifndef INLENS_SQLITE_HPP
#define INLENS_SQLITE_HPP

#if !defined(SQLITE_VERSION_NUMBER) || SQLITE_VERSION_NUMBER < 3014000
#error "include sqlite3.h, of SQLite 3.14 or later, before inlens/sqlite.hpp"
#endif

#include <inlens/inlens.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

namespace inlens {
namespace sqlite {

namespace detail {

inline inlens_str text(const char* given) noexcept {
  return {given, given ? std::strlen(given) : 0};
}

/* A statement between its first step and its end. */
struct Run {
  sqlite3_stmt* statement = nullptr;
  inlens_span span = INLENS_NONE;
  std::int64_t rows = 0;
  int changes_before = 0;
};

/* What step() knows and the trace callback does not. */
struct Stepping {
  sqlite3_stmt* statement = nullptr;
  Run ended; /* by SQLite, while it was stepped */
};
inline thread_local Stepping* t_stepping = nullptr;

inline std::int64_t rows_of(sqlite3* connection, const Run& run) noexcept {
  if (run.rows != 0 || sqlite3_total_changes(connection) == run.changes_before) return run.rows;
  return sqlite3_changes(connection);
}

/* Up to 15 digits; SQLite's extended codes have five. */
struct Code {
  char digits[16];
  std::size_t size = 0;
  explicit Code(int code) noexcept {
    char reversed[16];
    std::size_t count = 0;
    for (unsigned left = code < 0 ? 0u : static_cast<unsigned>(code); left != 0 || count == 0; left /= 10)
      reversed[count++] = static_cast<char>('0' + left % 10);
    while (count != 0) digits[size++] = reversed[--count];
  }
};

inline void end(sqlite3* connection, const Run& run, int code) noexcept {
  inlens_statement_result result{};
  result.struct_size = sizeof(result);
  result.rows = rows_of(connection, run);
  const bool failed = code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW;
  const Code number(failed ? sqlite3_extended_errcode(connection) : 0);
  if (failed) {
    result.outcome = INLENS_OUTCOME_FAILED;
    result.error_code = {number.digits, number.size};
    result.error_message = text(sqlite3_errmsg(connection));
  }
  inlens_statement_end(run.span, &result);
}

inline Run begin(sqlite3* connection, sqlite3_stmt* statement, inlens_str sql, inlens_str name,
                 std::uint32_t flags) noexcept {
  Run run;
  run.statement = statement;
  run.changes_before = sqlite3_total_changes(connection);
  inlens_statement_info info{};
  info.struct_size = sizeof(info);
  info.text = sql;
  info.dialect = INLENS_DIALECT_SQLITE;
  info.flags = flags | INLENS_STATEMENT_BACKGROUND;
  info.database = name;
  run.span = inlens_statement_begin(INLENS_CURRENT, &info);
  return run;
}

inline inlens_str name_of(sqlite3* connection) noexcept {
  const char* file = sqlite3_db_filename(connection, "main");
  if (file == nullptr || *file == '\0') return text(":memory:");
  const char* slash = std::strrchr(file, '/');
  return text(slash ? slash + 1 : file);
}

class Context {
 public:
  explicit Context(sqlite3* connection) noexcept : connection_(connection) {
    inlens_connection_info info{};
    info.struct_size = sizeof(info);
    info.kind = text("sqlite");
    const char* file = sqlite3_db_filename(connection, "main");
    info.target = file != nullptr && *file != '\0' ? text(file) : text(":memory:");
    opened_ = inlens_connection_opened(INLENS_CURRENT, &info);
  }

  static int on_event(unsigned kind, void* self, void* subject, void* more) noexcept {
    auto* const context = static_cast<Context*>(self);
    if (kind == SQLITE_TRACE_CLOSE) {
      inlens_connection_closed(context->opened_);
      delete context;
      return 0;
    }
    auto* const statement = static_cast<sqlite3_stmt*>(subject);
    if (kind == SQLITE_TRACE_STMT) context->on_begin(statement, static_cast<const char*>(more));
    if (kind == SQLITE_TRACE_ROW) context->on_row(statement);
    if (kind == SQLITE_TRACE_PROFILE) context->on_end(statement);
    return 0;
  }

 private:
  static constexpr int kMostRuns = 16; /* at once; further ones are not seen */

  Run* find(const sqlite3_stmt* statement) noexcept {
    for (Run& run : runs_)
      if (run.statement == statement) return &run;
    return nullptr;
  }

  void on_begin(sqlite3_stmt* statement, const char* sql) noexcept {
    if (sql == nullptr || std::strncmp(sql, "--", 2) == 0) sql = sqlite3_sql(statement);
    if (sql == nullptr || find(statement) != nullptr) return; /* a trigger's, inside of its statement */
    if (Run* run = find(nullptr)) {
      *run = begin(connection_, statement, text(sql), name_of(connection_),
                   open_ == 0 ? std::uint32_t{INLENS_STATEMENT_OBSERVED} : 0u);
      ++open_;
    }
  }

  void on_row(sqlite3_stmt* statement) noexcept {
    if (Run* run = find(statement)) ++run->rows;
  }

  void on_end(sqlite3_stmt* statement) noexcept {
    Run* const run = find(statement);
    if (run == nullptr) return;
    --open_;
    if (t_stepping != nullptr && t_stepping->statement == statement)
      t_stepping->ended = *run;
    else
      end(connection_, *run, SQLITE_OK);
    *run = Run();
  }

  sqlite3* connection_;
  inlens_connection opened_ = INLENS_NONE;
  int open_ = 0;
  Run runs_[kMostRuns];
};

} /* namespace detail */

/* Shows the connection and its statements from now on. False when SQLite was built without traces or memory
 * was refused. */
inline bool attach(sqlite3* connection) noexcept {
  if (connection == nullptr) return false;
  auto* const context = new (std::nothrow) detail::Context(connection);
  if (context == nullptr) return false;
  constexpr unsigned kEvents =
      SQLITE_TRACE_STMT | SQLITE_TRACE_ROW | SQLITE_TRACE_PROFILE | SQLITE_TRACE_CLOSE;
  if (sqlite3_trace_v2(connection, kEvents, &detail::Context::on_event, context) != SQLITE_OK) {
    detail::Context::on_event(SQLITE_TRACE_CLOSE, context, nullptr, nullptr);
    return false;
  }
  inlens_collector_report(detail::text("sqlite"), INLENS_COLLECTOR_ON,
                          detail::text("SQLite in the host, attached"));
  return true;
}

/* sqlite3_step(), which also says how the statement ended. */
inline int step(sqlite3_stmt* statement) {
  struct Scope {
    detail::Stepping stepping;
    detail::Stepping* before = detail::t_stepping;
    explicit Scope(sqlite3_stmt* stepped) noexcept {
      stepping.statement = stepped;
      detail::t_stepping = &stepping;
    }
    ~Scope() { detail::t_stepping = before; }
  } scope(statement);
  const int code = sqlite3_step(statement);
  if (scope.stepping.ended.statement != nullptr)
    detail::end(sqlite3_db_handle(statement), scope.stepping.ended, code);
  return code;
}

/* sqlite3_prepare_v2(), which also shows a statement that SQLite refuses. */
inline int prepare(sqlite3* connection, const char* sql, int size, sqlite3_stmt** statement,
                   const char** tail) {
  const int code = sqlite3_prepare_v2(connection, sql, size, statement, tail);
  if (code == SQLITE_OK || connection == nullptr || sql == nullptr) return code;
  const inlens_str refused = size < 0 ? detail::text(sql) : inlens_str{sql, static_cast<std::size_t>(size)};
  detail::end(
      connection,
      detail::begin(connection, nullptr, refused, detail::name_of(connection), INLENS_STATEMENT_OBSERVED),
      code);
  return code;
}

} /* namespace sqlite */
} /* namespace inlens */
#endif
