#include <catch2/catch.hpp>

#include "tests/collectors/sql/sql_test.hpp"

namespace inlens::sql {

TEST_CASE("every way to write a literal is masked") {
  CHECK(text_everywhere("select 1, 1.5, .5, 1e10, 1.5E-7, 0xFF, 1_000, 12kb") ==
        "select ?, ?, ?, ?, ?, ?, ?, ?");
  CHECK(text_everywhere("select 'a', N'a', X'ff'") == "select ?, ?, ?");
  CHECK(text_of("select $$it's$$, $tag$ $$ '$tag$", Dialect::kPostgres) == "select ?, ?");
  CHECK(text_of(R"(select E'it\'s', U&'d\0061t', B'01')", Dialect::kPostgres) == "select ?, ?, ?");
  CHECK(text_of(R"(select 'it\'s', "it\"s", 'a\\', b'01')", Dialect::kMysql) == "select ?, ?, ?, ?");
}

TEST_CASE("every way to write a bind mark is masked") {
  CHECK(text_everywhere("a = ? and b = ?1 and c = $1 and d = :name and e = :2 and f = @name") ==
        "a = ? and b = ? and c = ? and d = ? and e = ? and f = ?");
  CHECK(text_everywhere("a = %s and b in (%s, %s) and c = %(name)s limit %s") ==
        "a = ? and b in (?) and c = ? limit ?");
}

TEST_CASE("a percent sign between operands stays the remainder") {
  CHECK(text_everywhere("a %s, b % size, c%s") == "a % s, b % size, c % s");
}

TEST_CASE("a sign belongs to the value where a value begins, and is an operator elsewhere") {
  CHECK(text_everywhere("a-1") == "a - ?");
  CHECK(text_everywhere("a - 1") == "a - ?");
  CHECK(text_everywhere("(a)-1, 'x'-1") == "(a) - ?, ? - ?");
  CHECK(text_everywhere("a = -1 or b in (-1, + 2, - - 3) or c between -1 and +1") ==
        "a = ? or b in (?) or c between ? and ?");
  CHECK(text_everywhere("select -a, - 1") == "select - a, ?");
}

TEST_CASE("an element of a list that repeats the one before it is written once") {
  CHECK(text_everywhere("(a, b) in ((1, 2), (3, 4), (5, 6))") == "(a, b) in ((?))");
  CHECK(text_everywhere("a in (int4(1), int4(2))") == "a in (int4(?))");
  CHECK(text_of("a = any(array['x'::uuid, 'y'::uuid])", Dialect::kPostgres) == "a = any (array[?::uuid])");
  CHECK(text_everywhere("order by field(id, 3, 1, 2)") == "order by field(id, ?)");
}

TEST_CASE("repeated elements without a value are left alone") {
  CHECK(text_everywhere("select f(a, a), (null, null), (default, default)") ==
        "select f(a, a), (null, null), (default, default)");
}

TEST_CASE("lists without brackets keep their length") {
  CHECK(text_everywhere("limit 1, 2") == "limit ?, ?");
}

TEST_CASE("further VALUES rows are left out, whatever they hold") {
  CHECK(text_everywhere(
            "insert into t values (1, null, now()), (default, (select max(a) from b), 'x'), (2, 3, 4)") ==
        "insert into t values (?, null, now())");
  CHECK(text_everywhere("values row(1, 2), row (3, 4) order by 1") == "values row(?) order by ?");
  CHECK(text_everywhere("select * from (values (1, 'a'), (2, 'b')) v, (select 1) w") ==
        "select * from (values (?)) v, (select ?) w");
}

TEST_CASE("what follows the VALUES rows is kept") {
  CHECK(text_everywhere("insert into t values (1), (2) on conflict (a) do update set b = 3 returning a, b") ==
        "insert into t values (?) on conflict(a) do update set b = ? returning a, b");
  CHECK(text_everywhere(
            "insert into t values (1), (2) on duplicate key update a = values(a), b = values(b), c = 3") ==
        "insert into t values (?) on duplicate key update a = values (a), b = values (b), c = ?");
}

TEST_CASE("a list gives the same text wherever the statement was cut") {
  const std::string insert = "insert into t (a) values (10, 'abc'), (20, 'def'), (30, 'ghi')";
  for (std::size_t size = insert.find("),") + 1; size <= insert.size(); ++size) {
    CAPTURE(size);
    CHECK(text_of(insert.substr(0, size)) == "insert into t(a) values (?)");
  }
  const std::string in = "delete from t where a in (10, 'abc', 20, 'def'";
  for (std::size_t size = in.find("(") + 2; size <= in.size(); ++size) {
    CAPTURE(size);
    CHECK(text_of(in.substr(0, size)) == "delete from t where a in (?");
  }
}

TEST_CASE("modifiers of a type are kept where a type is expected") {
  CHECK(text_everywhere("select cast(a as varchar(20)), b::numeric(10,2), c::character varying (30)") ==
        "select cast(a as varchar(20)), b::numeric(10, 2), c::character varying(30)");
  CHECK(text_everywhere(
            "create table t (a varchar(20) not null default 'x', b decimal(10, 2), c timestamp(3))") ==
        "create table t(a varchar(20) not null default ?, b decimal(10, 2), c timestamp(3))");
  CHECK(text_everywhere("alter table t add column a char(3), modify b int(11)") ==
        "alter table t add column a char(3), modify b int(11)");
}

TEST_CASE("numbers in a call that has the name of a type are masked") {
  CHECK(text_everywhere("select char(83, 101), x from t where y = binary(7)") ==
        "select char(?), x from t where y = binary(?)");
  CHECK(text_everywhere("create table t as select char(83)") == "create table t as select char(?)");
  CHECK(text_everywhere("select cast(a as varchar(4242424242))") == "select cast(a as varchar(?))");
}

TEST_CASE("letters are folded outside quoted names only") {
  CHECK(text_of("SELECT \"Foo\".Bar FROM Foo", Dialect::kPostgres) == "select \"Foo\".bar from foo");
  CHECK(text_of("SELECT `Foo`.Bar FROM Foo", Dialect::kMysql) == "select `Foo`.bar from foo");
  CHECK(text_of("SELECT [Foo Bar].Baz", Dialect::kSqlite) == "select [Foo Bar].baz");
  CHECK(text_of("select \"a\"\"b\" from U&\"d\\0061t\"", Dialect::kPostgres) ==
        "select \"a\"\"b\" from u&\"d\\0061t\"");
}

TEST_CASE("statements that mean the same share a fingerprint and others do not") {
  const uint64_t wanted = fingerprint_of("select a from b where c = ? and d in (?)");
  for (std::string_view same :
       {"SELECT a FROM b WHERE c = 1 AND d IN (1, 2, 3)", "select a from b where c='x' and d in('y')",
        "select/* why */a\nfrom b -- where\nwhere c = $1 and d in ($2, $3);",
        " select a from b where c = :c and d in ( :d1 , :d2 ) ; \n",
        "Select a From b Where c = -1.5e3 And d In (-1,-2)"}) {
    CAPTURE(same);
    CHECK(fingerprint_of(same) == wanted);
  }
  for (std::string_view other :
       {"select a from b where c = ? or d in (?)", "select a from b where c = ?",
        "select a from b where c <> ? and d in (?)", "select a from b where c = ? and d = (?)",
        "select b from a where c = ? and d in (?)"}) {
    CAPTURE(other);
    CHECK(fingerprint_of(other) != wanted);
  }
}

TEST_CASE("a quoted name and a bare word are different tokens") {
  CHECK(fingerprint_of("select \"a\"", Dialect::kPostgres) != fingerprint_of("select a", Dialect::kPostgres));
}

TEST_CASE("a text of several statements is one row that counts them") {
  const Normalised result = normalised(";; begin; select 1;; commit ;");
  CHECK(result.text == "begin; select ?; commit");
  CHECK(result.statements == 3);
  CHECK(normalised("select 1").statements == 1);
}

TEST_CASE("comments, blanks and separators alone give the label, which gives itself") {
  for (std::string_view empty :
       {"", " \n\t", ";", " ; ;; ", "/* a */", "/* never closed", "-- a", "-- a\n;", ","}) {
    CAPTURE(empty);
    for (Dialect dialect : kDialects) {
      const Normalised result = normalised(empty, dialect);
      CHECK(result.text == kEmptyLabel);
      CHECK(result.fingerprint == 0);
      CHECK(result.statements == 0);
      CHECK_FALSE(result.truncated);
      CHECK(text_of(result.text, dialect) == kEmptyLabel);
    }
  }
}

TEST_CASE("a quote that is never closed masks the rest") {
  CHECK(text_everywhere("select a where b = 'c and d = e") == "select a where b = ?");
  CHECK(text_of("select \"abc", Dialect::kPostgres) == "select ?");
  CHECK(text_of("select `abc", Dialect::kMysql) == "select ?");
  CHECK(text_of("select $x$ abc", Dialect::kPostgres) == "select ?");
  CHECK(text_of("select [abc", Dialect::kSqlite) == "select ?");
  CHECK(text_of("select q'{abc", Dialect::kGeneric) == "select ?");
  CHECK(text_everywhere("select /*+ abc") == "select ?");
}

TEST_CASE("an apostrophe that somebody forgot to double masks the rest") {
  CHECK(text_everywhere("select a where name = 'O'Brien' and password = 'hunter2'") ==
        "select a where name = ?");
  CHECK(text_everywhere("select a where b='x'and c='y'") == "select a where b = ? and c = ?");
}

TEST_CASE("in an unknown dialect a backslash before a quote masks the rest, except in an ESCAPE clause") {
  CHECK(text_of(R"(select a where b = 'c\' and d = 'e')") == "select a where b = ?");
  CHECK(text_of(R"(select a where b = 'c:\d' and e = 'f\\' and g = 1)") ==
        "select a where b = ? and e = ? and g = ?");
  CHECK(text_of(R"(a like 'b' escape '\' and c = 'd')") == "a like ? escape ? and c = ?");
}

TEST_CASE("comments follow the dialect") {
  CHECK(text_of("select 1 # it's\n, 'x'", Dialect::kMysql) == "select ?, ?");
  CHECK(text_of("select a #>> '{b}', c", Dialect::kPostgres) == "select a #>> ?, c");
  CHECK(text_of("select 5--1", Dialect::kMysql) == "select ? - ?");
  CHECK(text_of("select 5--1\n, 'x'", Dialect::kSqlite) == "select ?, ?");
  CHECK(text_of("/* a /* b */ c */ select 1", Dialect::kPostgres) == "select ?");
  CHECK(text_of("/* a /* b */ select 1", Dialect::kMysql) == "select ?");
  CHECK(text_of("-- a\rselect 1", Dialect::kPostgres) == "select ?");
}

TEST_CASE("in an unknown dialect what may or may not be a comment masks the rest before it shows a string") {
  CHECK(text_of("select a # it's\n, b, 'secret'") == "select a # it ?");
  CHECK(text_of("select 1--'x\n', b, 'secret'") == "select ? ?");
  CHECK(text_of("/* a /* b */ c, 'secret' */ select 1") == "?");
  CHECK(text_of("select [it's], b, 'secret'") == "select [it ?");
  CHECK(text_of("select [a]]b's], 'secret'") == "select [a] ?");
}

TEST_CASE("a quote that runs out of its hint masks the hint and the rest") {
  CHECK(text_everywhere("select /*+ it's */ a, 'secret'") == "select ?");
  CHECK(text_of("select /*! 'a*/' */ b", Dialect::kMysql) == "select ?");
}

TEST_CASE("MySQL's conditional comments are kept, with numbers and strings masked") {
  CHECK(text_of("/*!40101 SET NAMES 'utf8' */; select a", Dialect::kMysql) ==
        "/*! ? set names ? */; select a");
  CHECK(text_of("/*!40101 SET NAMES 'utf8' */ select a", Dialect::kPostgres) == "select a");
}

TEST_CASE("operators keep their meaning") {
  CHECK(text_everywhere("a->>'b'=1 and c<=>d and e||f and g::int>=h and i!=j and k@>'l'") ==
        "a ->> ? = ? and c <=> d and e || f and g::int >= h and i != j and k @> ?");
  CHECK(text_of("a<@'x' and b@@c", Dialect::kPostgres) == "a <@ ? and b @@ c");
  CHECK(text_of("a<@p and b>-1", Dialect::kGeneric) == "a < ? and b > ?");
}

TEST_CASE("any byte is accepted") {
  std::string all = "select ";
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  for (Dialect dialect : kDialects) CHECK(text_of(all, dialect).starts_with("select "));
  CHECK(text_everywhere("select a\xff\xfe from \xc3") == "select a\xff\xfe from \xc3");
  CHECK(text_everywhere(std::string("select\0a", 8)) == std::string("select \0 a", 10));
}

TEST_CASE("a word or a name too long to be one is masked") {
  CHECK(text_everywhere("select " + std::string(300, 'a') + " from b") == "select ? from b");
  CHECK(text_of("select \"" + std::string(300, 'a') + "\" from b", Dialect::kPostgres) == "select ? from b");
}

TEST_CASE("a long text is cut between tokens and says so") {
  std::string sql = "select c0";
  for (int i = 1; i < 10'000; ++i) sql += ", column_" + std::to_string(i);
  const Normalised result = normalised(sql);
  CHECK(result.truncated);
  CHECK(result.text.size() <= kDefaultMaxBytes);
  CHECK(result.text.size() > kDefaultMaxBytes - 20);
  CHECK(sql.starts_with(result.text));
  CHECK(normalised(result.text).fingerprint == result.fingerprint);
  CHECK(normalised(sql, Dialect::kGeneric, 1 << 20).text == sql);
}

TEST_CASE("the limit cannot be set so low that nothing is left") {
  const Normalised result =
      normalised("select a from " + std::string(1000, 'x') + " where b", Dialect::kGeneric, 0);
  CHECK(result.text == "select a from ? where b");
  CHECK_FALSE(result.truncated);
}

TEST_CASE("a result is reused without growing") {
  Normalised out = normalised(std::string(5000, '('));
  const std::size_t capacity = out.text.capacity();
  normalise("select 1", Dialect::kGeneric, out);
  CHECK(out.text == "select ?");
  CHECK_FALSE(out.truncated);
  CHECK(out.text.capacity() == capacity);
}

TEST_CASE("ten megabytes that no list folds are cut, not kept") {
  const std::string block = "select 'x' || a + 1 from [b] where (c or ";
  std::string sql;
  while (sql.size() < 10'000'000) sql += block;
  for (Dialect dialect : kDialects) {
    const Normalised result = normalised(sql, dialect);
    CHECK(result.truncated);
    CHECK(result.text.size() <= kDefaultMaxBytes);
  }
}

}  // namespace inlens::sql
