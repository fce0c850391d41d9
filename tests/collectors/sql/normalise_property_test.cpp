// What must hold for every text, tried on many.
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "tests/collectors/sql/sql_test.hpp"
#include "tests/collectors/sql/statement_soup.hpp"

namespace inlens::sql {
namespace {

constexpr std::string_view kStatements[] = {
    "select u.id, u.\"Name\", count(*) from users u left join orders o on o.user_id = u.id where u.age > 18 "
    "group by 1",
    "INSERT INTO `Log` (`at`, msg) VALUES (NOW(), 'it''s'), (NOW(), \"x\") ON DUPLICATE KEY UPDATE msg = "
    "VALUES(msg)",
    "update t set a = a + 1, b = -1, c = 'x' || d where e in (select f from g where h between 1 and 2)",
    "with recursive r(n) as (select 1 union all select n + 1 from r where n < 100) select * from r limit 10 "
    "offset 5",
    "create table if not exists t (id bigint(20) unsigned not null, n numeric(10,2) default 0.00, primary "
    "key (id))",
    "select data->'a'->>'b', tags @> array['x','y']::varchar(10)[], ts at time zone 'utc' from e where d #>> "
    "'{a}' = $1",
    "select /*+ INDEX(t idx_1) MAX_EXECUTION_TIME(500) */ t.* from t where a = :a and b in (:b1, :b2) -- why",
    "begin; set local statement_timeout = '5s'; select pg_advisory_lock(42); commit;",
    "select $$a 'b' $$, $f$ $$ $f$, E'\\'', U&\"d\\0061t\", x'ff', 1e-5, .5, t.5, a.b.c::numeric(5)",
    "select case when a % 2 = 0 then 'even' else 'odd' end, cast(b as decimal(8, 3)), -c, - -1 from [My "
    "Table] # x\n",
    "SELECT @@session.sql_mode, @x := 5, f % s, a%s FROM dual WHERE name LIKE '%\\_x' ESCAPE '\\' AND d = "
    "{ts '2020'}",
    "merge into a using (values (1,2),(3,4)) v on a.b = v.c when matched then update set d = 1;; ;",
};

void check_invariants(std::string_view sql, Dialect dialect, std::size_t max_bytes) {
  const Normalised once = normalised(sql, dialect, max_bytes);
  const Normalised twice = normalised(once.text, dialect, max_bytes);
  CAPTURE(sql, static_cast<int>(dialect));
  REQUIRE(twice.text == once.text);
  REQUIRE(twice.fingerprint == once.fingerprint);
  REQUIRE(twice.statements == once.statements);
  REQUIRE(once.text == text_token_by_token(sql, dialect, max_bytes));
  REQUIRE(once.text.size() <= max_bytes);
  REQUIRE((once.fingerprint == 0) == (once.text == kEmptyLabel));
}

std::vector<uint8_t> random_bytes(std::mt19937& random, std::size_t most) {
  std::vector<uint8_t> bytes(random() % most + 1);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

bool keeps_quoted_names(std::string_view sql) {
  return sql.find_first_of("`[") != std::string_view::npos || sql.find("\"a") != std::string_view::npos ||
         sql.find("\"A") != std::string_view::npos;
}

std::string widened(std::string_view sql) {
  std::string wide;
  for (char c : sql) wide.append(c == ' ' ? 3 : 1, c);
  return wide;
}

std::string in_capitals(std::string_view sql) {
  std::string capitals;
  for (char c : sql) capitals += static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
  return capitals;
}

}  // namespace

TEST_CASE("normalising a normalised statement changes nothing") {
  for (std::string_view sql : kStatements) {
    for (Dialect dialect : kDialects) check_invariants(sql, dialect, kDefaultMaxBytes);
  }
}

TEST_CASE("normalising changes nothing more wherever a statement is cut") {
  for (std::string_view sql : kStatements) {
    for (Dialect dialect : kDialects) {
      for (std::size_t size = 0; size < sql.size(); ++size) {
        check_invariants(sql.substr(0, size), dialect, kDefaultMaxBytes);
      }
    }
  }
}

TEST_CASE("comments, blanks and letter case between tokens never change the fingerprint") {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const Dialect dialect = kDialects[round % 4];
    const std::vector<uint8_t> choices = random_bytes(random, 40);
    const std::string sql = make_soup(choices, dialect, kSecrets);
    CAPTURE(sql);
    const uint64_t wanted = fingerprint_of(sql, dialect);
    REQUIRE(fingerprint_of("/* a */ \n" + sql + " \t;", dialect) == wanted);
    // An operator to some, the start of a comment to others: what follows is masked, comments too.
    if (sql.find('#') == std::string::npos) REQUIRE(fingerprint_of(sql + "-- b\n ;", dialect) == wanted);
    if (keeps_quoted_names(sql)) continue;
    REQUIRE(fingerprint_of(widened(sql), dialect) == wanted);
    if (sql.find('%') == std::string::npos) REQUIRE(fingerprint_of(in_capitals(sql), dialect) == wanted);
  }
}

TEST_CASE("random token soup never shows a secret and does not depend on one") {
  std::mt19937 random(2);
  for (int round = 0; round < 20'000; ++round) {
    const Dialect dialect = kDialects[round % 4];
    const std::vector<uint8_t> choices = random_bytes(random, round % 16 == 0 ? 600 : 30);
    const std::string sql = make_soup(choices, dialect, kSecrets);
    const std::size_t max_bytes = round % 3 == 0 ? kMinMaxBytes : kDefaultMaxBytes;
    CAPTURE(sql, static_cast<int>(dialect));
    const Normalised result = normalised(sql, dialect, max_bytes);
    REQUIRE_FALSE(shows_secret(result.text));
    REQUIRE(normalised(make_soup(choices, dialect, kOtherSecrets), dialect, max_bytes).text == result.text);
    check_invariants(sql, dialect, max_bytes);
  }
}

TEST_CASE("random bytes and scraps of statements are normalised once and for all") {
  std::mt19937 random(3);
  for (int round = 0; round < 40'000; ++round) {
    const Dialect dialect = kDialects[round / 2 % 4];
    const std::vector<uint8_t> bytes = random_bytes(random, round % 32 < 2 ? 400 : 24);
    if (round % 2 == 0) {
      check_invariants({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, dialect, kMinMaxBytes);
    } else {
      check_invariants(make_scraps(bytes), dialect, kMinMaxBytes);
    }
  }
}

TEST_CASE("a run that ends where it began, because a list gave way, is still a run") {
  for (std::string_view sql : {"row(?1,?1, f(", "f(1,-1, \\%s% ", "in ( ?,+22 ,. `a"}) {
    for (Dialect dialect : kDialects) check_invariants(sql, dialect, kMinMaxBytes);
  }
}

TEST_CASE("a comma held back between VALUES rows is written with all that follows it or not at all") {
  for (std::string_view sql :
       {"values (1), row", "values (1), row,", "values (1), row;", "values (1), row ,/*",
        "(values (1), values (1), values (1), /*+", "(f(1), /*+ values (1), = 1 */ a, '"}) {
    for (Dialect dialect : kDialects) check_invariants(sql, dialect, kMinMaxBytes);
  }
}

}  // namespace inlens::sql
