// Statements of eight threads, a connection each, by a program that knows nothing of Inlens:
//   inlens-statements sqlite FILE | sqlite-anew FILE | sqlite-memory | postgres CONNINFO   THREADS COUNT
// Each statement reads one row of a thousand by its key. Prints three times in nanoseconds, from the moment
// that every thread is connected and warm until the last is done: by the clock, of the threads' processors,
// and of the whole process's.
#include <libpq-fe.h>
#include <sqlite3.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr int kRows = 1000;
constexpr int kWarmUp = 200;

class Database {
 public:
  virtual ~Database() = default;
  virtual void read(int key) = 0;
};

class Sqlite : public Database {
 public:
  // `anew`: each read prepares its statement, as programs do that keep none.
  Sqlite(const std::string& file, bool anew) : anew_(anew) {
    check(sqlite3_open(file.c_str(), &connection_));
    sqlite3_busy_timeout(connection_, 30'000);
    run("create table if not exists things(id integer primary key, name text)");
    run("insert or ignore into things with recursive n(i) as (select 1 union all select i + 1 from n limit " +
        std::to_string(kRows) + ") select i, 'thing ' || i from n");
    prepare();
  }
  ~Sqlite() override {
    sqlite3_finalize(select_);
    sqlite3_close(connection_);
  }
  void read(int key) override {
    if (anew_) {
      sqlite3_finalize(select_);
      prepare();
    }
    sqlite3_bind_int(select_, 1, key);
    if (sqlite3_step(select_) != SQLITE_ROW || sqlite3_step(select_) != SQLITE_DONE) fail();
    sqlite3_reset(select_);
  }

 private:
  [[noreturn]] void fail() { throw std::runtime_error(sqlite3_errmsg(connection_)); }
  void check(int code) {
    if (code != SQLITE_OK) fail();
  }
  void prepare() {
    check(sqlite3_prepare_v2(connection_, "select name from things where id = ?", -1, &select_, nullptr));
  }
  void run(const std::string& sql) {
    check(sqlite3_exec(connection_, sql.c_str(), nullptr, nullptr, nullptr));
  }

  sqlite3* connection_ = nullptr;
  sqlite3_stmt* select_ = nullptr;
  bool anew_;
};

class Postgres : public Database {
 public:
  explicit Postgres(const std::string& info) : connection_(PQconnectdb(info.c_str())) {
    if (PQstatus(connection_) != CONNECTION_OK) throw std::runtime_error(PQerrorMessage(connection_));
    take(PQexec(connection_, "create temporary table things(id integer primary key, name text)"));
    take(PQexec(connection_, ("insert into things select i, 'thing ' || i from generate_series(1, " +
                              std::to_string(kRows) + ") i")
                                 .c_str()));
    take(PQprepare(connection_, "read", "select name from things where id = $1", 1, nullptr));
  }
  ~Postgres() override { PQfinish(connection_); }
  void read(int key) override {
    const std::string text = std::to_string(key);
    const char* values[] = {text.c_str()};
    take(PQexecPrepared(connection_, "read", 1, values, nullptr, nullptr, 0));
  }

 private:
  void take(PGresult* result) {
    const ExecStatusType status = PQresultStatus(result);
    PQclear(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
      throw std::runtime_error(PQerrorMessage(connection_));
  }

  PGconn* connection_;
};

std::unique_ptr<Database> open(std::string_view kind, const std::string& where) {
  if (kind == "postgres") return std::make_unique<Postgres>(where);
  return std::make_unique<Sqlite>(where, kind == "sqlite-anew");
}

std::int64_t wall_ns() {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

std::int64_t cpu_ns(clockid_t of) {
  timespec now{};
  clock_gettime(of, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string kind = count > 1 ? arguments[1] : "";
  if (kind == "sqlite-memory") {
    --arguments;
    ++count;
  }
  if (count != 5 ||
      (kind != "sqlite" && kind != "sqlite-anew" && kind != "sqlite-memory" && kind != "postgres")) {
    std::fputs(
        "inlens-statements sqlite FILE|sqlite-anew FILE|sqlite-memory|postgres CONNINFO THREADS COUNT\n",
        stderr);
    return 2;
  }
  const std::string where = kind == "sqlite-memory" ? ":memory:" : arguments[2];
  const int threads = std::atoi(arguments[3]), statements = std::atoi(arguments[4]);
  std::int64_t wall = 0, cpu = 0;
  std::atomic<std::int64_t> of_threads{0};
  std::barrier everybody(threads, [&]() noexcept {
    // The first time all are warm, the second time done.
    wall = wall_ns() - wall;
    cpu = cpu_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  });
  std::vector<std::thread> all;
  for (int number = 0; number < threads; ++number) {
    all.emplace_back([&, number] {
      try {
        const auto database = open(kind, where);
        for (int i = 0; i < kWarmUp; ++i) database->read(1 + i % kRows);
        everybody.arrive_and_wait();
        const std::int64_t begin = cpu_ns(CLOCK_THREAD_CPUTIME_ID);
        for (int i = 0; i < statements; ++i) database->read(1 + (i * 7 + number) % kRows);
        of_threads += cpu_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
        everybody.arrive_and_wait();
      } catch (const std::exception& error) {
        std::fprintf(stderr, "inlens-statements: %s\n", error.what());
        std::_Exit(1);
      }
    });
  }
  for (std::thread& thread : all) thread.join();
  std::printf("%lld %lld %lld\n", static_cast<long long>(wall), static_cast<long long>(of_threads.load()),
              static_cast<long long>(cpu));
  return 0;
}
