// A program that uses SQLite in the ways that programs do, and in those that they should not. It knows
// nothing of Inlens; what it prints is the same with Inlens in front of its library.  sqlite_host MODE
// [NUMBER…]
#include <pthread.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr const char* kTable = "create table t(a integer primary key, b text)";

sqlite3* open_memory() {
  sqlite3* connection = nullptr;
  std::printf("open %d\n", sqlite3_open(":memory:", &connection));
  return connection;
}

void run(sqlite3* connection, const char* sql) {
  std::printf("exec %d\n", sqlite3_exec(connection, sql, nullptr, nullptr, nullptr));
}

sqlite3_stmt* prepare(sqlite3* connection, const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  const int code =
      sqlite3_prepare_v2(connection, sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  if (code != SQLITE_OK) std::printf("prepare %d %s\n", code, sqlite3_errmsg(connection));
  return statement;
}

// Steps to the end; the last answer.
int finish(sqlite3_stmt* statement) {
  int code = sqlite3_step(statement);
  while (code == SQLITE_ROW) code = sqlite3_step(statement);
  return code;
}

void insert_and_select(sqlite3* connection, int count) {
  sqlite3_stmt* insert = prepare(connection, "insert into t(b) values(?)");
  sqlite3_stmt* select = prepare(connection, "select b from t where a = ?");
  for (int i = 0; i < count / 2; ++i) {
    sqlite3_bind_int(insert, 1, i);
    if (sqlite3_step(insert) != SQLITE_DONE) std::printf("insert: %s\n", sqlite3_errmsg(connection));
    sqlite3_reset(insert);
    sqlite3_bind_int64(select, 1, sqlite3_last_insert_rowid(connection));
    if (finish(select) != SQLITE_DONE) std::printf("select: %s\n", sqlite3_errmsg(connection));
    sqlite3_reset(select);
  }
  sqlite3_finalize(insert);
  sqlite3_finalize(select);
}

// NUMBER threads, NUMBER statements each, a connection a thread. The time goes to standard error.
void threads(int count, int statements) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::thread> all;
  for (int i = 0; i < count; ++i) {
    all.emplace_back([=] {
      sqlite3* connection = nullptr;
      sqlite3_open(":memory:", &connection);
      sqlite3_exec(connection, kTable, nullptr, nullptr, nullptr);
      insert_and_select(connection, statements);
      sqlite3_close(connection);
    });
  }
  for (std::thread& thread : all) thread.join();
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  std::fprintf(stderr, "%.1f ms\n", took.count());
}

// The same on one connection.
void shared(int count, int statements) {
  sqlite3* connection = open_memory();
  run(connection, kTable);
  std::vector<std::thread> all;
  for (int i = 0; i < count; ++i) all.emplace_back([=] { insert_and_select(connection, statements); });
  for (std::thread& thread : all) thread.join();
  std::printf("close %d\n", sqlite3_close(connection));
}

// A loop over rows that are steps of one statement each: what is counted per row.
void rows(int count) {
  sqlite3* connection = open_memory();
  sqlite3_stmt* numbers = prepare(
      connection, "with recursive n(i) as (select 1 union all select i + 1 from n limit ?1) select i from n");
  sqlite3_bind_int(numbers, 1, count);
  std::printf("rows end with %d\n", finish(numbers));
  sqlite3_finalize(numbers);
  sqlite3_close(connection);
}

int note(unsigned kind, void* counts, void*, void*) {
  ++static_cast<int*>(counts)[kind];
  return 0;
}

// The host's own trace callbacks.
void trace() {
  sqlite3* connection = open_memory();
  int counts[16] = {};
  sqlite3_trace_v2(connection, SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE | SQLITE_TRACE_ROW, note, counts);
  run(connection, kTable);
  insert_and_select(connection, 20);
  std::printf("traced %d statements, %d profiles, %d rows\n", counts[SQLITE_TRACE_STMT],
              counts[SQLITE_TRACE_PROFILE], counts[SQLITE_TRACE_ROW]);
  int profiled = 0;
  sqlite3_trace_v2(connection, 0, nullptr, nullptr);
  sqlite3_profile(
      connection, [](void* count, const char*, sqlite3_uint64) { ++*static_cast<int*>(count); }, &profiled);
  insert_and_select(connection, 20);
  std::printf("profiled %d\n", profiled);
  sqlite3_close(connection);
}

// Statements that are left in the middle, or never come to an end.
void partial() {
  sqlite3* connection = open_memory();
  run(connection, kTable);
  run(connection, "insert into t(b) values('x'), ('y'), ('z')");
  sqlite3_stmt* select = prepare(connection, "select a from t order by a");
  std::printf("step %d\n", sqlite3_step(select));
  std::printf("step %d\n", sqlite3_step(select));
  std::printf("reset %d\n", sqlite3_reset(select));
  std::printf("step %d\n", sqlite3_step(select));
  std::printf("close %d\n", sqlite3_close(connection));  // refused: the statement is still there
  std::printf("finalize %d\n", sqlite3_finalize(select));
  sqlite3_stmt* returning = prepare(connection, "insert into t(b) values('v'), ('w') returning a");
  std::printf("returning ends with %d\n", finish(returning));
  sqlite3_finalize(returning);
  sqlite3_stmt* zombie = prepare(connection, "select b from t");
  std::printf("step %d\n", sqlite3_step(zombie));
  std::printf("close_v2 %d\n", sqlite3_close_v2(connection));  // waits for the statement
  std::printf("step %d\n", sqlite3_step(zombie));
  std::printf("finalize %d\n", sqlite3_finalize(zombie));
  sqlite3_stmt* kept = prepare(open_memory(), "select 1 union select 2");
  std::printf("step %d\n", sqlite3_step(kept));  // and nobody ends it
  std::fflush(stdout);
}

// A callback that runs statements of its own, and one that gives up.
void scripts() {
  sqlite3* connection = open_memory();
  run(connection, kTable);
  run(connection, "insert into t(b) values('one'); insert into t(b) values('two'); -- no more\n ");
  run(connection, "");
  run(connection,
      "insert into t(b) values('three'); insert into nowhere values(1); insert into t(b) values(4)");
  const int code = sqlite3_exec(
      connection, "select a from t",
      [](void* user, int, char** values, char**) {
        const std::string sql = std::string("update t set b = 'u' where a = ") + values[0];
        return sqlite3_exec(static_cast<sqlite3*>(user), sql.c_str(), nullptr, nullptr, nullptr);
      },
      connection, nullptr);
  std::printf("callback %d\n", code);
  std::printf("abort %d\n", sqlite3_exec(
                                connection, "select b from t", [](void*, int, char**, char**) { return 1; },
                                nullptr, nullptr));
  char** table = nullptr;
  int rows = 0, columns = 0;
  std::printf("table %d",
              sqlite3_get_table(connection, "select a, b from t", &table, &rows, &columns, nullptr));
  std::printf(" %d rows\n", rows);
  sqlite3_free_table(table);
  sqlite3_close(connection);
}

// NUMBER: a file for two connections.
void failures(const char* file) {
  sqlite3* one = nullptr;
  sqlite3* two = nullptr;
  std::printf("open %d %d\n", sqlite3_open(file, &one), sqlite3_open(file, &two));
  run(one, kTable);
  run(one, "begin immediate");
  sqlite3_stmt* blocked = prepare(two, "insert into t(b) values('blocked')");
  errno = 4711;
  std::printf("busy %d\n", sqlite3_step(blocked));
  run(one, "commit");
  std::printf("again %d\n", finish(blocked));
  sqlite3_finalize(blocked);
  run(one, "insert into t(a) values(1)");  // the key is taken
  std::printf("extended %d\n", sqlite3_extended_errcode(one));
  sqlite3_stmt* long_one =
      prepare(one, "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n");
  sqlite3_progress_handler(
      one, 1000,
      [](void* connection) {
        sqlite3_interrupt(static_cast<sqlite3*>(connection));
        return 0;
      },
      one);
  std::printf("interrupted %d\n", finish(long_one));
  sqlite3_progress_handler(one, 0, nullptr, nullptr);
  sqlite3_finalize(long_one);
  sqlite3_close(one);
  sqlite3_close(two);
  std::printf("no such place %d\n", sqlite3_open("/nonexistent/place/db", &one));
  sqlite3_close(one);
}

// Texts that no good host passes.
void texts() {
  using namespace std::string_literals;
  sqlite3* connection = open_memory();
  sqlite3_finalize(prepare(connection, "select 1\0 from nowhere"s));
  sqlite3_stmt* odd = prepare(connection, "select '\xff\xfe\xc3' as \"\xc3\x28\"");
  std::printf("odd %d\n", finish(odd));
  sqlite3_finalize(odd);
  sqlite3_stmt* nul = prepare(connection, "select 2\0 garbage"s);
  std::printf("nul %d\n", finish(nul));
  sqlite3_finalize(nul);
  prepare(connection, "select \xff\xfe from");
  sqlite3_limit(connection, SQLITE_LIMIT_SQL_LENGTH, 100'000'000);
  sqlite3_stmt* big = prepare(connection, "select length('" + std::string(10'000'000, 'x') + "')");
  std::printf("big %d", sqlite3_step(big));
  std::printf(" %d\n", sqlite3_column_int(big, 0));
  sqlite3_finalize(big);
  prepare(connection, "selec '" + std::string(10'000'000, 'y') + "'");
  sqlite3_stmt* wide = nullptr;
  std::printf("wide %d\n", sqlite3_prepare16_v2(connection, u"select 3", -1, &wide, nullptr));
  std::printf("wide %d\n", finish(wide));
  sqlite3_finalize(wide);
  std::printf("wide %d\n",
              sqlite3_prepare16_v2(connection, u"selec \xd83d\xde00 \xd83d", -1, &wide, nullptr));
  std::printf("null %d %d %d %d\n", sqlite3_step(nullptr), sqlite3_reset(nullptr), sqlite3_finalize(nullptr),
              sqlite3_close(nullptr));
  std::printf("comment %d\n", finish(prepare(connection, "-- nothing")));
  sqlite3_close(connection);
}

void throw_out(sqlite3_context*, int, sqlite3_value**) {
  throw std::runtime_error("from a function of the host's");
}

void wait_to_be_cancelled(sqlite3_context*, int, sqlite3_value**) {
  while (true) {
    pthread_testcancel();
    sched_yield();
  }
}

// A callback that throws, and a thread that is cancelled in a statement. The connection is not used again.
void left() {
  sqlite3* connection = open_memory();
  sqlite3_create_function(connection, "throws", 0, SQLITE_UTF8, nullptr, throw_out, nullptr, nullptr);
  try {
    finish(prepare(connection, "select throws()"));
  } catch (const std::runtime_error& error) {
    std::printf("caught: %s\n", error.what());
  }
  sqlite3* other = open_memory();
  sqlite3_create_function(other, "waits", 0, SQLITE_UTF8, nullptr, wait_to_be_cancelled, nullptr, nullptr);
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void* user) -> void* {
        finish(prepare(static_cast<sqlite3*>(user), "select waits()"));
        return nullptr;
      },
      other);
  pthread_cancel(thread);
  void* result = nullptr;
  pthread_join(thread, &result);
  std::printf("cancelled %d\n", result == PTHREAD_CANCELED);
  run(open_memory(), "select 4");
}

// NUMBER children, each with statements of its own.
void children(int count) {
  sqlite3* connection = open_memory();
  run(connection, kTable);
  std::fflush(stdout);
  for (int i = 0; i < count; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      run(open_memory(), kTable);
      std::fflush(stdout);
      if (i % 2 == 0) std::exit(i);
      _exit(i);
    }
    int status = 0;
    waitpid(child, &status, 0);
    std::printf("child %d\n", WEXITSTATUS(status));
    std::fflush(stdout);
  }
}

int number(char** arguments, int at) {
  return arguments[at] != nullptr ? std::atoi(arguments[at]) : 0;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string mode = count > 1 ? arguments[1] : "";
  if (mode == "threads")
    threads(number(arguments, 2), number(arguments, 3));
  else if (mode == "shared")
    shared(number(arguments, 2), number(arguments, 3));
  else if (mode == "rows")
    rows(number(arguments, 2));
  else if (mode == "trace")
    trace();
  else if (mode == "partial")
    partial();
  else if (mode == "scripts")
    scripts();
  else if (mode == "failures")
    failures(arguments[2]);
  else if (mode == "texts")
    texts();
  else if (mode == "left")
    left();
  else if (mode == "children")
    children(number(arguments, 2));
  else if (mode == "signal")
    raise(SIGTERM);
  else
    return 2;
  return 0;
}
