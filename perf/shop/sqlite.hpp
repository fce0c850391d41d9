// A connection to an SQLite file.
#pragma once

#include <unordered_map>

#include "perf/shop/db.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace shop {

class Sqlite : public Db {
 public:
  explicit Sqlite(const std::string& file);
  ~Sqlite() override;

  std::string_view name() const override { return name_; }
  inlens::Dialect dialect() const override { return inlens::Dialect::kSqlite; }

 private:
  std::int64_t run(std::string_view sql, Values values, const OnRow& on_row) override;

  sqlite3_stmt* prepared(std::string_view sql);
  void bind(sqlite3_stmt* statement, Values values);
  void check(int code);

  std::string name_;
  sqlite3* connection_ = nullptr;
  std::unordered_map<std::string, sqlite3_stmt*> statements_;
};

}  // namespace shop
