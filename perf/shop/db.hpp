// The database as the pages use it: one connection per worker thread, statements prepared once and run many
// times. Every statement of a page is reported to Inlens here and nowhere else; pages do not know about it.
// Threads: one at a time. Errors: DbError.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <inlens/inlens.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

namespace shop {

class DbError : public std::runtime_error {
 public:
  DbError(std::string code, const std::string& message)
      : std::runtime_error(message), code_(std::move(code)) {}
  const std::string& code() const { return code_; }

 private:
  std::string code_;  // of SQLite, or an SQLSTATE
};

// There is no connection: refused, or lost. The next statement tries to open one again.
class DbUnreachable : public DbError {
 public:
  using DbError::DbError;
};

using Value = std::variant<std::int64_t, std::string_view>;
using Values = std::initializer_list<Value>;

// The row a statement stands on; its texts are valid inside the callback.
class Row {
 public:
  virtual std::int64_t number(int column) const = 0;
  virtual std::string_view text(int column) const = 0;

 protected:
  ~Row() = default;
};

class Db {
 public:
  using OnRow = std::function<void(const Row&)>;

  Db(const Db&) = delete;
  Db& operator=(const Db&) = delete;
  virtual ~Db() = default;

  // `?` stands for a value in every dialect. Both return the number of rows returned or changed.
  std::int64_t query(std::string_view sql, Values values, const OnRow& on_row);
  std::int64_t execute(std::string_view sql, Values values = {});

  // The first column of the first row, 0 without one.
  std::int64_t number(std::string_view sql, Values values = {});

  virtual inlens::Dialect dialect() const = 0;
  virtual std::string_view name() const = 0;  // of the file, or host:port/database
  virtual bool is_connected() const { return true; }

 protected:
  Db() = default;

 private:
  virtual std::int64_t run(std::string_view sql, Values values, const OnRow& on_row) = 0;
  virtual std::string_view sent(std::string_view sql) { return sql; }  // the text as the database gets it
};

// `where`: an SQLite file, or the address of a PostgreSQL server. Errors: DbError.
std::unique_ptr<Db> open_database(const std::string& where);
bool is_postgres(std::string_view where);

// From BEGIN until commit(); rolled back when left without it.
class Transaction {
 public:
  explicit Transaction(Db& db);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();
  void commit();

 private:
  Db& db_;
  bool open_ = true;
};

}  // namespace shop
