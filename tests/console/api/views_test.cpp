#include "console/api/views.hpp"

#include <catch2/catch.hpp>

#include "tests/console/api/console_over_source.hpp"

using namespace inlens;
using namespace inlens::console::api::test;

namespace {

const std::string kUnknownRequest = "/~inlens/api/requests/ffffffffffffffffffffffffffffffff";

std::string code(const Reply& reply) {
  return reply.body.at("error").at("code");
}
std::string message(const Reply& reply) {
  return reply.body.at("error").at("message");
}

}  // namespace

TEST_CASE("the total of requests counts those that ended while the snapshot was taken") {
  SampleSource source(Texts::kPlain);
  source.requests_per_snapshot = 5;
  ConsoleOverSource console(source);
  CHECK(console.get("/~inlens/api/overview").body.at("requests").at("total") == 11);
  CHECK(console.get("/~inlens/api/requests").body.at("seen") == 16);
}

TEST_CASE("no view waits longer for the worker than the answer may take") {
  SampleSource source(Texts::kPlain);
  ConsoleOverSource console(source);
  for (const char* view :
       {"overview", "requests", "inflight", "issues", "queries", "reports", "calls", "findings", "agent"})
    CHECK(console.get(std::string("/~inlens/api/") + view).status == 200);
  CHECK(source.longest_wait == std::chrono::milliseconds(20));
}

TEST_CASE("an unknown request was recycled from a history of so many, or never existed") {
  SampleSource source(Texts::kPlain);
  ConsoleOverSource console(source);
  const Reply reply = console.get(kUnknownRequest);
  CHECK(reply.status == 404);
  CHECK(code(reply) == "recycled");
  CHECK(message(reply) == "This request was recycled from the history of 400 requests, or never existed.");
}

TEST_CASE("what is no id is not found, and not echoed") {
  SampleSource source(Texts::kPlain);
  ConsoleOverSource console(source);
  for (const std::string id :
       {"7", "fffffffffffffffffffffffffffffffff", "zfffffffffffffffffffffffffffffff"}) {
    const Reply reply = console.get("/~inlens/api/requests/" + id);
    CHECK(reply.status == 404);
    CHECK(code(reply) == "notFound");
    CHECK(message(reply) == "This is not an id of a request.");
  }
  CHECK(message(console.get("/~inlens/api/issues/7")) == "This is not an id of an issue.");
  CHECK(message(console.ask("POST", "/~inlens/api/issues/0/resolve")) == "This is not an id of an issue.");
}

TEST_CASE("a request under way is told apart from one that was recycled") {
  SampleSource source(Texts::kPlain);
  ConsoleOverSource console(source);
  const Reply reply = console.get("/~inlens/bar/data/00000000000000070000000000000008");
  CHECK(reply.status == 404);
  CHECK(code(reply) == "notYet");
  CHECK(message(reply) == "This request is still running; it enters the history when it ends.");
}

TEST_CASE("whoever asks for an unknown request is told to ask again while records wait for the worker") {
  SampleSource source(Texts::kPlain);
  ConsoleOverSource console(source);
  for (const std::string target : {"/~inlens/bar/data/ffffffffffffffffffffffffffffffff",
                                   "/~inlens/api/requests/ffffffffffffffffffffffffffffffff"}) {
    source.figures_now.queue_depth = 0;
    CHECK(code(console.get(target)) == "recycled");
    source.figures_now.queue_depth = 3;
    CHECK(code(console.get(target)) == "notYet");
  }
}

TEST_CASE("the bar gets the same answer as the console") {
  SampleSource source(Texts::kPlain);
  ConsoleOverSource console(source);
  const std::string id = "00000000000000010000000000000002";
  CHECK(console.get("/~inlens/bar/data/" + id).text == console.get("/~inlens/api/requests/" + id).text);
}

TEST_CASE("a wrong parameter is refused with its name and what is allowed") {
  SampleSource source(Texts::kPlain);
  ConsoleOverSource console(source);
  const Reply limit = console.get("/~inlens/api/requests?limit=201");
  CHECK(limit.status == 400);
  CHECK(code(limit) == "badRequest");
  CHECK(message(limit) == "Parameter `limit` must be a whole number from 1 to 200.");
  CHECK(message(console.get("/~inlens/api/requests?status=500")) ==
        "Parameter `status` must be one of 1xx, 2xx, 3xx, 4xx, 5xx.");
  CHECK(message(console.get("/~inlens/api/requests?lmit=5")) ==
        "Unknown parameter; known here: q, method, status, route, minDurationMs, error, offset, limit.");
  CHECK(message(console.get("/~inlens/api/issues?limit=5")) == "This address takes no parameters.");
}

TEST_CASE("a resolved issue is answered as resolved and is gone afterwards") {
  SampleSource source(Texts::kPlain);
  ConsoleOverSource console(source);
  const std::string issue = "/~inlens/api/issues/0000000000001001";
  const Reply resolved = console.ask("POST", issue + "/resolve");
  CHECK(resolved.status == 200);
  CHECK(resolved.body.at("state") == "resolved");
  CHECK(resolved.body.at("resolvedAtMs") == kNowMs);
  CHECK(source.resolved == std::vector<std::uint32_t>{1});
  CHECK(code(console.get(issue)) == "recycled");
  CHECK(code(console.ask("POST", issue + "/resolve")) == "recycled");
}

TEST_CASE("looking at an issue changes nothing") {
  SampleSource source(Texts::kPlain);
  ConsoleOverSource console(source);
  CHECK(console.get("/~inlens/api/issues/0000000000001001/resolve").status == 405);
  CHECK(console.get("/~inlens/api/settings/collect.level").status == 405);
  CHECK(source.resolved.empty());
}

TEST_CASE("an issue's samples are first, newest and up to three others") {
  SampleSource source(Texts::kPlain);
  ConsoleOverSource console(source);
  const auto issue = console.get("/~inlens/api/issues/0000000000001001").body;
  std::vector<std::string> roles;
  for (const auto& sample : issue.at("samples")) roles.push_back(sample.at("role"));
  CHECK(roles == std::vector<std::string>{"first", "newest", "distinct", "distinct", "distinct"});
  CHECK(issue.at("samples").at(1).at("requestHeld") == true);
  CHECK(issue.at("samples").at(1).at("thread") == "worker-1");
  CHECK(issue.at("samples").at(0).at("requestHeld") == false);
  CHECK(issue.at("groupedBy").size() == 2);
  CHECK(issue.at("routes").size() == 8);
}

TEST_CASE("an issue is told by its newest message, the overflow issue by what it is") {
  SampleSource source(Texts::kPlain);
  source.snapshot_now.issues[1].newest.message = "one of many";
  ConsoleOverSource console(source);
  const auto items = console.get("/~inlens/api/issues").body.at("items");
  CHECK(items.at(0).at("message") == "cannot load 7");
  CHECK(items.at(1).at("id") == "overflow");
  CHECK(items.at(1).at("message") == "errors that found no place");
}

TEST_CASE("a live setting is changed and answered as it is now") {
  SampleSource source(Texts::kPlain);
  ConsoleOverSource console(source);
  const Reply changed = console.ask("PUT", "/~inlens/api/settings/collect.level", R"({"value":"full"})");
  CHECK(changed.status == 200);
  CHECK(changed.body.at("value") == "full");
  CHECK(changed.body.at("source") == "console");
  CHECK(source.settings_now->config.collect.level == Level::kFull);
}

TEST_CASE("a setting that cannot be changed so is refused with the reason") {
  SampleSource source(Texts::kPlain);
  ConsoleOverSource console(source);
  const auto put = [&](const char* key, const char* body) {
    return console.ask("PUT", std::string("/~inlens/api/settings/") + key, body);
  };
  CHECK(put("collect.level", R"({"value":"loud"})").status == 400);
  CHECK(message(put("collect.level", R"({"value":"loud"})")).find("standard") != std::string::npos);
  CHECK(put("console.port", R"({"value":80})").status == 400);
  CHECK(put("no.such.key", R"({"value":1})").status == 404);
  for (const char* body :
       {"", "x", "{}", "[]", "7", R"({"value":1,"more":2})", R"({"Value":1})", "{\"value\":\"\xFF\"}"}) {
    const Reply reply = put("collect.level", body);
    CHECK(reply.status == 400);
    CHECK(message(reply) == "Send JSON with one member, `value`.");
  }
  CHECK(source.settings_now->config.collect.level == Level::kLight);
}

TEST_CASE("losses come by reason and by kind, and their total leaves out what was only shortened") {
  SampleSource source(Texts::kPlain);
  ConsoleOverSource console(source);
  const auto agent = console.get("/~inlens/api/agent").body;
  CHECK(agent.at("lost").at("total") == 1 + 2 + 3 + 5 + 7 + 8 + 9);
  CHECK(agent.at("lost").at("stringCut") == 4);
  CHECK(agent.at("lostByKind").at("panels") == 6);
  CHECK(agent.at("self").at("cpuNs") == 10'000'000);
  CHECK(agent.at("worker").at("perRecordNs") == 2'000'000);
}

TEST_CASE("damaged records and tasks whose request never came are told apart from losses") {
  SampleSource source(Texts::kPlain);
  ConsoleOverSource console(source);
  const auto worker = console.get("/~inlens/api/agent").body.at("worker");
  CHECK(worker.at("damaged") == 12);
  CHECK(worker.at("tasksGivenUp") == 13);
}

TEST_CASE("the guard's identity is computed from the issues, not assumed") {
  SampleSource source(Texts::kPlain);
  ConsoleOverSource console(source);
  const auto guard = [&] { return console.get("/~inlens/api/agent").body.at("guard"); };
  CHECK(guard().at("identityHolds") == true);
  CHECK(guard().at("issueCounts") == 15);
  source.snapshot_now.issues[0].count += 1;
  CHECK(guard().at("identityHolds") == false);
  source.snapshot_now.guard.counted += 1;
  CHECK(guard().at("identityHolds") == false);
  source.snapshot_now.guard.seen += 1;
  CHECK(guard().at("identityHolds") == true);
}

TEST_CASE("problems of the configuration are shown with source, key and what is allowed") {
  SampleSource source(Texts::kPlain);
  LoadOptions options;
  options.json = R"({"console":{"port":99999},"nonsense":1})";
  source.settings_now = std::make_shared<const LoadResult>(load_config(options));
  ConsoleOverSource console(source);
  const auto agent = console.get("/~inlens/api/agent").body;
  const auto& problems = agent.at("config").at("problems");
  REQUIRE(problems.size() == 2);
  for (const auto& problem : problems) CHECK(problem.at("source") == "options");
  CHECK(agent.at("checks").at(1).at("state") == "warning");
}

TEST_CASE("an agent without trouble has no check in the red") {
  SampleSource source;
  source.figures_now.level = Level::kLight;
  source.figures_now.clock = "tsc";
  ConsoleOverSource console(source);
  const auto agent = console.get("/~inlens/api/agent").body;
  for (const auto& check : agent.at("checks")) {
    CAPTURE(check.dump());
    CHECK((check.at("state") == "ok" || check.at("name") == "Bar"));
  }
}
