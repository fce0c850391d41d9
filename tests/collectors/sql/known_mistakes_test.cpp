// Texts that statement normalisers are known to get wrong.
#include <catch2/catch.hpp>

#include "tests/collectors/sql/sql_test.hpp"

namespace inlens::sql {

TEST_CASE("a cast-like call in an IN list keeps the brackets balanced") {
  CHECK(text_everywhere("select a from t where b IN (1, 2, int4(1))") ==
        "select a from t where b in (?, int4(?))");
}

TEST_CASE("a doubled quote does not end the string") {
  CHECK(text_everywhere("data = 'bl''a'") == "data = ?");
}

TEST_CASE("digits and operators in a name between backticks are left alone") {
  for (Dialect dialect : {Dialect::kGeneric, Dialect::kSqlite, Dialect::kMysql}) {
    CHECK(text_of("select `+3b7-8*9_7+8/6-aaa-` from t", dialect) == "select `+3b7-8*9_7+8/6-aaa-` from t");
  }
}

TEST_CASE("tables that differ in a number stay different tables") {
  CHECK(text_everywhere("select * from users_2009") == "select * from users_2009");
  CHECK(fingerprint_of("select * from users_2009") != fingerprint_of("select * from users_2010"));
}

TEST_CASE("a hint is kept and its numbers are masked, with or without quoted names behind it") {
  CHECK(text_of("select /*+ MAX_EXECUTION_TIME(123) */ `a`", Dialect::kMysql) ==
        "select /*+ max_execution_time(?) */ `a`");
  CHECK(text_everywhere("select /*+ MAX_EXECUTION_TIME(123) */ a") ==
        "select /*+ max_execution_time(?) */ a");
}

TEST_CASE("a dollar with a question mark is a bind mark and not a dollar quote") {
  CHECK(text_everywhere("a = $? and b = $?") == "a = ? and b = ?");
}

TEST_CASE("text in double quotes is a string in MySQL") {
  CHECK(text_of("a = \"secret\"", Dialect::kMysql) == "a = ?");
}

TEST_CASE("text in double quotes is a name in Postgres and SQLite and masked when the dialect is unknown") {
  CHECK(text_of("select * from \"Foo\"", Dialect::kPostgres) == "select * from \"Foo\"");
  CHECK(text_of("select * from \"Foo\"", Dialect::kSqlite) == "select * from \"Foo\"");
  CHECK(text_of("select * from \"Foo\"", Dialect::kGeneric) == "select * from ?");
}

TEST_CASE("an Oracle quote with an apostrophe inside is one literal, and line ends bound comments") {
  const std::string_view sql = "select q'{cat's}' -- it's\nfrom dual -- 'x\nwhere a = 5";
  CHECK(text_of(sql, Dialect::kGeneric) == "select ? from dual where a = ?");
}

TEST_CASE("a backslash before a quote never lets the tail of a string through") {
  const std::string_view sql = R"(select a where b = '\\some.\'site.com\folder\' and c = 'hidden')";
  for (Dialect dialect : kDialects) {
    const std::string text = text_of(sql, dialect);
    CAPTURE(text);
    CHECK(text.starts_with("select a where b = ?"));
    CHECK(text.find("site") == std::string::npos);
    CHECK(text.find("folder") == std::string::npos);
    CHECK(text.find("hidden") == std::string::npos);
  }
}

TEST_CASE("a text that is normalised already comes back unchanged") {
  CHECK(text_everywhere("select interval $1") == "select interval ?");
  CHECK(text_everywhere("select interval ?") == "select interval ?");
}

TEST_CASE("words that look like values are not masked") {
  CHECK(text_everywhere("SET TRANSACTION ISOLATION LEVEL read uncommitted") ==
        "set transaction isolation level read uncommitted");
  CHECK(text_everywhere("SELECT NULL, 42") == "select null, ?");
  CHECK(text_everywhere("select TRUE, false from t where a = default") ==
        "select true, false from t where a = default");
}

TEST_CASE("a comment changes neither the text nor the fingerprint") {
  CHECK(text_everywhere("-- File: Bar.cs:127\nselect a from b") == "select a from b");
  CHECK(fingerprint_of("-- File: Bar.cs:127\nselect a from b") == fingerprint_of("select a from b"));
}

TEST_CASE("an INSERT of ten megabytes gives a short text") {
  std::string sql = "insert into t (a, b) values (1, 'x')";
  while (sql.size() < 10'000'000) sql += ", (23, 'it''s a row')";
  CHECK(text_everywhere(sql) == "insert into t(a, b) values (?)");
}

TEST_CASE("a quoted name may begin with a digit") {
  CHECK(text_of("select * from \"2fa\"", Dialect::kPostgres) == "select * from \"2fa\"");
  CHECK(text_of("select * from `2fa`", Dialect::kMysql) == "select * from `2fa`");
  CHECK(text_of("select * from [2fa]", Dialect::kSqlite) == "select * from [2fa]");
}

TEST_CASE("a text of nothing but a comment has a label of its own and no fingerprint") {
  for (Dialect dialect : {Dialect::kGeneric, Dialect::kSqlite, Dialect::kPostgres}) {
    const Normalised result = normalised("--*INSERT", dialect);
    CHECK(result.text == kEmptyLabel);
    CHECK(result.fingerprint == 0);
    CHECK(result.statements == 0);
  }
  CHECK(text_of("--*INSERT", Dialect::kMysql) == "- - * insert");  // no space behind the dashes: two signs
}

TEST_CASE("a zero-width space passes through") {
  CHECK(text_everywhere("select a\xe2\x80\x8b from b") == "select a\xe2\x80\x8b from b");
}

TEST_CASE("a document in a string is masked whole, whatever it holds") {
  CHECK(
      text_everywhere("insert into pages values ('<p class=\"x\">it''s :name, ? $1 -- /* <b>50</b></p>')") ==
      "insert into pages values (?)");
}

TEST_CASE("spacing and a trailing semicolon make no difference") {
  CHECK(text_everywhere("select a,b from t where(c=1);") == "select a, b from t where (c = ?)");
  CHECK(text_everywhere("  select\ta , b\r\nfrom t where ( c = 1 ) ; ; ") ==
        "select a, b from t where (c = ?)");
}

TEST_CASE("IN lists of any length are one statement") {
  std::string many = "select a from t where b in (1";
  for (int i = 0; i < 100'000; ++i) many += ", 2";
  CHECK(fingerprint_of(many + ")") == fingerprint_of("select a from t where b in (1)"));
  CHECK(fingerprint_of("select a from t where b in ($1, $2)") ==
        fingerprint_of("select a from t where b in (?, ?, ?)"));
}

}  // namespace inlens::sql
