#include "perf/shop/postgres.hpp"

#include <libpq-fe.h>

#include <charconv>
#include <vector>

namespace shop {
namespace {

// The SQL standard's codes where libpq has none: the server did not say them.
constexpr const char* kCannotConnect = "08001";
constexpr const char* kConnectionLost = "08006";

using Result = std::unique_ptr<PGresult, decltype(&PQclear)>;

Result owned(PGresult* result) {
  return {result, &PQclear};
}

class PostgresRow final : public Row {
 public:
  PostgresRow(const PGresult* result, int row) : result_(result), row_(row) {}
  std::int64_t number(int column) const override {
    const std::string_view digits = text(column);
    std::int64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
  }
  std::string_view text(int column) const override {
    return {PQgetvalue(result_, row_, column), static_cast<std::size_t>(PQgetlength(result_, row_, column))};
  }

 private:
  const PGresult* result_;
  int row_;
};

// Where the quoted text or comment that begins at `at` ends; `at` itself if none does.
std::size_t end_of_quoted(std::string_view sql, std::size_t at) {
  std::size_t end = at;
  if (sql[at] == '\'' || sql[at] == '"')
    end = sql.find(sql[at], at + 1);
  else if (sql.substr(at, 2) == "--")
    end = sql.find('\n', at);
  return end == std::string_view::npos ? sql.size() - 1 : end;
}

std::string with_numbered_values(std::string_view sql) {
  std::string text;
  int number = 0;
  for (std::size_t at = 0; at < sql.size(); ++at) {
    if (sql[at] == '?') {
      text += '$' + std::to_string(++number);
      continue;
    }
    const std::size_t end = end_of_quoted(sql, at);
    text += sql.substr(at, end + 1 - at);
    at = end;
  }
  return text;
}

std::string first_line(std::string_view message) {
  return std::string(message.substr(0, message.find('\n')));
}

// libpq shows the whole address, with its password, when it does not understand one. What follows an
// unescaped @ or / in a password it takes for the host or the port, and shows that.
bool is_understood(const std::string& address) {
  const std::size_t at = address.rfind('@');
  if (at != address.npos && address.find_first_of("@/", address.find("://") + 3) < at) return false;
  PQconninfoOption* options = PQconninfoParse(address.c_str(), nullptr);
  PQconninfoFree(options);
  return options != nullptr;
}

}  // namespace

Postgres::Postgres(std::string address) : address_(std::move(address)) {
  if (!is_understood(address_))
    throw DbUnreachable(kCannotConnect,
                        "the address is not one of the form postgresql://user@host:port/database, with @ and "
                        "/ in any name or password written %40 and %2F");
  connect();
}

Postgres::~Postgres() {
  PQfinish(connection_);
}

bool Postgres::is_connected() const {
  return PQstatus(connection_) == CONNECTION_OK;
}

std::int64_t Postgres::run(std::string_view sql, Values values, const OnRow& on_row) {
  if (!is_connected()) connect();
  Prepared& statement = prepared(sql);
  if (statement.name.empty()) {
    std::string name = "shop_" + std::to_string(++names_);
    check(owned(PQprepare(connection_, name.c_str(), statement.text.c_str(), 0, nullptr)).get());
    statement.name = std::move(name);
  }
  std::vector<std::string> texts;
  for (const Value& value : values) {
    const auto* number = std::get_if<std::int64_t>(&value);
    texts.emplace_back(number != nullptr ? std::to_string(*number) : std::get<std::string_view>(value));
  }
  std::vector<const char*> given;
  for (const std::string& text : texts) given.push_back(text.c_str());
  const Result result =
      owned(PQexecPrepared(connection_, statement.name.c_str(), static_cast<int>(given.size()), given.data(),
                           nullptr, nullptr, 0));
  check(result.get());
  const int rows = PQntuples(result.get());
  for (int row = 0; row < rows; ++row) on_row(PostgresRow(result.get(), row));
  if (PQresultStatus(result.get()) == PGRES_TUPLES_OK) return rows;
  std::int64_t changed = 0;
  const std::string_view digits = PQcmdTuples(result.get());
  std::from_chars(digits.data(), digits.data() + digits.size(), changed);
  return changed;
}

void Postgres::connect() {
  PQfinish(connection_);
  for (auto& [sql, statement] : statements_) statement.name.clear();
  // What the address says itself comes later and counts.
  const char* const names[] = {"connect_timeout", "application_name", "dbname", nullptr};
  const char* const values[] = {"5", "inlens-shop", address_.c_str(), nullptr};
  connection_ = PQconnectdbParams(names, values, 1);
  if (PQstatus(connection_) != CONNECTION_OK)
    throw DbUnreachable(kCannotConnect, first_line(PQerrorMessage(connection_)));
  PQsetNoticeProcessor(
      connection_, [](void*, const char*) {}, nullptr);
  name_ = std::string(PQhost(connection_)) + ":" + PQport(connection_) + "/" + PQdb(connection_);
}

Postgres::Prepared& Postgres::prepared(std::string_view sql) {
  std::string key(sql);
  if (const auto found = statements_.find(key); found != statements_.end()) return found->second;
  return statements_.emplace(std::move(key), Prepared{with_numbered_values(sql), {}}).first->second;
}

void Postgres::check(const PGresult* result) {
  const ExecStatusType status = PQresultStatus(result);
  if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) return;
  const char* code = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  const std::string message = first_line(PQerrorMessage(connection_));
  if (!is_connected()) throw DbUnreachable(code != nullptr ? code : kConnectionLost, message);
  throw DbError(code != nullptr ? code : "", message);
}

}  // namespace shop
