#include "agent/worker/texts.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/agent/worker/record_builder.hpp"

using namespace inlens;
using namespace inlens::worker;

namespace {

struct Memory {
  explicit Memory(std::size_t generation = Texts::kGeneration) : texts(known, statements, generation) {}

  Text& learn(std::string_view text) { return texts.learn(text_hash(text), text, sql::Dialect::kSqlite); }

  hooks::KnownTexts known;
  store::Statements statements{500};
  Texts texts;
};

std::string query(int number) {
  return "select * from t where id = " + std::to_string(number);
}

}  // namespace

TEST_CASE("A text is learned once, is masked, and hooks are told that it is known") {
  Memory memory;
  CHECK(memory.texts.find(text_hash(query(1))) == nullptr);
  CHECK_FALSE(memory.known.knows(text_hash(query(1))));
  const Text& text = memory.learn(query(1));
  CHECK(*text.masked == "select * from t where id = ?");
  CHECK(memory.texts.find(text_hash(query(1))) == &text);
  CHECK(memory.known.knows(text_hash(query(1))));
}

TEST_CASE("Texts of one fingerprint share one masked text and one row") {
  Memory memory;
  const Text& first = memory.learn(query(1));
  CHECK(&memory.learn(query(2)) == &first);
  CHECK(memory.texts.distinct() == 1);
  CHECK(memory.texts.remembered() == 2);
  CHECK(&memory.learn("delete from t") != &first);
}

TEST_CASE(
    "A forgotten text is still understood for one more generation, and hooks are asked to send it again") {
  Memory memory(4);
  const std::uint64_t hash = text_hash("select 1 from a");
  const Text& text = memory.learn("select 1 from a");
  for (int i = 0; i < 4; ++i) memory.learn(query(i));
  CHECK_FALSE(memory.known.knows(hash));
  CHECK(memory.texts.find(hash) == &text);
  CHECK(memory.known.knows(hash));
}

TEST_CASE("A text in use is not forgotten, however many others pass by once") {
  Memory memory(8);
  const std::uint64_t hash = text_hash("select 1 from a");
  const Text& text = memory.learn("select 1 from a");
  for (int i = 0; i < 1000; ++i) {
    memory.learn(query(i));
    REQUIRE(memory.texts.find(hash) == &text);
  }
}

TEST_CASE("The memo is bounded, and a text that nobody refers to any more is gone") {
  Memory memory(8);
  memory.learn("select 1 from a");
  for (int i = 0; i < 100; ++i) memory.learn(query(i));
  CHECK(memory.texts.remembered() <= 16);
  CHECK(memory.texts.distinct() == 1);
  CHECK(memory.texts.find(text_hash("select 1 from a")) == nullptr);
}

TEST_CASE("A kept request's reference outlives the memo") {
  Memory memory(4);
  TextRef kept(memory.texts, memory.learn("select 1 from a"));
  for (int i = 0; i < 100; ++i) memory.learn(query(i));
  CHECK(*kept.get()->masked == "select ? from a");
  CHECK(memory.texts.distinct() == 2);
  CHECK(&memory.learn("select 2 from a") == kept.get());
  for (int i = 0; i < 100; ++i) memory.learn(query(i));
  kept = TextRef();
  CHECK(memory.texts.distinct() == 1);
}

TEST_CASE("A hash that lost its place with the hooks to another one is told again when its text comes") {
  Memory memory;
  const std::uint64_t hash = text_hash(query(1));
  memory.learn(query(1));
  memory.known.learn(hash + 8192);
  REQUIRE_FALSE(memory.known.knows(hash));
  memory.learn(query(1));
  CHECK(memory.known.knows(hash));
}

TEST_CASE("A starting worker takes nothing for known") {
  hooks::KnownTexts known;
  known.learn(123);
  store::Statements statements(10);
  Texts texts(known, statements);
  CHECK_FALSE(known.knows(123));
}
