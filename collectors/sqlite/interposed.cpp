// The functions of SQLite that libinlens-preload.so stands in front of. The host's own trace and profile
// callbacks are not touched: the library keeps them, and calls them as ever.
//
// sqlite3_exec() and sqlite3_get_table() reach us a second time, as the library calls its own exported
// functions by way of the loader: their statements are seen one by one, with the host's caller. In a library
// that binds those calls by itself, the text counts as one statement.
#include <inlens/inlens.h>
#include <sqlite3.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>

#include "collectors/preload/agent.hpp"
#include "collectors/preload/cycles.hpp"
#include "collectors/preload/inside.hpp"
#include "collectors/preload/report.hpp"
#include "collectors/sqlite/connections.hpp"
#include "collectors/sqlite/failed_text.hpp"
#include "collectors/sqlite/library.hpp"
#include "collectors/sqlite/runs.hpp"

#define INLENS_INTERPOSED __attribute__((visibility("default")))
#define INLENS_CALLER __builtin_return_address(0)

namespace inlens::sqlite {

namespace {

using preload::cycles;
using preload::cycles_since;
using preload::Inside;
using preload::Library;
using preload::system_ns;

constexpr std::size_t kMostText = 2000;

// The call of sqlite3_exec() that this thread is in, outside of its callback. The library finalizes what it
// steps there by a way that we do not see.
struct Script {
  const void* caller;
  bool seen = false;
  sqlite3_stmt* stepped = nullptr;
};
__thread Script* t_script = nullptr;

class InScript {
 public:
  explicit InScript(Script* script) : before_(t_script) { t_script = script; }
  ~InScript() {
    if (before_ != nullptr && t_script != nullptr && t_script->seen) before_->seen = true;
    t_script = before_;
  }
  InScript(const InScript&) = delete;
  InScript& operator=(const InScript&) = delete;

 private:
  Script* before_;
};

// Who called, in the host's eyes.
const void* host_caller(const void* caller) {
  Script* const script = t_script;
  if (script == nullptr) return caller;
  script->seen = true;
  return script->caller;
}

[[gnu::cold, gnu::noinline]] void report_collector() {
  char detail[64];
  const char* version = ask(real_libversion);
  const int size = std::snprintf(detail, sizeof(detail), "SQLite %s", version != nullptr ? version : "");
  const auto most = static_cast<int>(sizeof(detail)) - 1;
  inlens_collector_report({"sqlite", 6}, INLENS_COLLECTOR_ON,
                          {detail, static_cast<std::size_t>(std::clamp(size, 0, most))});
  preload::before_report(&end_open_runs);
}

std::atomic<bool> g_is_reported{false};

[[gnu::cold, gnu::noinline]] bool is_agent_there() {
  if (!preload::agent_is_running()) return false;
  if (!g_is_reported.exchange(true)) report_collector();
  return true;
}

bool is_agent_running() {
  if (g_is_reported.load(std::memory_order_acquire)) [[likely]]
    return true;
  return is_agent_there();
}

bool is_collecting() {
  return is_agent_running() && inlens_level_get() != INLENS_LEVEL_OFF;
}

// A step of a run; ends the run if the step is left by an exception or a cancellation.
class Step {
 public:
  Step(sqlite3_stmt* statement, Run& run, const RunSlot& slot = {})
      : statement_(statement), run_(run), slot_(slot) {}
  ~Step() {
    if (!open_) return;
    abandon_run(statement_, run_);
    if (slot_) slot_.release();
  }
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;

  void returned(int code) {
    open_ = false;
    if (code == SQLITE_ROW) {
      ++run_.rows;
      if (slot_ || keep_run(statement_, run_)) return;
    }
    end_run(statement_, run_, code);
    if (slot_) slot_.release();
  }

 private:
  sqlite3_stmt* statement_;
  Run& run_;
  const RunSlot slot_;  // where the run has been kept since its first row
  bool open_ = true;
};

int go_on(decltype(sqlite3_step)* real, sqlite3_stmt* statement, const RunSlot& slot) {
  Step step(statement, *slot.value, slot);
  const std::uint64_t begin = cycles();
  const int code = real(statement);
  slot.value->spent_cycles += cycles_since(begin);
  step.returned(code);
  return code;
}

int start(decltype(sqlite3_step)* real, sqlite3_stmt* statement, const void* caller) {
  Run run;
  if (inlens_level_get() == INLENS_LEVEL_OFF || !begin_run(statement, caller, run)) return real(statement);
  Step step(statement, run);
  // Only of a query is the time inside the library told apart.
  const std::uint64_t begin = run.returns_rows ? cycles() : 0;
  const int code = real(statement);
  if (run.returns_rows) run.spent_cycles = run.first_cycles = cycles_since(begin);
  step.returned(code);
  return code;
}

template <class Call>
int open(const char* file, sqlite3** connection, Call&& call) {
  const Inside inside(Library::kSqlite);
  if (!inside.is_outermost() || !is_agent_running()) return call();
  const std::uint64_t begin = system_ns();
  const int code = call();
  const std::uint64_t spent = system_ns() - begin;
  if (code == SQLITE_OK && connection != nullptr)
    connection_opened(*connection, file, spent);
  else
    connection_failed(file, spent);
  return code;
}

int close(decltype(sqlite3_close)* real, sqlite3* connection) {
  if (real == nullptr) return SQLITE_ERROR;
  const Inside inside(Library::kSqlite);
  if (!inside.is_outermost() || connection == nullptr || !is_agent_running()) return real(connection);
  const Closing closing = connection_closing(connection);
  const int code = real(connection);
  if (code == SQLITE_OK)
    connection_closed(closing);
  else
    connection_stays(closing);
  return code;
}

template <class Call, class Text>
int prepare(sqlite3* connection, const void* caller, Text&& text, Call&& call) {
  const Inside inside(Library::kSqlite);
  const int code = call();
  if (!inside.is_outermost() || connection == nullptr) return code;
  caller = host_caller(caller);
  if (code != SQLITE_OK && is_collecting()) [[unlikely]]
    text([&](std::string_view refused) {
      refused = first_statement(refused);
      report_failed_prepare(connection, {refused.data(), refused.size()}, code, caller);
    });
  return code;
}

template <class F, class... Rest>
int prepare_8(Real<F>& wanted, const void* caller, sqlite3* connection, const char* sql, int size,
              Rest... rest) {
  F* const real = find(wanted, caller);
  if (real == nullptr) return SQLITE_ERROR;
  const auto text = [&](auto&& use) {
    if (sql != nullptr)
      use(std::string_view(sql, size < 0 ? std::strlen(sql) : strnlen(sql, static_cast<std::size_t>(size))));
  };
  return prepare(connection, caller, text, [&] { return real(connection, sql, size, rest...); });
}

template <class F, class... Rest>
int prepare_16(Real<F>& wanted, const void* caller, sqlite3* connection, const void* sql, int size,
               Rest... rest) {
  F* const real = find(wanted, caller);
  if (real == nullptr) return SQLITE_ERROR;
  const auto text = [&](auto&& use) {
    if (sql == nullptr) return;
    char utf8[kMostText];
    const auto most = size < 0 ? sizeof(utf8) : static_cast<std::size_t>(size) / 2;
    use(std::string_view(utf8, to_utf8(static_cast<const char16_t*>(sql), most, utf8, sizeof(utf8))));
  };
  return prepare(connection, caller, text, [&] { return real(connection, sql, size, rest...); });
}

// The host's callback, during which its own statements are no part of the script.
struct Callback {
  int (*call)(void*, int, char**, char**);
  void* user;
};

// The host gives up what may be in the middle of a run.
void leave(sqlite3_stmt* statement) {
  const RunSlot slot = find_run(statement);
  if (!slot) return;
  end_run(statement, *slot.value, SQLITE_OK);
  slot.release();
}

int call_outside(const Callback& callback, int columns, char** values, char** names) {
  const InScript outside(nullptr);
  return callback.call(callback.user, columns, values, names);
}

int pass_row(void* user, int columns, char** values, char** names) {
  const int answer = call_outside(*static_cast<const Callback*>(user), columns, values, names);
  // The statement ends here and is freed before sqlite3_exec() returns.
  if (answer != 0 && t_script != nullptr) leave(t_script->stepped);
  return answer;
}

bool has_text(const char* sql) {
  return sql != nullptr && sql[std::strspn(sql, " \t\r\n;")] != '\0';
}

template <class Call>
int script(sqlite3* connection, const char* sql, const void* caller, Call&& call) {
  // Inside another call of the library, such as a step of VACUUM.
  if (preload::t_inside & static_cast<unsigned>(Library::kSqlite)) return call();
  Script script{t_script != nullptr ? t_script->caller : caller};
  const InScript in(&script);
  const std::uint64_t begin = cycles();
  const int code = call();
  forget_run(script.stepped);
  if (!script.seen && connection != nullptr && has_text(sql) && is_collecting()) [[unlikely]] {
    script.seen = true;
    report_whole(connection, sql, code, cycles_since(begin), script.caller);
  }
  return code;
}

}  // namespace

}  // namespace inlens::sqlite

using namespace inlens::sqlite;

extern "C" {

INLENS_INTERPOSED int sqlite3_open(const char* file, sqlite3** connection) {
  auto* const real = find(real_open, INLENS_CALLER);
  if (real == nullptr) return SQLITE_ERROR;
  return open(file, connection, [&] { return real(file, connection); });
}

INLENS_INTERPOSED int sqlite3_open_v2(const char* file, sqlite3** connection, int flags, const char* vfs) {
  auto* const real = find(real_open_v2, INLENS_CALLER);
  if (real == nullptr) return SQLITE_ERROR;
  return open(file, connection, [&] { return real(file, connection, flags, vfs); });
}

INLENS_INTERPOSED int sqlite3_open16(const void* file, sqlite3** connection) {
  auto* const real = find(real_open16, INLENS_CALLER);
  if (real == nullptr) return SQLITE_ERROR;
  char utf8[512] = "";
  if (file != nullptr)
    utf8[to_utf8(static_cast<const char16_t*>(file), sizeof(utf8), utf8, sizeof(utf8) - 1)] = '\0';
  return open(utf8, connection, [&] { return real(file, connection); });
}

INLENS_INTERPOSED int sqlite3_close(sqlite3* connection) {
  return close(find(real_close, INLENS_CALLER), connection);
}

INLENS_INTERPOSED int sqlite3_close_v2(sqlite3* connection) {
  return close(find(real_close_v2, INLENS_CALLER), connection);
}

INLENS_INTERPOSED int sqlite3_prepare(sqlite3* connection, const char* sql, int size,
                                      sqlite3_stmt** statement, const char** tail) {
  return prepare_8(real_prepare, INLENS_CALLER, connection, sql, size, statement, tail);
}

INLENS_INTERPOSED int sqlite3_prepare_v2(sqlite3* connection, const char* sql, int size,
                                         sqlite3_stmt** statement, const char** tail) {
  return prepare_8(real_prepare_v2, INLENS_CALLER, connection, sql, size, statement, tail);
}

INLENS_INTERPOSED int sqlite3_prepare_v3(sqlite3* connection, const char* sql, int size, unsigned int flags,
                                         sqlite3_stmt** statement, const char** tail) {
  return prepare_8(real_prepare_v3, INLENS_CALLER, connection, sql, size, flags, statement, tail);
}

INLENS_INTERPOSED int sqlite3_prepare16(sqlite3* connection, const void* sql, int size,
                                        sqlite3_stmt** statement, const void** tail) {
  return prepare_16(real_prepare16, INLENS_CALLER, connection, sql, size, statement, tail);
}

INLENS_INTERPOSED int sqlite3_prepare16_v2(sqlite3* connection, const void* sql, int size,
                                           sqlite3_stmt** statement, const void** tail) {
  return prepare_16(real_prepare16_v2, INLENS_CALLER, connection, sql, size, statement, tail);
}

INLENS_INTERPOSED int sqlite3_prepare16_v3(sqlite3* connection, const void* sql, int size, unsigned int flags,
                                           sqlite3_stmt** statement, const void** tail) {
  return prepare_16(real_prepare16_v3, INLENS_CALLER, connection, sql, size, flags, statement, tail);
}

INLENS_INTERPOSED int sqlite3_step(sqlite3_stmt* statement) {
  const void* caller = INLENS_CALLER;
  auto* const real = find(real_step, caller);
  if (real == nullptr) return SQLITE_MISUSE;
  const inlens::preload::Inside inside(inlens::preload::Library::kSqlite);
  if (!inside.is_outermost() || statement == nullptr || !is_agent_running()) return real(statement);
  if (t_script != nullptr) t_script->stepped = statement;
  caller = host_caller(caller);
  if (const RunSlot slot = find_run(statement)) return go_on(real, statement, slot);
  return start(real, statement, caller);
}

INLENS_INTERPOSED int sqlite3_reset(sqlite3_stmt* statement) {
  auto* const real = find(real_reset, INLENS_CALLER);
  if (real == nullptr) return SQLITE_OK;
  const inlens::preload::Inside inside(inlens::preload::Library::kSqlite);
  if (inside.is_outermost() && statement != nullptr) leave(statement);
  return real(statement);
}

INLENS_INTERPOSED int sqlite3_finalize(sqlite3_stmt* statement) {
  auto* const real = find(real_finalize, INLENS_CALLER);
  if (real == nullptr) return SQLITE_OK;
  const inlens::preload::Inside inside(inlens::preload::Library::kSqlite);
  if (inside.is_outermost() && statement != nullptr) leave(statement);
  return real(statement);
}

INLENS_INTERPOSED int sqlite3_exec(sqlite3* connection, const char* sql,
                                   int (*callback)(void*, int, char**, char**), void* user, char** message) {
  const void* caller = INLENS_CALLER;
  auto* const real = find(real_exec, caller);
  if (real == nullptr) return SQLITE_ERROR;
  const Callback passed{callback, user};
  return script(connection, sql, caller, [&] {
    if (callback == nullptr) return real(connection, sql, nullptr, user, message);
    return real(connection, sql, &pass_row, const_cast<Callback*>(&passed), message);
  });
}

INLENS_INTERPOSED int sqlite3_get_table(sqlite3* connection, const char* sql, char*** result, int* rows,
                                        int* columns, char** message) {
  const void* caller = INLENS_CALLER;
  auto* const real = find(real_get_table, caller);
  if (real == nullptr) return SQLITE_ERROR;
  return script(connection, sql, caller,
                [&] { return real(connection, sql, result, rows, columns, message); });
}

}  // extern "C"
