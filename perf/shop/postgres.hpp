// A connection to a PostgreSQL server. One that was lost is opened again by the next statement.
#pragma once

#include <unordered_map>

#include "perf/shop/db.hpp"

struct pg_conn;
struct pg_result;

namespace shop {

class Postgres : public Db {
 public:
  // `address`: postgresql://user@host:port/database. Errors: DbUnreachable.
  explicit Postgres(std::string address);
  ~Postgres() override;

  std::string_view name() const override { return name_; }
  bool is_connected() const override;
  inlens::Dialect dialect() const override { return inlens::Dialect::kPostgres; }

 private:
  struct Prepared {
    std::string text;  // with $1, $2 … for the values
    std::string name;  // empty: not on this connection yet
  };

  std::int64_t run(std::string_view sql, Values values, const OnRow& on_row) override;
  std::string_view sent(std::string_view sql) override { return prepared(sql).text; }

  void connect();
  Prepared& prepared(std::string_view sql);
  void check(const pg_result* result);

  std::string address_;
  std::string name_;  // host:port/database
  pg_conn* connection_ = nullptr;
  std::uint64_t names_ = 0;  // given to statements so far
  std::unordered_map<std::string, Prepared> statements_;
};

}  // namespace shop
