// SQLite as the pages use it: one connection per worker thread, statements prepared once and run many times.
// Every statement of a page is reported to Inlens here and nowhere else; pages do not know about it.
// Threads: one at a time. Errors: DbError.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>

struct sqlite3;
struct sqlite3_stmt;

namespace shop {

class DbError : public std::runtime_error {
 public:
  DbError(int code, const std::string& message) : std::runtime_error(message), code_(std::to_string(code)) {}
  const std::string& code() const { return code_; }

 private:
  std::string code_;
};

using Value = std::variant<std::int64_t, double, std::string_view>;

// The row a statement stands on; its texts are valid inside the callback.
class Row {
 public:
  explicit Row(sqlite3_stmt* statement) : statement_(statement) {}
  std::int64_t number(int column) const;
  std::string_view text(int column) const;

 private:
  sqlite3_stmt* statement_;
};

class Db {
 public:
  using OnRow = std::function<void(const Row&)>;

  explicit Db(const std::string& file);
  Db(const Db&) = delete;
  Db& operator=(const Db&) = delete;
  ~Db();

  // Both return the number of rows returned or changed.
  std::int64_t query(std::string_view sql, std::initializer_list<Value> values, const OnRow& on_row);
  std::int64_t execute(std::string_view sql, std::initializer_list<Value> values = {});

  // The first column of the first row, 0 without one.
  std::int64_t number(std::string_view sql, std::initializer_list<Value> values = {});

  std::int64_t last_insert_id() const;

 private:
  std::int64_t run(std::string_view sql, std::initializer_list<Value> values, const OnRow& on_row);
  sqlite3_stmt* prepared(std::string_view sql);
  void bind(sqlite3_stmt* statement, std::initializer_list<Value> values);
  void check(int code);

  std::string name_;
  sqlite3* connection_ = nullptr;
  std::unordered_map<std::string, sqlite3_stmt*> statements_;
};

// BEGIN IMMEDIATE until commit(); rolled back when left without it.
class Transaction {
 public:
  explicit Transaction(Db& db) : db_(db) { db_.execute("BEGIN IMMEDIATE"); }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();
  void commit();

 private:
  Db& db_;
  bool open_ = true;
};

}  // namespace shop
