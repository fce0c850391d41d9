#include "perf/shop/db.hpp"

#include <sqlite3.h>

#include <filesystem>
#include <inlens/inlens.hpp>

namespace shop {
namespace {

constexpr int kBusyTimeout_ms = 5000;
constexpr std::size_t kMostPrepared = 100;

// A statement used again has to be reset, whichever way its run was left.
class ResetAtEnd {
 public:
  explicit ResetAtEnd(sqlite3_stmt* statement) : statement_(statement) {}
  ResetAtEnd(const ResetAtEnd&) = delete;
  ResetAtEnd& operator=(const ResetAtEnd&) = delete;
  ~ResetAtEnd() {
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
  }

 private:
  sqlite3_stmt* statement_;
};

}  // namespace

std::int64_t Row::number(int column) const {
  return sqlite3_column_int64(statement_, column);
}

std::string_view Row::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  return text ? std::string_view(text, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)))
              : std::string_view();
}

Db::Db(const std::string& file) : name_(std::filesystem::path(file).filename().string()) {
  const int code = sqlite3_open(file.c_str(), &connection_);
  if (code != SQLITE_OK) {
    const std::string message = file + ": " + sqlite3_errmsg(connection_);
    sqlite3_close(connection_);
    throw DbError(code, message);
  }
  sqlite3_busy_timeout(connection_, kBusyTimeout_ms);
  // Setting up a connection is no page's work and is not reported.
  for (const char* setting :
       {"PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL", "PRAGMA foreign_keys = ON"})
    run(setting, {}, [](const Row&) {});
}

Db::~Db() {
  for (const auto& [sql, statement] : statements_) sqlite3_finalize(statement);
  sqlite3_close(connection_);
}

std::int64_t Db::query(std::string_view sql, std::initializer_list<Value> values, const OnRow& on_row) {
  inlens::Statement statement(sql, inlens::Dialect::kSqlite, name_);
  try {
    const std::int64_t rows = run(sql, values, on_row);
    statement.rows(rows);
    return rows;
  } catch (const DbError& error) {
    statement.failed(error.code(), error.what());
    throw;
  }
}

std::int64_t Db::execute(std::string_view sql, std::initializer_list<Value> values) {
  return query(sql, values, [](const Row&) {});
}

std::int64_t Db::number(std::string_view sql, std::initializer_list<Value> values) {
  std::int64_t first = 0;
  query(sql, values, [&first](const Row& row) { first = row.number(0); });
  return first;
}

std::int64_t Db::last_insert_id() const {
  return sqlite3_last_insert_rowid(connection_);
}

std::int64_t Db::run(std::string_view sql, std::initializer_list<Value> values, const OnRow& on_row) {
  sqlite3_stmt* statement = prepared(sql);
  const ResetAtEnd reset(statement);
  bind(statement, values);
  std::int64_t rows = 0;
  int code = sqlite3_step(statement);
  for (; code == SQLITE_ROW; code = sqlite3_step(statement)) {
    on_row(Row(statement));
    ++rows;
  }
  if (code != SQLITE_DONE) check(code);
  return sqlite3_stmt_readonly(statement) ? rows : sqlite3_changes(connection_);
}

sqlite3_stmt* Db::prepared(std::string_view sql) {
  std::string key(sql);
  if (const auto found = statements_.find(key); found != statements_.end()) return found->second;
  sqlite3_stmt* statement = nullptr;
  check(sqlite3_prepare_v3(connection_, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT,
                           &statement, nullptr));
  if (statements_.size() >= kMostPrepared) {
    sqlite3_finalize(statements_.begin()->second);
    statements_.erase(statements_.begin());
  }
  statements_.emplace(std::move(key), statement);
  return statement;
}

void Db::bind(sqlite3_stmt* statement, std::initializer_list<Value> values) {
  int position = 0;
  for (const Value& value : values) {
    ++position;
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
      check(sqlite3_bind_int64(statement, position, *number));
    } else if (const auto* real = std::get_if<double>(&value)) {
      check(sqlite3_bind_double(statement, position, *real));
    } else {
      const auto text = std::get<std::string_view>(value);
      check(
          sqlite3_bind_text(statement, position, text.data(), static_cast<int>(text.size()), SQLITE_STATIC));
    }
  }
}

void Db::check(int code) {
  if (code != SQLITE_OK) throw DbError(sqlite3_extended_errcode(connection_), sqlite3_errmsg(connection_));
}

Transaction::~Transaction() {
  if (!open_) return;
  try {
    db_.execute("ROLLBACK");
  } catch (const DbError&) {
    // The statement that failed has already said why.
  }
}

void Transaction::commit() {
  db_.execute("COMMIT");
  open_ = false;
}

}  // namespace shop
