#include "perf/shop/db.hpp"

#include "perf/shop/postgres.hpp"
#include "perf/shop/sqlite.hpp"

namespace shop {

std::int64_t Db::query(std::string_view sql, Values values, const OnRow& on_row) {
  inlens::Statement statement(sent(sql), dialect(), name());
  try {
    const std::int64_t rows = run(sql, values, on_row);
    statement.rows(rows);
    return rows;
  } catch (const DbError& error) {
    statement.failed(error.code(), error.what());
    throw;
  }
}

std::int64_t Db::execute(std::string_view sql, Values values) {
  return query(sql, values, [](const Row&) {});
}

std::int64_t Db::number(std::string_view sql, Values values) {
  std::int64_t first = 0;
  query(sql, values, [&first](const Row& row) { first = row.number(0); });
  return first;
}

bool is_postgres(std::string_view where) {
  return where.starts_with("postgresql://") || where.starts_with("postgres://");
}

std::unique_ptr<Db> open_database(const std::string& where) {
  if (is_postgres(where)) return std::make_unique<Postgres>(where);
  return std::make_unique<Sqlite>(where);
}

// In SQLite the lock to write comes first: of two transactions that both have read none could go on.
Transaction::Transaction(Db& db) : db_(db) {
  db_.execute(db.dialect() == inlens::Dialect::kSqlite ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction() {
  // With the connection the server has given up the transaction.
  if (!open_ || !db_.is_connected()) return;
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
