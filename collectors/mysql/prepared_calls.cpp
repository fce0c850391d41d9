// Interposed: prepared statements. The text is kept with the handle; preparing one is no statement of its
// own, unless it fails.
#include "collectors/mysql/interposed.hpp"
#include "collectors/mysql/state.hpp"
#include "collectors/preload/cycles.hpp"

using namespace inlens::mysql;

namespace {

constexpr int kFailed = 1;

namespace real {
constinit INLENS_MYSQL_REAL(mysql_stmt_init);
constinit INLENS_MYSQL_REAL(mysql_stmt_prepare);
constinit INLENS_MYSQL_REAL(mysql_stmt_execute);
constinit INLENS_MYSQL_REAL(mysql_stmt_store_result);
constinit INLENS_MYSQL_REAL(mysql_stmt_fetch);
constinit INLENS_MYSQL_REAL(mysql_stmt_free_result);
constinit INLENS_MYSQL_REAL(mysql_stmt_reset);
constinit INLENS_MYSQL_REAL(mysql_stmt_next_result);
constinit INLENS_MYSQL_REAL(mysql_stmt_close);
constinit inlens::preload::RealVersion<decltype(::mariadb_stmt_execute_direct)> mariadb_stmt_execute_direct{
    kSoname, "mariadb_stmt_execute_direct", kOwnVersion};
}  // namespace real

Failure failure_of(MYSQL_STMT* stmt) {
  const Library& used = library();
  return {used.stmt_error_number(stmt), used.stmt_sqlstate(stmt), used.stmt_error(stmt)};
}

Run* open_run(MYSQL_STMT* stmt) {
  Prepared* prepared = g_prepared.find(stmt);
  return prepared != nullptr && prepared->run.is_open() ? &prepared->run : nullptr;
}

void end_unless_more(MYSQL_STMT* stmt, Run& run) {
  if (!library().stmt_more_results(stmt)) run.end();
}

void take_answer(MYSQL_STMT* stmt, Run& run) {
  const Library& used = library();
  if (used.stmt_field_count(stmt) != 0) return;
  run.add_rows(used.stmt_affected_rows(stmt));
  end_unless_more(stmt, run);
}

std::string_view target_of(MYSQL* mysql, inlens_connection& handle) {
  Connection* connection = g_connections.find(mysql);
  if (connection == nullptr) return {};
  handle = connection->handle;
  return connection->target();
}

template <class Call>
int observe(MYSQL_STMT* stmt, Run& run, MYSQL* mysql, std::string_view text, const void* caller, Call call) {
  inlens_connection handle = INLENS_NONE;
  const std::string_view target = target_of(mysql, handle);
  run.begin(handle, text, target, caller);
  Crossing crossing(run);
  const int failed = call();
  crossing.returned();
  run.executed();
  if (failed != 0) {
    run.fail(failure_of(stmt));
  } else {
    take_answer(stmt, run);
  }
  return failed;
}

// A call that gives up what is left of a result.
template <class Call>
my_bool observe_end(MYSQL_STMT* stmt, Run& run, Call call) {
  Crossing crossing(run);
  const my_bool failed = call();
  run.add_reading(crossing.returned());
  if (run.is_open()) end_unless_more(stmt, run);
  return failed;
}

}  // namespace

INLENS_EXPORTED MYSQL_STMT* inlens_mysql_stmt_init(MYSQL* mysql) {
  const void* caller = INLENS_CALLER;
  auto* call = real::mysql_stmt_init.get(caller);
  if (call == nullptr) return nullptr;
  MYSQL_STMT* stmt = call(mysql);
  const Entry entry(caller);
  if (stmt != nullptr && entry.is_seen()) {
    if (Prepared* prepared = g_prepared.add(stmt)) prepared->mysql = mysql;
  }
  return stmt;
}
INLENS_MYSQL_EXPORT(mysql_stmt_init);

INLENS_EXPORTED int inlens_mysql_stmt_prepare(MYSQL_STMT* stmt, const char* text, unsigned long size) {
  const void* caller = INLENS_CALLER;
  auto* call = real::mysql_stmt_prepare.get(caller);
  if (call == nullptr) return kFailed;
  const Entry entry(caller);
  if (!entry.is_seen()) return call(stmt, text, size);
  Prepared* prepared = g_prepared.add(stmt);
  if (prepared != nullptr && prepared->run.is_open()) prepared->run.end();
  const std::uint64_t since = inlens::preload::cycles();
  const int failed = call(stmt, text, size);
  const std::string_view given =
      size == static_cast<unsigned long>(-1) ? std::string_view(text) : std::string_view(text, size);
  if (failed != 0) {
    inlens_connection handle = INLENS_NONE;
    const std::string_view target =
        prepared != nullptr ? target_of(prepared->mysql, handle) : std::string_view();
    report_failed(given, target, caller, failure_of(stmt), inlens::preload::cycles_since(since));
  }
  if (prepared != nullptr) prepared->keep(given);
  return failed;
}
INLENS_MYSQL_EXPORT(mysql_stmt_prepare);

INLENS_EXPORTED int inlens_mysql_stmt_execute(MYSQL_STMT* stmt) {
  const void* caller = INLENS_CALLER;
  auto* call = real::mysql_stmt_execute.get(caller);
  if (call == nullptr) return kFailed;
  const Entry entry(caller);
  if (!entry.is_seen()) return call(stmt);
  if (Prepared* prepared = g_prepared.find(stmt))
    return observe(stmt, prepared->run, prepared->mysql, prepared->text(), caller,
                   [&] { return call(stmt); });
  // Prepared before it could be seen, or more of them than the table holds.
  lose_one();
  Run run;
  const int failed = observe(stmt, run, nullptr, {}, caller, [&] { return call(stmt); });
  if (run.is_open()) run.end();
  return failed;
}
INLENS_MYSQL_EXPORT(mysql_stmt_execute);

// Prepares and executes in one round trip.
INLENS_EXPORTED int inlens_mariadb_stmt_execute_direct(MYSQL_STMT* stmt, const char* text, size_t size) {
  const void* caller = INLENS_CALLER;
  auto* call = real::mariadb_stmt_execute_direct.get(caller);
  if (call == nullptr) return kFailed;
  const Entry entry(caller);
  Prepared* prepared = entry.is_seen() ? g_prepared.add(stmt) : nullptr;
  if (prepared == nullptr) return call(stmt, text, size);
  const std::string_view given =
      size == static_cast<std::size_t>(-1) ? std::string_view(text) : std::string_view(text, size);
  prepared->keep(given);
  return observe(stmt, prepared->run, prepared->mysql, given, caller, [&] { return call(stmt, text, size); });
}
INLENS_VERSIONED(inlens_mariadb_stmt_execute_direct, mariadb_stmt_execute_direct, "@@libmariadb_3");

INLENS_EXPORTED int inlens_mysql_stmt_store_result(MYSQL_STMT* stmt) {
  const void* caller = INLENS_CALLER;
  auto* call = real::mysql_stmt_store_result.get(caller);
  if (call == nullptr) return kFailed;
  const Entry entry(caller);
  Run* run = entry.is_seen() ? open_run(stmt) : nullptr;
  if (run == nullptr) return call(stmt);
  Crossing crossing(*run);
  const int failed = call(stmt);
  run->add_reading(crossing.returned());
  if (failed != 0) {
    run->fail(failure_of(stmt));
  } else {
    run->add_rows(library().stmt_num_rows(stmt));
    end_unless_more(stmt, *run);
  }
  return failed;
}
INLENS_MYSQL_EXPORT(mysql_stmt_store_result);

INLENS_EXPORTED int inlens_mysql_stmt_fetch(MYSQL_STMT* stmt) {
  const void* caller = INLENS_CALLER;
  auto* call = real::mysql_stmt_fetch.get(caller);
  if (call == nullptr) return kFailed;
  // Rows that are stored already have been counted.
  if (open_run(stmt) == nullptr) return call(stmt);
  const Entry entry(caller);
  Run* run = entry.is_seen() ? open_run(stmt) : nullptr;
  if (run == nullptr) return call(stmt);
  Crossing crossing(*run);
  const int status = call(stmt);
  run->add_reading(crossing.returned());
  if (status == 0 || status == MYSQL_DATA_TRUNCATED) {
    run->add_rows(1);
  } else if (status == MYSQL_NO_DATA) {
    end_unless_more(stmt, *run);
  } else {
    run->fail(failure_of(stmt));
  }
  return status;
}
INLENS_MYSQL_EXPORT(mysql_stmt_fetch);

INLENS_EXPORTED int inlens_mysql_stmt_next_result(MYSQL_STMT* stmt) {
  const void* caller = INLENS_CALLER;
  auto* call = real::mysql_stmt_next_result.get(caller);
  if (call == nullptr) return kFailed;
  const Entry entry(caller);
  Run* run = entry.is_seen() ? open_run(stmt) : nullptr;
  if (run == nullptr) return call(stmt);
  Crossing crossing(*run);
  const int status = call(stmt);
  run->add_execution(crossing.returned());
  if (status > 0) {
    run->fail(failure_of(stmt));
  } else if (status < 0) {
    run->end();
  } else {
    take_answer(stmt, *run);
  }
  return status;
}
INLENS_MYSQL_EXPORT(mysql_stmt_next_result);

INLENS_EXPORTED my_bool inlens_mysql_stmt_free_result(MYSQL_STMT* stmt) {
  const void* caller = INLENS_CALLER;
  auto* call = real::mysql_stmt_free_result.get(caller);
  if (call == nullptr) return kFailed;
  const Entry entry(caller);
  Run* run = entry.is_seen() ? open_run(stmt) : nullptr;
  if (run == nullptr) return call(stmt);
  return observe_end(stmt, *run, [&] { return call(stmt); });
}
INLENS_MYSQL_EXPORT(mysql_stmt_free_result);

INLENS_EXPORTED my_bool inlens_mysql_stmt_reset(MYSQL_STMT* stmt) {
  const void* caller = INLENS_CALLER;
  auto* call = real::mysql_stmt_reset.get(caller);
  if (call == nullptr) return kFailed;
  const Entry entry(caller);
  Run* run = entry.is_seen() ? open_run(stmt) : nullptr;
  if (run == nullptr) return call(stmt);
  return observe_end(stmt, *run, [&] { return call(stmt); });
}
INLENS_MYSQL_EXPORT(mysql_stmt_reset);

// Seen at every level, as the memory may be another statement's right afterwards.
INLENS_EXPORTED my_bool inlens_mysql_stmt_close(MYSQL_STMT* stmt) {
  const void* caller = INLENS_CALLER;
  auto* call = real::mysql_stmt_close.get(caller);
  if (call == nullptr) return kFailed;
  if (Prepared* prepared = g_prepared.find(stmt)) {
    if (prepared->run.is_open()) prepared->run.end();
    g_prepared.remove(stmt);
  }
  return call(stmt);
}
INLENS_MYSQL_EXPORT(mysql_stmt_close);
