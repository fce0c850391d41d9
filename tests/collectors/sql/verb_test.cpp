#include <catch2/catch.hpp>

#include "collectors/sql/normalise.hpp"

namespace inlens::sql {

TEST_CASE("the verb is the first keyword in any case") {
  CHECK(verb_of("SELECT a FROM b") == Verb::kSelect);
  CHECK(verb_of("insert into a values (1)") == Verb::kInsert);
  CHECK(verb_of("Replace into a values (1)") == Verb::kInsert);
  CHECK(verb_of("update a set b = 1") == Verb::kUpdate);
  CHECK(verb_of("delete from a") == Verb::kDelete);
  CHECK(verb_of("merge into a using b") == Verb::kMerge);
  CHECK(verb_of("call p()") == Verb::kCall);
  CHECK(verb_of("SET NAMES utf8") == Verb::kSet);
  CHECK(verb_of("create table a (b int)") == Verb::kDdl);
  CHECK(verb_of("pragma foreign_keys") == Verb::kOther);
  CHECK(verb_of("selection") == Verb::kOther);
}

TEST_CASE("comments, hints, blanks and brackets before the verb are skipped") {
  CHECK(verb_of(" \n-- select\n/* insert */ # delete\n(update a set b = 1)") == Verb::kUpdate);
  CHECK(verb_of("# why\n  # not\ndelete from a") == Verb::kDelete);
  CHECK(verb_of("/*+ select */ delete from a") == Verb::kDelete);
  CHECK(verb_of("/*!40101 SET NAMES utf8 */") == Verb::kSet);
}

TEST_CASE("the verb of WITH is that of the statement it introduces") {
  CHECK(verb_of("with a as (select 1), b as (delete from c returning *) insert into d select * from a") ==
        Verb::kInsert);
  CHECK(verb_of("with a as (select 1) select * from a") == Verb::kSelect);
  CHECK(verb_of("(with a as (delete from b) select * from a)") == Verb::kSelect);
}

TEST_CASE("transactions begin and end under all their names") {
  CHECK(verb_of("BEGIN IMMEDIATE") == Verb::kBegin);
  CHECK(verb_of("start transaction") == Verb::kBegin);
  CHECK(verb_of("commit work;") == Verb::kCommit);
  CHECK(verb_of("END") == Verb::kCommit);
  CHECK(verb_of("rollback") == Verb::kRollback);
  CHECK(verb_of("ABORT") == Verb::kRollback);
}

TEST_CASE("a rollback to a savepoint does not end the transaction") {
  CHECK(verb_of("rollback to savepoint a") == Verb::kSavepoint);
  CHECK(verb_of("ROLLBACK WORK TO a") == Verb::kSavepoint);
  CHECK(verb_of("savepoint a") == Verb::kSavepoint);
  CHECK(verb_of("release savepoint a") == Verb::kSavepoint);
}

TEST_CASE("only a bare SELECT 1 is a ping") {
  CHECK(verb_of("SELECT 1") == Verb::kPing);
  CHECK(verb_of("/* pool */ select 1 ;") == Verb::kPing);
  CHECK(verb_of("select 1 from a") == Verb::kSelect);
  CHECK(verb_of("select 12") == Verb::kSelect);
  CHECK(verb_of("select 1; delete from a") == Verb::kSelect);
}

TEST_CASE("a text without a word has no verb") {
  CHECK(verb_of("") == Verb::kOther);
  CHECK(verb_of("/* select") == Verb::kOther);
  CHECK(verb_of("'select'") == Verb::kOther);
  CHECK(verb_of("#") == Verb::kOther);
}

}  // namespace inlens::sql
