// Changes while running: only live settings, validated like every other layer.
#include "tests/agent/config/support.hpp"

using namespace inlens;
using namespace inlens::test;

namespace {

Problem refused(std::string_view key, std::string_view value) {
  const auto result = apply_override(load_config({}), key, value);
  REQUIRE(std::holds_alternative<Problem>(result));
  return std::get<Problem>(result);
}

}  // namespace

TEST_CASE("a live setting changes in a copy and the settings before stay as they were") {
  const LoadResult before = load_json(R"({"history.recent": 5, "unknown": 1})");
  const auto result = apply_override(before, "collect.level", "\"full\"");
  REQUIRE(std::holds_alternative<LoadResult>(result));
  const LoadResult& after = std::get<LoadResult>(result);
  CHECK(after.config.collect.level == Level::kFull);
  CHECK(after.config.history.recent == 5);
  CHECK(after.problems.size() == 1);
  CHECK(before.config.collect.level == Level::kLight);
}

TEST_CASE("a setting that is only read at start is refused and named") {
  const Problem problem = refused("console.port", "1234");
  CHECK(problem.kind == ProblemKind::kNotLive);
  CHECK(problem.text() == "console: console.port: cannot be changed while the server runs");
}

TEST_CASE("an unknown key is refused as unknown") {
  CHECK(refused("a.b", "1").kind == ProblemKind::kUnknownKey);
}

TEST_CASE("a value that is not allowed keeps the value in force, the level included") {
  const auto full = apply_override(load_config({}), "collect.level", "\"full\"");
  const auto result = apply_override(std::get<LoadResult>(full), "collect.level", "\"loud\"");
  REQUIRE(std::holds_alternative<Problem>(result));
  CHECK(std::get<Problem>(result).text() ==
        "console: collect.level: \"loud\" is not allowed (off, light, standard or full); using full");
}

TEST_CASE("a change that is not JSON is refused") {
  for (const char* value : {"", "full", "{", "\xFF"}) {
    CHECK(refused("collect.level", value).kind == ProblemKind::kMalformed);
  }
}
