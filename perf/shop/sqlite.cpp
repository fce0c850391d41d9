#include "perf/shop/sqlite.hpp"

#include <sqlite3.h>

#include <filesystem>

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

class SqliteRow final : public Row {
 public:
  explicit SqliteRow(sqlite3_stmt* statement) : statement_(statement) {}
  std::int64_t number(int column) const override { return sqlite3_column_int64(statement_, column); }
  std::string_view text(int column) const override {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    return text ? std::string_view(text, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)))
                : std::string_view();
  }

 private:
  sqlite3_stmt* statement_;
};

}  // namespace

Sqlite::Sqlite(const std::string& file) : name_(std::filesystem::path(file).filename().string()) {
  const int code = sqlite3_open(file.c_str(), &connection_);
  if (code != SQLITE_OK) {
    const std::string message = file + ": " + sqlite3_errmsg(connection_);
    sqlite3_close(connection_);
    throw DbError(std::to_string(code), message);
  }
  sqlite3_busy_timeout(connection_, kBusyTimeout_ms);
  // Setting up a connection is no page's work and is not reported.
  for (const char* setting :
       {"PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL", "PRAGMA foreign_keys = ON"})
    run(setting, {}, [](const Row&) {});
}

Sqlite::~Sqlite() {
  for (const auto& [sql, statement] : statements_) sqlite3_finalize(statement);
  sqlite3_close(connection_);
}

std::int64_t Sqlite::run(std::string_view sql, Values values, const OnRow& on_row) {
  sqlite3_stmt* statement = prepared(sql);
  const ResetAtEnd reset(statement);
  bind(statement, values);
  std::int64_t rows = 0;
  int code = sqlite3_step(statement);
  for (; code == SQLITE_ROW; code = sqlite3_step(statement)) {
    on_row(SqliteRow(statement));
    ++rows;
  }
  if (code != SQLITE_DONE) check(code);
  return sqlite3_stmt_readonly(statement) ? rows : sqlite3_changes(connection_);
}

sqlite3_stmt* Sqlite::prepared(std::string_view sql) {
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

void Sqlite::bind(sqlite3_stmt* statement, Values values) {
  int position = 0;
  for (const Value& value : values) {
    ++position;
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
      check(sqlite3_bind_int64(statement, position, *number));
    } else {
      const auto text = std::get<std::string_view>(value);
      check(
          sqlite3_bind_text(statement, position, text.data(), static_cast<int>(text.size()), SQLITE_STATIC));
    }
  }
}

void Sqlite::check(int code) {
  if (code != SQLITE_OK)
    throw DbError(std::to_string(sqlite3_extended_errcode(connection_)), sqlite3_errmsg(connection_));
}

}  // namespace shop
