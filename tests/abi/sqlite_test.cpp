// A host with an SQLite of its own, through <inlens/sqlite.hpp>.
#include <sqlite3.h>

#include <catch2/catch.hpp>
#include <inlens/inlens.hpp>
#include <inlens/sqlite.hpp>
#include <string>

#include "tests/abi/running_agent.hpp"

using abi_test::page_request;
using abi_test::recorded;
using abi_test::running_agent;
using nlohmann::json;

namespace {

class Database {
 public:
  Database() {
    REQUIRE(sqlite3_open(":memory:", &connection_) == SQLITE_OK);
    REQUIRE(inlens::sqlite::attach(connection_));
  }
  ~Database() { sqlite3_close(connection_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  sqlite3* get() const { return connection_; }
  void run(const char* sql) const { sqlite3_exec(connection_, sql, nullptr, nullptr, nullptr); }
  sqlite3_stmt* prepare(const char* sql) const {
    sqlite3_stmt* statement = nullptr;
    inlens::sqlite::prepare(connection_, sql, -1, &statement, nullptr);
    return statement;
  }

 private:
  sqlite3* connection_ = nullptr;
};

// The statements of a request in which `work` was done on a database with a table.
template <class Work>
json statements_after(Work&& work) {
  running_agent();
  Database database;
  database.run("create table t(a integer primary key, b text)");
  inlens::Request request(page_request());
  const std::string id(request.id().view());
  {
    const inlens::Attach attach(request);
    work(database);
  }
  request.end(200);
  json statements = json::array();
  const json spans = recorded(id).at("spans");
  for (const json& span : spans)
    if (!span.at("statement").is_null()) statements.push_back(span.at("statement"));
  return statements;
}

}  // namespace

TEST_CASE("Statements of an attached connection have their rows, returned or changed") {
  const json statements = statements_after([](const Database& database) {
    database.run("insert into t(b) values('x'), ('y'), ('z')");
    database.run("select a from t");
    database.run("create table u(x)");
  });
  REQUIRE(statements.size() == 3);
  CHECK(statements[0].at("text") == "insert into t(b) values (?)");
  CHECK(statements[0].at("rows") == 3);
  CHECK(statements[1].at("rows") == 3);
  CHECK(statements[2].at("rows") == 0);
  CHECK(statements[0].at("database") == ":memory:");
}

TEST_CASE("A statement between the rows of another one counts, and one of a trigger does not") {
  const json statements = statements_after([](const Database& database) {
    database.run("create trigger after insert on t begin update t set b = 'w' where a = new.a; end");
    database.run("insert into t(b) values('x'), ('y')");
    sqlite3_stmt* select = database.prepare("select a from t");
    while (inlens::sqlite::step(select) == SQLITE_ROW) database.run("update t set b = 'z'");
    sqlite3_finalize(select);
  });
  REQUIRE(statements.size() == 5);
  CHECK(statements[1].at("rows") == 2);
  CHECK(statements[2].at("text") == "select a from t");
  CHECK(statements[2].at("rows") == 2);
  CHECK(statements[4].at("text") == "update t set b = ?");
}

TEST_CASE("A statement that fails in step() says so with its code and message") {
  const json statements = statements_after([](const Database& database) {
    database.run("insert into t(a) values(1)");
    sqlite3_stmt* again = database.prepare("insert into t(a) values(1)");
    CHECK(inlens::sqlite::step(again) == SQLITE_CONSTRAINT);
    sqlite3_finalize(again);
    CHECK(database.prepare("selec 1") == nullptr);
  });
  REQUIRE(statements.size() == 3);
  CHECK_FALSE(statements[0].at("failed").get<bool>());
  CHECK(statements[1].at("failed").get<bool>());
  CHECK(statements[1].at("errorCode") == "1555");
  CHECK(statements[1].at("errorMessage") == "UNIQUE constraint failed: t.a");
  CHECK(statements[2].at("failed").get<bool>());
}

TEST_CASE("What a host marks itself counts once") {
  const json statements = statements_after([](const Database& database) {
    const inlens::Statement marked("select 1", inlens::Dialect::kSqlite);
    database.run("select 1");
  });
  CHECK(statements.size() == 1);
}

TEST_CASE("A statement left in the middle ends with the rows that it gave") {
  const json statements = statements_after([](const Database& database) {
    sqlite3_stmt* select = database.prepare("select 1 union select 2");
    CHECK(inlens::sqlite::step(select) == SQLITE_ROW);
    sqlite3_finalize(select);
  });
  REQUIRE(statements.size() == 1);
  CHECK(statements[0].at("rows") == 1);
}

TEST_CASE("Connections are counted and no connection is none") {
  CHECK_FALSE(inlens::sqlite::attach(nullptr));
  CHECK(inlens::sqlite::step(nullptr) == SQLITE_MISUSE);
}
