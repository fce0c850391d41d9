// Every answer that the API description promises, held against its schema: over an agent that has seen
// nothing, over one that has seen everything, and over one that was sent hostile bytes.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>

#include "console/api/openapi_text.hpp"
#include "tests/console/api/console_over_source.hpp"
#include "tests/console/api/schema_check.hpp"

using namespace inlens;
using namespace inlens::console::api;
using namespace inlens::console::api::test;

namespace {

struct Call {
  Operation operation;
  std::string target;
  std::string body;
  int status;        // over a full store
  int empty_status;  // over an empty one
};

const std::string kRequest = "00000000000000010000000000000002";
const std::string kIssue = "0000000000001001";

// Resolving comes last: it takes the issue away.
const std::vector<Call> kCalls{
    {{"GET", "/api/overview"}, "/api/overview", "", 200, 200},
    {{"GET", "/api/requests"}, "/api/requests", "", 200, 200},
    {{"GET", "/api/requests/{id}"}, "/api/requests/" + kRequest, "", 200, 404},
    {{"GET", "/bar/data/{id}"}, "/bar/data/" + kRequest, "", 200, 404},
    {{"GET", "/api/inflight"}, "/api/inflight", "", 200, 200},
    {{"GET", "/api/issues"}, "/api/issues", "", 200, 200},
    {{"GET", "/api/issues/{id}"}, "/api/issues/" + kIssue, "", 200, 404},
    {{"GET", "/api/issues/{id}"}, "/api/issues/overflow", "", 200, 404},
    {{"GET", "/api/queries"}, "/api/queries", "", 200, 200},
    {{"GET", "/api/calls"}, "/api/calls", "", 200, 200},
    {{"GET", "/api/connections"}, "/api/connections", "", 200, 200},
    {{"GET", "/api/findings"}, "/api/findings", "", 200, 200},
    {{"GET", "/api/attached"}, "/api/attached", "", 200, 200},
    {{"GET", "/api/reports"}, "/api/reports", "", 200, 200},
    {{"GET", "/api/agent"}, "/api/agent", "", 200, 200},
    {{"GET", "/api/settings"}, "/api/settings", "", 200, 200},
    {{"PUT", "/api/settings/{key}"}, "/api/settings/collect.level", R"({"value":"full"})", 200, 200},
    {{"GET", "/api/openapi.json"}, "/api/openapi.json", "", 200, 200},
    {{"GET", "/api/session"}, "/api/session", "", 200, 200},
    {{"POST", "/api/session"}, "/api/session", R"({"token":"a token for tests"})", 200, 200},
    {{"DELETE", "/api/session"}, "/api/session", "", 204, 204},
    {{"POST", "/api/issues/{id}/resolve"}, "/api/issues/" + kIssue + "/resolve", "", 200, 404}};

const ApiDescription& description() {
  static const ApiDescription kDescription = ApiDescription::from_file(INLENS_OPENAPI_FILE);
  return kDescription;
}

void check_reply(const Call& call, int status, const Reply& reply) {
  CAPTURE(call.operation.method, call.target, reply.text.substr(0, 300));
  CHECK(reply.status == status);
  if (reply.status == 204) {
    CHECK(reply.text.empty());
    return;
  }
  REQUIRE_FALSE(reply.body.is_discarded());
  CHECK(description().problems_of_answer(call.operation, reply.status, reply.body) ==
        std::vector<std::string>());
}

}  // namespace

TEST_CASE("every operation of the API description is called by these tests") {
  for (const Operation& operation : description().operations()) {
    CAPTURE(operation.method, operation.path);
    CHECK(std::any_of(kCalls.begin(), kCalls.end(), [&](const Call& call) {
      return call.operation.method == operation.method && call.operation.path == operation.path;
    }));
  }
}

TEST_CASE("answers over a full store are as described") {
  SampleSource source(Texts::kPlain);
  ConsoleOverSource console(source);
  for (const Call& call : kCalls)
    check_reply(call, call.status, console.ask(call.operation.method, "/~inlens" + call.target, call.body));
}

TEST_CASE("answers over an empty store are as described") {
  SampleSource source;
  ConsoleOverSource console(source);
  for (const Call& call : kCalls)
    check_reply(call, call.empty_status,
                console.ask(call.operation.method, "/~inlens" + call.target, call.body));
}

TEST_CASE("answers are valid JSON as described, whatever bytes were captured") {
  SampleSource source(Texts::kHostile);
  ConsoleOverSource console(source);
  for (const Call& call : kCalls) {
    const Reply reply = console.ask(call.operation.method, "/~inlens" + call.target, call.body);
    check_reply(call, call.status, reply);
    CHECK(std::all_of(reply.text.begin(), reply.text.end(),
                      [](char c) { return static_cast<unsigned char>(c) >= ' ' || c == '\n'; }));
  }
}

TEST_CASE("hostile texts stay inside their JSON strings and keep what is readable") {
  SampleSource source(Texts::kHostile);
  ConsoleOverSource console(source);
  const auto detail = console.get("/~inlens/api/requests/" + kRequest).body;
  const std::string target = detail.at("target");
  CHECK(target.starts_with("/orders?id=7\xEF\xBF\xBD"));
  CHECK(target.find("\"</script><b>\\\x01\n") != std::string::npos);
}

TEST_CASE("refusals are as described") {
  SampleSource source(Texts::kPlain);
  ConsoleOverSource console(source);
  for (const Call& call : kCalls) {
    const bool signs_in = call.operation.method == "POST" && call.operation.path == "/api/session";
    if (!signs_in)
      check_reply(call, 401, console.ask(call.operation.method, "/~inlens" + call.target, call.body, false));
    check_reply(call, 405, console.ask("PATCH", "/~inlens" + call.target, call.body));
    const bool takes_no_query =
        call.operation.path == "/api/session" || call.operation.path == "/api/openapi.json";
    if (call.operation.method == "GET" && !takes_no_query)
      check_reply(call, 400, console.get("/~inlens" + call.target + "?nonsense=1"));
  }
}

TEST_CASE("the description is served byte for byte") {
  std::ifstream file(INLENS_OPENAPI_FILE);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  CHECK(openapi_text() == text);
}
