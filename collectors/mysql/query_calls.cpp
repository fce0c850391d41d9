// Interposed: statements as text, and the reading of their results. A statement that returns rows goes on
// until the last row of its last result is read, its result is freed, or the connection is used for another.
#include <cstdio>
#include <cstring>

#include "collectors/mysql/interposed.hpp"
#include "collectors/mysql/state.hpp"
#include "collectors/preload/cycles.hpp"

using namespace inlens::mysql;

namespace {

constexpr int kFailed = 1;

namespace real {
constinit INLENS_MYSQL_REAL(mysql_query);
constinit INLENS_MYSQL_REAL(mysql_real_query);
constinit INLENS_MYSQL_REAL(mysql_send_query);
constinit INLENS_MYSQL_REAL(mysql_read_query_result);
constinit INLENS_MYSQL_REAL(mysql_store_result);
constinit INLENS_MYSQL_REAL(mysql_use_result);
constinit INLENS_MYSQL_REAL(mysql_fetch_row);
constinit INLENS_MYSQL_REAL(mysql_free_result);
constinit INLENS_MYSQL_REAL(mysql_next_result);
constinit INLENS_MYSQL_REAL(mysql_commit);
constinit INLENS_MYSQL_REAL(mysql_rollback);
constinit INLENS_MYSQL_REAL(mysql_autocommit);
constinit INLENS_MYSQL_REAL(mysql_set_character_set);
constinit INLENS_MYSQL_REAL(mysql_list_dbs);
constinit INLENS_MYSQL_REAL(mysql_list_tables);
}  // namespace real

std::string_view view(const char* text) {
  return text != nullptr ? std::string_view(text) : std::string_view();
}

Failure failure_of(MYSQL* mysql) {
  const Library& used = library();
  return {used.error_number(mysql), used.sqlstate(mysql), used.error(mysql)};
}

// The open statement of a connection, or nullptr.
Run* open_run(MYSQL* mysql) {
  Connection* connection = g_connections.find(mysql);
  return connection != nullptr && connection->run.is_open() ? &connection->run : nullptr;
}

// After a result was read or freed.
void end_unless_more(MYSQL* mysql, Run& run) {
  if (!library().more_results(mysql)) run.end();
}

// After an answer that succeeded: rows are still to be read, unless it has none.
void take_answer(MYSQL* mysql, Run& run) {
  const Library& used = library();
  if (used.field_count(mysql) != 0) return;
  run.add_rows(used.affected_rows(mysql));
  end_unless_more(mysql, run);
}

bool may_be_use(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (text[first] | 0x20) == 'u';
}

// Runs `call`, which sends `text` and reads the answer's first part; it returns 0 when that succeeded.
template <class Call>
auto observe(MYSQL* mysql, std::string_view text, const void* caller, Call call) {
  InUse connection(mysql);
  Run& run = connection->run;
  run.begin(connection->handle, text, connection->target(), caller);
  Crossing crossing(run);
  const auto failed = call();
  crossing.returned();
  run.executed();
  if (failed != 0) {
    run.fail(failure_of(mysql));
  } else {
    take_answer(mysql, run);
    if (may_be_use(text)) describe(*connection, mysql);
  }
  return failed;
}

// Runs `call`, which sends `text` and reads the whole answer.
template <class Call>
MYSQL_RES* observe_listing(MYSQL* mysql, std::string_view text, const void* caller, Call call) {
  InUse connection(mysql);
  Run& run = connection->run;
  run.begin(connection->handle, text, connection->target(), caller);
  Crossing crossing(run);
  MYSQL_RES* result = call();
  crossing.returned();
  if (result == nullptr) {
    run.fail(failure_of(mysql));
  } else {
    run.add_rows(library().num_rows(result));
    run.end();
  }
  return result;
}

}  // namespace

INLENS_EXPORTED int inlens_mysql_query(MYSQL* mysql, const char* text) {
  const void* caller = INLENS_CALLER;
  auto* call = real::mysql_query.get(caller);
  if (call == nullptr) return kFailed;
  const Entry entry(caller);
  if (!entry.is_seen()) return call(mysql, text);
  return observe(mysql, view(text), caller, [&] { return call(mysql, text); });
}
INLENS_MYSQL_EXPORT(mysql_query);

INLENS_EXPORTED int inlens_mysql_real_query(MYSQL* mysql, const char* text, unsigned long size) {
  const void* caller = INLENS_CALLER;
  auto* call = real::mysql_real_query.get(caller);
  if (call == nullptr) return kFailed;
  const Entry entry(caller);
  if (!entry.is_seen()) return call(mysql, text, size);
  return observe(mysql, {text, size}, caller, [&] { return call(mysql, text, size); });
}
INLENS_MYSQL_EXPORT(mysql_real_query);

INLENS_EXPORTED my_bool inlens_mysql_commit(MYSQL* mysql) {
  const void* caller = INLENS_CALLER;
  auto* call = real::mysql_commit.get(caller);
  if (call == nullptr) return kFailed;
  const Entry entry(caller);
  if (!entry.is_seen()) return call(mysql);
  return observe(mysql, "COMMIT", caller, [&] { return call(mysql); });
}
INLENS_MYSQL_EXPORT(mysql_commit);

INLENS_EXPORTED my_bool inlens_mysql_rollback(MYSQL* mysql) {
  const void* caller = INLENS_CALLER;
  auto* call = real::mysql_rollback.get(caller);
  if (call == nullptr) return kFailed;
  const Entry entry(caller);
  if (!entry.is_seen()) return call(mysql);
  return observe(mysql, "ROLLBACK", caller, [&] { return call(mysql); });
}
INLENS_MYSQL_EXPORT(mysql_rollback);

INLENS_EXPORTED my_bool inlens_mysql_autocommit(MYSQL* mysql, my_bool mode) {
  const void* caller = INLENS_CALLER;
  auto* call = real::mysql_autocommit.get(caller);
  if (call == nullptr) return kFailed;
  const Entry entry(caller);
  if (!entry.is_seen()) return call(mysql, mode);
  return observe(mysql, mode != 0 ? "SET autocommit=1" : "SET autocommit=0", caller,
                 [&] { return call(mysql, mode); });
}
INLENS_MYSQL_EXPORT(mysql_autocommit);

INLENS_EXPORTED int inlens_mysql_set_character_set(MYSQL* mysql, const char* name) {
  const void* caller = INLENS_CALLER;
  auto* call = real::mysql_set_character_set.get(caller);
  if (call == nullptr) return kFailed;
  const Entry entry(caller);
  if (!entry.is_seen()) return call(mysql, name);
  char text[64];
  const int size = std::snprintf(text, sizeof(text), "SET NAMES %.32s", name != nullptr ? name : "");
  return observe(mysql, {text, static_cast<std::size_t>(size)}, caller, [&] { return call(mysql, name); });
}
INLENS_MYSQL_EXPORT(mysql_set_character_set);

INLENS_EXPORTED MYSQL_RES* inlens_mysql_list_dbs(MYSQL* mysql, const char* like) {
  const void* caller = INLENS_CALLER;
  auto* call = real::mysql_list_dbs.get(caller);
  if (call == nullptr) return nullptr;
  const Entry entry(caller);
  if (!entry.is_seen()) return call(mysql, like);
  return observe_listing(mysql, "SHOW DATABASES", caller, [&] { return call(mysql, like); });
}
INLENS_MYSQL_EXPORT(mysql_list_dbs);

INLENS_EXPORTED MYSQL_RES* inlens_mysql_list_tables(MYSQL* mysql, const char* like) {
  const void* caller = INLENS_CALLER;
  auto* call = real::mysql_list_tables.get(caller);
  if (call == nullptr) return nullptr;
  const Entry entry(caller);
  if (!entry.is_seen()) return call(mysql, like);
  return observe_listing(mysql, "SHOW TABLES", caller, [&] { return call(mysql, like); });
}
INLENS_MYSQL_EXPORT(mysql_list_tables);

// The statement is on its way; mysql_read_query_result takes the answer.
INLENS_EXPORTED int inlens_mysql_send_query(MYSQL* mysql, const char* text, unsigned long size) {
  const void* caller = INLENS_CALLER;
  auto* call = real::mysql_send_query.get(caller);
  if (call == nullptr) return kFailed;
  const Entry entry(caller);
  if (!entry.is_seen()) return call(mysql, text, size);
  InUse connection(mysql);
  Run& run = connection->run;
  run.begin(connection->handle, {text, size}, connection->target(), caller);
  Crossing crossing(run);
  const int failed = call(mysql, text, size);
  crossing.returned();
  if (failed != 0) run.fail(failure_of(mysql));
  return failed;
}
INLENS_MYSQL_EXPORT(mysql_send_query);

INLENS_EXPORTED my_bool inlens_mysql_read_query_result(MYSQL* mysql) {
  const void* caller = INLENS_CALLER;
  auto* call = real::mysql_read_query_result.get(caller);
  if (call == nullptr) return kFailed;
  const Entry entry(caller);
  Run* run = entry.is_seen() ? open_run(mysql) : nullptr;
  if (run == nullptr) return call(mysql);
  Crossing crossing(*run);
  const my_bool failed = call(mysql);
  crossing.returned();
  run->executed();
  if (failed != 0) {
    run->fail(failure_of(mysql));
  } else {
    take_answer(mysql, *run);
  }
  return failed;
}
INLENS_MYSQL_EXPORT(mysql_read_query_result);

INLENS_EXPORTED MYSQL_RES* inlens_mysql_store_result(MYSQL* mysql) {
  const void* caller = INLENS_CALLER;
  auto* call = real::mysql_store_result.get(caller);
  if (call == nullptr) return nullptr;
  const Entry entry(caller);
  Run* run = entry.is_seen() ? open_run(mysql) : nullptr;
  if (run == nullptr) return call(mysql);
  Crossing crossing(*run);
  MYSQL_RES* result = call(mysql);
  run->add_reading(crossing.returned());
  if (result != nullptr) {
    run->add_rows(library().num_rows(result));
    end_unless_more(mysql, *run);
  } else if (library().error_number(mysql) != 0) {
    run->fail(failure_of(mysql));
  }
  return result;
}
INLENS_MYSQL_EXPORT(mysql_store_result);

INLENS_EXPORTED MYSQL_RES* inlens_mysql_use_result(MYSQL* mysql) {
  const void* caller = INLENS_CALLER;
  auto* call = real::mysql_use_result.get(caller);
  if (call == nullptr) return nullptr;
  const Entry entry(caller);
  Run* run = entry.is_seen() ? open_run(mysql) : nullptr;
  if (run == nullptr) return call(mysql);
  Crossing crossing(*run);
  MYSQL_RES* result = call(mysql);
  run->add_reading(crossing.returned());
  if (result == nullptr && library().error_number(mysql) != 0) run->fail(failure_of(mysql));
  return result;
}
INLENS_MYSQL_EXPORT(mysql_use_result);

INLENS_EXPORTED MYSQL_ROW inlens_mysql_fetch_row(MYSQL_RES* result) {
  const void* caller = INLENS_CALLER;
  auto* call = real::mysql_fetch_row.get(caller);
  if (call == nullptr) return nullptr;
  // Rows that are stored already have been counted. The struct is known to be libmariadb's behind the first
  // test alone.
  if (!library(caller).usable || result == nullptr || result->handle == nullptr) return call(result);
  const Entry entry(caller);
  MYSQL* mysql = result->handle;
  Run* run = entry.is_seen() ? open_run(mysql) : nullptr;
  if (run == nullptr) return call(result);
  Crossing crossing(*run);
  const MYSQL_ROW row = call(result);
  run->add_reading(crossing.returned());
  if (row != nullptr) {
    run->add_rows(1);
  } else if (library().error_number(mysql) != 0) {
    run->fail(failure_of(mysql));
  } else {
    end_unless_more(mysql, *run);
  }
  return row;
}
INLENS_MYSQL_EXPORT(mysql_fetch_row);

// Reads what the host has left unread.
INLENS_EXPORTED void inlens_mysql_free_result(MYSQL_RES* result) {
  const void* caller = INLENS_CALLER;
  auto* call = real::mysql_free_result.get(caller);
  if (call == nullptr) return;
  if (!library(caller).usable || result == nullptr || result->handle == nullptr) return call(result);
  const Entry entry(caller);
  MYSQL* mysql = result->handle;
  Run* run = entry.is_seen() ? open_run(mysql) : nullptr;
  if (run == nullptr) return call(result);
  Crossing crossing(*run);
  call(result);
  run->add_reading(crossing.returned());
  end_unless_more(mysql, *run);
}
INLENS_MYSQL_EXPORT(mysql_free_result);

INLENS_EXPORTED int inlens_mysql_next_result(MYSQL* mysql) {
  const void* caller = INLENS_CALLER;
  auto* call = real::mysql_next_result.get(caller);
  if (call == nullptr) return kFailed;
  const Entry entry(caller);
  Run* run = entry.is_seen() ? open_run(mysql) : nullptr;
  if (run == nullptr) return call(mysql);
  Crossing crossing(*run);
  const int status = call(mysql);
  run->add_execution(crossing.returned());
  if (status > 0) {
    run->fail(failure_of(mysql));
  } else if (status < 0) {
    run->end();
  } else {
    take_answer(mysql, *run);
  }
  return status;
}
INLENS_MYSQL_EXPORT(mysql_next_result);
