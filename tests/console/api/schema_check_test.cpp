#include "tests/console/api/schema_check.hpp"

#include <catch2/catch.hpp>

using inlens::console::api::test::ApiDescription;
using nlohmann::json;

namespace {

// How many problems there are; the check itself must be able to find some.
std::size_t problems(const char* schema, const char* value) {
  const ApiDescription api(
      json::parse(R"({"components":{"schemas":{"Id":{"type":"string","pattern":"^[0-9]+$"}}}})"));
  return api.problems(json::parse(value), json::parse(schema)).size();
}

}  // namespace

TEST_CASE("the schema check finds a wrong type, alone or in a list of types") {
  CHECK(problems(R"({"type":"integer"})", "1") == 0);
  CHECK(problems(R"({"type":"integer"})", "1.5") == 1);
  CHECK(problems(R"({"type":"integer"})", "\"1\"") == 1);
  CHECK(problems(R"({"type":["string","null"]})", "null") == 0);
  CHECK(problems(R"({"type":["string","null"]})", "true") == 1);
  CHECK(problems(R"({"type":"number"})", "2") == 0);
  CHECK(problems(R"({"type":"boolean"})", "0") == 1);
}

TEST_CASE("the schema check finds missing and undescribed members") {
  constexpr auto kSchema =
      R"({"type":"object","required":["a"],"properties":{"a":{"type":"integer"}},"additionalProperties":false})";
  CHECK(problems(kSchema, R"({"a":1})") == 0);
  CHECK(problems(kSchema, R"({})") == 1);
  CHECK(problems(kSchema, R"({"a":1,"b":2})") == 1);
  CHECK(problems(kSchema, R"({"a":"x"})") == 1);
}

TEST_CASE("the schema check looks into every item and follows references") {
  constexpr auto kSchema =
      R"({"type":"array","items":{"$ref":"#/components/schemas/Id"},"minItems":1,"maxItems":2})";
  CHECK(problems(kSchema, R"(["1","2"])") == 0);
  CHECK(problems(kSchema, R"(["1","x"])") == 1);
  CHECK(problems(kSchema, R"([])") == 1);
  CHECK(problems(kSchema, R"(["1","2","3"])") == 1);
}

TEST_CASE("the schema check knows enumerations, constants, bounds and sizes") {
  CHECK(problems(R"({"enum":["a","b"]})", "\"c\"") == 1);
  CHECK(problems(R"({"const":7})", "8") == 1);
  CHECK(problems(R"({"minimum":0})", "-1") == 1);
  CHECK(problems(R"({"maximum":5})", "6") == 1);
  CHECK(problems(R"({"maxLength":2})", "\"abc\"") == 1);
  CHECK(problems(R"({"minProperties":1})", "{}") == 1);
  CHECK(problems(R"({"maxProperties":1})", R"({"a":1,"b":2})") == 1);
}

TEST_CASE("the schema check tells any of several alternatives from exactly one") {
  CHECK(problems(R"({"anyOf":[{"type":"string"},{"type":"null"}]})", "null") == 0);
  CHECK(problems(R"({"anyOf":[{"type":"string"},{"type":"null"}]})", "1") == 1);
  CHECK(problems(R"({"oneOf":[{"type":"number"},{"type":"integer"}]})", "1.5") == 0);
  CHECK(problems(R"({"oneOf":[{"type":"number"},{"type":"integer"}]})", "1") == 1);
}

TEST_CASE("the schema check refuses a keyword that it does not know") {
  CHECK(problems(R"({"multipleOf":2})", "4") == 1);
}

TEST_CASE("every schema of the API description uses known keywords only") {
  const ApiDescription api = ApiDescription::from_file(INLENS_OPENAPI_FILE);
  for (const auto& [name, schema] : api.document().at("components").at("schemas").items())
    for (const std::string& problem : api.problems(json(), schema)) {
      CAPTURE(name, problem);
      CHECK(problem.find("does not know") == std::string::npos);
    }
}

TEST_CASE("an operation or status that is not described is a problem") {
  const ApiDescription api = ApiDescription::from_file(INLENS_OPENAPI_FILE);
  CHECK(api.problems_of_answer({"GET", "/api/nothing"}, 200, json()).size() == 1);
  CHECK(api.problems_of_answer({"GET", "/api/overview"}, 418, json()).size() == 1);
}
