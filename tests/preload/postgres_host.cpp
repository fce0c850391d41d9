// A program on libpq that knows nothing of Inlens: postgres_host CONNINFO WHAT [COUNT]
//
// It does one thing, prints what came of it, then "held", and stays until its standard input ends, so that a
// console inside of it can be asked. Its output is the same on every run.
#include <libpq-fe.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

const char* g_info = "";
int g_count = 0;

class Connection {
 public:
  Connection() : connection_(PQconnectdb(g_info)) {
    if (PQstatus(connection_) != CONNECTION_OK) throw std::runtime_error(PQerrorMessage(connection_));
    PQsetNoticeProcessor(
        connection_, [](void*, const char*) {}, nullptr);
  }
  ~Connection() { PQfinish(connection_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  operator PGconn*() const { return connection_; }

 private:
  PGconn* connection_;
};

void show(const char* name, PGresult* result) {
  const char* code = result == nullptr ? nullptr : PQresultErrorField(result, PG_DIAG_SQLSTATE);
  std::printf("%s: %s rows %d changed '%s' code %s\n", name,
              result == nullptr ? "NULL" : PQresStatus(PQresultStatus(result)), PQntuples(result),
              result == nullptr ? "" : PQcmdTuples(result), code == nullptr ? "-" : code);
  PQclear(result);
}

void run(PGconn* connection, const char* sql) {
  show("exec", PQexec(connection, sql));
}

// Waits as an event loop does, then takes every result.
void take_results(PGconn* connection) {
  while (PQisBusy(connection) != 0) {
    pollfd readable{PQsocket(connection), POLLIN, 0};
    poll(&readable, 1, -1);
    if (PQconsumeInput(connection) == 0) break;
  }
  while (PGresult* result = PQgetResult(connection)) show("result", result);
}

void async() {
  Connection connection;
  PQsendQuery(connection, "SELECT * FROM generate_series(1, 30)");
  take_results(connection);
  PQsendQuery(connection, "SELECT 1; SELECT * FROM generate_series(1, 2); UPDATE things SET size = size");
  take_results(connection);
  const char* values[] = {"3"};
  PQsendQueryParams(connection, "DELETE FROM things WHERE id > 1000 + $1::int", 1, nullptr, values, nullptr,
                    nullptr, 0);
  take_results(connection);
  PQsendQuery(connection, "SELECT missing FROM things");
  take_results(connection);
  // A second command before the first one's answer is refused, and the first one goes on.
  PQsendQuery(connection, "SELECT 'first'");
  std::printf("second: %d\n", PQsendQuery(connection, "SELECT 'second'"));
  take_results(connection);
  // What is left unread is thrown away by the next command.
  PQsendQuery(connection, "SELECT 'unread'");
  run(connection, "SELECT 'after unread'");
}

void pipeline() {
  Connection connection;
  PQenterPipelineMode(connection);
  const auto send = [&](const char* sql, const char* value) {
    PQsendQueryParams(connection, sql, 1, nullptr, &value, nullptr, nullptr, 0);
  };
  for (int round = 0; round < 40; ++round) send("SELECT generate_series(1, $1::int)", "5");
  PQpipelineSync(connection);
  send("UPDATE things SET size = size + $1::int", "1");
  send("SELECT 1 / $1::int", "0");
  send("SELECT 'skipped', $1::text", "x");
  PQpipelineSync(connection);
  int nulls = 0;
  std::map<std::string, int> results;
  for (int syncs = 0; syncs < 2;) {
    PGresult* result = PQgetResult(connection);
    if (result == nullptr) {
      ++nulls;
      continue;
    }
    if (PQresultStatus(result) == PGRES_PIPELINE_SYNC) ++syncs;
    const char* code = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    ++results[std::string(PQresStatus(PQresultStatus(result))) + (code == nullptr ? "" : code)];
    PQclear(result);
  }
  for (const auto& [status, times] : results) std::printf("%s %d\n", status.c_str(), times);
  std::printf("nulls %d left %d\n", nulls, PQexitPipelineMode(connection));
  run(connection, "SELECT 'after the pipeline'");
}

// More commands than the collector keeps apart.
void long_pipeline() {
  Connection connection;
  PQsetnonblocking(connection, 1);
  PQenterPipelineMode(connection);
  for (int round = 0; round < 3000; ++round)
    PQsendQueryParams(connection, "SELECT 'long'", 0, nullptr, nullptr, nullptr, nullptr, 0);
  PQsendQueryParams(connection, "SELECT 1 / 0", 0, nullptr, nullptr, nullptr, nullptr, 0);
  PQpipelineSync(connection);
  while (PQflush(connection) == 1) {
    pollfd ready{PQsocket(connection), POLLIN | POLLOUT, 0};
    poll(&ready, 1, -1);
    PQconsumeInput(connection);
  }
  int rows = 0;
  bool is_over = false;
  while (!is_over) {
    PGresult* result = PQgetResult(connection);
    rows += PQntuples(result);
    is_over = PQresultStatus(result) == PGRES_PIPELINE_SYNC;
    PQclear(result);
  }
  std::printf("rows %d left %d\n", rows, PQexitPipelineMode(connection));
  run(connection, "SELECT 'after the long pipeline'");
}

void single_rows() {
  Connection connection;
  PQsendQuery(connection, "SELECT repeat('x', 100) FROM generate_series(1, 5000)");
  PQsetSingleRowMode(connection);
  int rows = 0;
  while (PGresult* result = PQgetResult(connection)) {
    rows += PQntuples(result);
    PQclear(result);
  }
  std::printf("rows %d\n", rows);
}

void cancel() {
  Connection connection;
  PQsendQuery(connection, "SELECT pg_sleep(60)");
  PGcancel* handle = PQgetCancel(connection);
  char problem[256];
  std::printf("cancel %d\n", PQcancel(handle, problem, sizeof(problem)));
  PQfreeCancel(handle);
  take_results(connection);
  run(connection, "SELECT 'after the cancel'");
}

void prepared() {
  Connection connection;
  show("prepare", PQprepare(connection, "by id", "SELECT * FROM things WHERE id = $1", 0, nullptr));
  const char* values[] = {"7"};
  for (int round = 0; round < 20; ++round)
    show("exec", PQexecPrepared(connection, "by id", 1, values, nullptr, nullptr, 0));
  show("describe", PQdescribePrepared(connection, "by id"));
  show("describe", PQdescribePrepared(connection, "unknown"));
  show("prepare", PQprepare(connection, "bad", "SELECT nothing FROM nowhere", 0, nullptr));
  show("prepare", PQprepare(connection, "by id", "SELECT 'other'", 0, nullptr));
  show("exec", PQexecPrepared(connection, "by id", 1, values, nullptr, nullptr, 0));
  PQsendPrepare(connection, "", "SELECT count(*) FROM things WHERE size > $1", 0, nullptr);
  take_results(connection);
  PQsendDescribePrepared(connection, "");
  take_results(connection);
  PQsendQueryPrepared(connection, "", 1, values, nullptr, nullptr, 0);
  take_results(connection);
  show("exec", PQexecPrepared(connection, "unknown", 0, nullptr, nullptr, nullptr, 0));
  run(connection, "PREPARE by_sql AS SELECT 'by sql'");
  show("exec", PQexecPrepared(connection, "by_sql", 0, nullptr, nullptr, nullptr, 0));
  // As many as no table keeps.
  for (int number = 0; number < 1000; ++number) {
    const std::string name = "n" + std::to_string(number);
    PQclear(PQprepare(connection, name.c_str(), "SELECT 'of a thousand'", 0, nullptr));
  }
  show("exec", PQexecPrepared(connection, "n999", 0, nullptr, nullptr, nullptr, 0));
}

void copy() {
  Connection connection;
  run(connection, "COPY things (id, size) FROM STDIN");
  for (int id = 2000; id < 2100; ++id) {
    const std::string line = std::to_string(id) + "\t1\n";
    PQputCopyData(connection, line.data(), static_cast<int>(line.size()));
  }
  PQputCopyEnd(connection, nullptr);
  take_results(connection);
  run(connection, "COPY things (id, size) FROM STDIN");
  PQputCopyData(connection, "x\ty\n", 4);
  PQputCopyEnd(connection, nullptr);
  take_results(connection);
  run(connection, "COPY things (id, size) FROM STDIN");
  PQputCopyEnd(connection, "given up");
  take_results(connection);
  PQsendQuery(connection, "COPY (SELECT * FROM generate_series(1, 20000)) TO STDOUT");
  show("result", PQgetResult(connection));
  char* line = nullptr;
  int lines = 0;
  while (PQgetCopyData(connection, &line, 0) > 0) {
    ++lines;
    PQfreemem(line);
  }
  std::printf("lines %d\n", lines);
  take_results(connection);
  run(connection, "DELETE FROM things WHERE id >= 2000");
}

void threads() {
  std::atomic<int> failures{0};
  std::vector<std::thread> workers;
  for (int number = 0; number < 8; ++number)
    workers.emplace_back([&] {
      Connection connection;
      for (int round = 0; round < g_count; ++round) {
        PGresult* result = PQexec(connection, "SELECT 1");
        if (PQntuples(result) != 1) ++failures;
        PQclear(result);
      }
    });
  for (std::thread& worker : workers) worker.join();
  std::printf("failures %d\n", failures.load());
}

void cancelled_thread() {
  Connection connection;
  Connection other;
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void* given) -> void* {
        PQexec(static_cast<PGconn*>(given), "SELECT pg_sleep(60), 'in a cancelled thread'");
        return nullptr;
      },
      static_cast<PGconn*>(connection));
  // Until the statement is under way.
  const char* running =
      "SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(60), %cancelled%'"
      " AND state = 'active' AND wait_event = 'PgSleep'";
  for (bool is_running = false; !is_running;) {
    PGresult* result = PQexec(other, running);
    is_running = PQntuples(result) > 0;
    PQclear(result);
  }
  pthread_cancel(thread);
  void* left = nullptr;
  pthread_join(thread, &left);
  std::printf("cancelled %d\n", left == PTHREAD_CANCELED ? 1 : 0);
  PGcancel* handle = PQgetCancel(connection);
  char problem[256];
  PQcancel(handle, problem, sizeof(problem));
  PQfreeCancel(handle);
  run(other, "SELECT 'after the cancelled thread'");
}

void throwing() {
  Connection connection;
  PQsetNoticeProcessor(
      connection, [](void*, const char*) { throw std::runtime_error("from the notice processor"); }, nullptr);
  for (int round = 0; round < 2; ++round) {
    try {
      run(connection, "DO $$ BEGIN RAISE NOTICE 'thrown at'; END $$");
    } catch (const std::runtime_error& error) {
      std::printf("caught %s\n", error.what());
    }
    PQreset(connection);
  }
  PQsetNoticeProcessor(
      connection, [](void*, const char*) {}, nullptr);
  run(connection, "DO $$ BEGIN RAISE WARNING 'careful: password=hunter2'; RAISE NOTICE 'by the way'; END $$");
  run(connection, "SELECT 'after the exception'");
}

std::jmp_buf g_jump;

void jumping() {
  Connection connection;
  PQsetNoticeProcessor(
      connection, [](void*, const char*) { std::longjmp(g_jump, 1); }, nullptr);
  if (setjmp(g_jump) == 0) {
    run(connection, "DO $$ BEGIN RAISE NOTICE 'jumped from'; END $$");
  } else {
    std::printf("jumped\n");
  }
  PQreset(connection);
  run(connection, "SELECT 'after the jump'");
}

// A callback that uses another connection, inside of a statement.
void nested() {
  Connection connection;
  Connection other;
  PQsetNoticeProcessor(
      connection,
      [](void* given, const char*) { run(static_cast<PGconn*>(given), "SELECT 'from a callback'"); },
      static_cast<PGconn*>(other));
  run(connection, "DO $$ BEGIN RAISE NOTICE 'calls back'; END $$");
}

void shared() {
  Connection connection;
  std::mutex mutex;
  std::vector<std::thread> workers;
  for (int number = 0; number < 2; ++number)
    workers.emplace_back([&] {
      for (int round = 0; round < 500; ++round) {
        const std::lock_guard lock(mutex);
        PQclear(PQexec(connection, "SELECT 'shared'"));
      }
    });
  for (std::thread& worker : workers) worker.join();
  // Sent here, answered there.
  PQsendQuery(connection, "SELECT 'sent here'");
  std::thread([&] { take_results(connection); }).join();
  // What this thread does a second later comes into a new record.
  usleep(1'100'000);
  run(connection, "SELECT 'later'");
}

void large() {
  Connection connection;
  const std::string sql = "SELECT length('" + std::string(10u << 20, 'x') + "')";
  run(connection, sql.c_str());
}

void nothing() {
  show("no connection", PQexec(nullptr, "SELECT 1"));
  std::printf("no connection %d\n", PQsendQuery(nullptr, "SELECT 1"));
  show("no connection", PQgetResult(nullptr));
  PQfinish(nullptr);
  PQclear(nullptr);
  Connection connection;
  show("no text", PQexec(connection, nullptr));
  show("no name", PQexecPrepared(connection, nullptr, 0, nullptr, nullptr, nullptr, 0));
  show("no text", PQprepare(connection, "x", nullptr, 0, nullptr));
  run(connection, "");
  run(connection, "\xff\xfe '\x01");
  run(connection, "SELECT pg_terminate_backend(pg_backend_pid())");
  run(connection, "SELECT 'on a dead connection'");
}

void connections() {
  PGconn* slow = PQconnectStart(g_info);
  PostgresPollingStatusType status = PGRES_POLLING_WRITING;
  while (status == PGRES_POLLING_READING || status == PGRES_POLLING_WRITING) {
    pollfd ready{PQsocket(slow), static_cast<short>(status == PGRES_POLLING_READING ? POLLIN : POLLOUT), 0};
    poll(&ready, 1, -1);
    status = PQconnectPoll(slow);
  }
  std::printf("polled %d\n", PQstatus(slow) == CONNECTION_OK);
  run(slow, "SELECT 'polled'");
  PQreset(slow);
  run(slow, "SELECT 'reset'");
  PQfinish(slow);
  PGconn* refused = PQconnectdb("host=127.0.0.1 port=1 dbname=nowhere user=u password=secret");
  std::printf("refused %d\n", PQstatus(refused) == CONNECTION_BAD);
  PQfinish(refused);
  std::printf("ping %d\n", PQping(g_info));
  std::vector<PGconn*> kept;
  for (int number = 0; number < 3; ++number) kept.push_back(PQconnectdb(g_info));
  std::printf("held\n");
  std::fflush(stdout);
  char byte;
  while (read(0, &byte, 1) > 0) {
  }
  for (PGconn* connection : kept) PQfinish(connection);
}

const std::map<std::string, std::function<void()>> kWork = {
    {"async", async},
    {"pipeline", pipeline},
    {"long-pipeline", long_pipeline},
    {"single-rows", single_rows},
    {"cancel", cancel},
    {"prepared", prepared},
    {"copy", copy},
    {"threads", threads},
    {"cancelled-thread", cancelled_thread},
    {"throwing", throwing},
    {"jumping", jumping},
    {"nested", nested},
    {"shared", shared},
    {"large", large},
    {"nothing", nothing},
    {"connections", connections},
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || kWork.count(argv[2]) == 0) return 2;
  g_info = argv[1];
  g_count = argc > 3 ? std::atoi(argv[3]) : 0;
  try {
    kWork.at(argv[2])();
  } catch (const std::exception& error) {
    std::printf("failed: %s\n", error.what());
    return 1;
  }
  std::printf("held\n");
  std::fflush(stdout);
  char byte;
  while (read(0, &byte, 1) > 0) {
  }
  return 0;
}
