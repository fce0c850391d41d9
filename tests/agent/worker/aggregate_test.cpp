#include "agent/worker/aggregate.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/agent/worker/record_builder.hpp"

using namespace inlens;
using namespace inlens::worker;

namespace {

struct Bench {
  explicit Bench(const Settings& settings = {}) : aggregate(*core, settings, nullptr) {}

  void take(RecordBuilder& record) {
    aggregate.take(record.block(), moment(now));
    hooks::give_record(*core, record.index());
  }
  // A request from `start` on that took `ms`.
  RecordBuilder request(std::uint64_t id, std::uint64_t ms = 5) {
    RecordBuilder record(core);
    record.id(id).times(now, now + ms * kMs);
    return record;
  }
  std::shared_ptr<const store::RequestDetail> newest() { return aggregate.history().list().front(); }

  TestCore core;
  std::uint64_t now = 10 * kSecond;
  Aggregate aggregate;
};

}  // namespace

TEST_CASE("A request is counted in the row of the route that its host named last") {
  Bench bench;
  RecordBuilder record = bench.request(1, 5);
  record.request("GET", "/orders/17", 404).route("/first").route("/orders/{id}");
  record.head().bytes_out = 321;
  bench.take(record);
  const auto routes = bench.aggregate.routes().list();
  REQUIRE(routes.size() == 1);
  CHECK(routes[0].method == "GET");
  CHECK(routes[0].route == "/orders/{id}");
  CHECK(routes[0].latency.count == 1);
  CHECK(routes[0].latency.total_ns == 5 * kMs);
  CHECK(routes[0].status_classes[4] == 1);
  CHECK(routes[0].bytes_out == 321);
  CHECK(routes[0].last_unix_ms == moment(bench.now + 5 * kMs).unix_ms());
  CHECK(bench.newest()->route == "/orders/{id}");
  CHECK(bench.newest()->routed);
}

TEST_CASE("Requests whose host names no routes are grouped by path with its variable parts masked") {
  Bench bench;
  for (std::uint64_t id = 1; id <= 50; ++id) {
    RecordBuilder record = bench.request(id);
    record.request("GET", "/orders/" + std::to_string(1000 + id) + "?page=" + std::to_string(id)).begin();
    bench.take(record);
  }
  const auto routes = bench.aggregate.routes().list();
  REQUIRE(routes.size() == 1);
  CHECK(routes[0].route == "/orders/{id}");
  CHECK(routes[0].latency.count == 50);
  CHECK(bench.newest()->route == "/orders/{id}");
  CHECK_FALSE(bench.newest()->routed);
}

TEST_CASE("A long target is grouped by all of its path") {
  Bench bench;
  const std::string path = "/" + std::string(20, 'a') + "-" + std::string(20, 'b') + "-" +
                           std::string(20, 'c') + "-" + std::string(20, 'd') + "-" + std::string(20, 'e') +
                           "-" + std::string(20, 'f') + "/";
  for (const char* end : {"left", "right", "left"}) {
    RecordBuilder record = bench.request(1);
    record.request("GET", path + end).begin();
    bench.take(record);
  }
  CHECK(bench.aggregate.routes().list().size() == 2);
  CHECK(bench.newest()->target == path + "left");
}

TEST_CASE("A statement is counted with its runs, rows, failures, times and the route that ran it") {
  Bench bench;
  RecordBuilder record = bench.request(1);
  record.statement({.text = "select a from t where id = 1", .from = 100, .to = 1100, .rows = 3});
  record.statement({.text = "select a from t where id = 2",
                    .from = 100,
                    .to = 400,
                    .rows = -1,
                    .failed = true,
                    .code = "42",
                    .message = "bad 'value'"});
  record.route("/orders");
  bench.take(record);
  const auto list = bench.aggregate.statements().list();
  REQUIRE(list.size() == 1);
  CHECK(*list[0].text == "select a from t where id = ?");
  CHECK(list[0].dialect == "sqlite");
  CHECK(list[0].latency.count == 2);
  CHECK(list[0].latency.total_ns == 1300);
  CHECK(list[0].latency.min_ns == 300);
  CHECK(list[0].rows == 3);
  CHECK(list[0].failures == 1);
  CHECK(list[0].last_error == "42: bad '?'");
  CHECK(list[0].last_route == "/orders");
  const auto routes = bench.aggregate.routes().list();
  CHECK(routes[0].statements == 2);
  CHECK(routes[0].statement_ns == 1300);
}

TEST_CASE("A duration that the caller measured counts instead of the clock's") {
  Bench bench;
  RecordBuilder record = bench.request(1);
  record.statement({.from = 100, .to = 200, .duration_ns = 77});
  bench.take(record);
  CHECK(bench.aggregate.statements().list()[0].latency.total_ns == 77);
  CHECK(bench.newest()->spans[0].duration_ns == 77);
}

TEST_CASE("A statement that is still running when its request ends is timed up to there") {
  Bench bench;
  RecordBuilder record = bench.request(1, 5);
  record.statement({.from = bench.now + kMs, .to = 0});
  bench.take(record);
  CHECK(bench.aggregate.statements().list()[0].latency.total_ns == 4 * kMs);
  CHECK(bench.newest()->spans[0].unfinished);
}

TEST_CASE("The 501st statement is counted as other while its request still shows its text") {
  Settings settings;
  settings.statements = 500;
  Bench bench(settings);
  for (int i = 0; i < 520; ++i) {
    RecordBuilder record = bench.request(static_cast<std::uint64_t>(i));
    record.statement({.text = "select c" + std::string(1, static_cast<char>('a' + i % 26)) + "_" +
                              std::string(static_cast<std::size_t>(i / 26), 'x') + " from t",
                      .from = 0,
                      .to = 10});
    bench.take(record);
  }
  const auto list = bench.aggregate.statements().list();
  REQUIRE(list.size() == 501);
  CHECK(list.back().other);
  CHECK(list.back().latency.count == 20);
  std::uint64_t runs = 0, total_ns = 0;
  for (const auto& row : list) {
    runs += row.latency.count;
    total_ns += row.latency.total_ns;
  }
  CHECK(runs == 520);
  CHECK(total_ns == 5200);
  CHECK(bench.aggregate.statements().distinct() == 520);
  CHECK(bench.newest()->spans[0].statement->text != nullptr);
}

TEST_CASE("Statements beyond a request's cap are counted as other with their time") {
  Bench bench;
  RecordBuilder record = bench.request(1);
  record.statement({.from = 0, .to = 100, .rows = 1});
  hooks::Counters& counters = record.head().counters;
  for (int i = 0; i < 3; ++i) counters.statements.increment();
  counters.statements_cut = 3;
  counters.statement_ticks += 300;
  counters.rows += 6;
  bench.take(record);
  const auto list = bench.aggregate.statements().list();
  REQUIRE(list.size() == 2);
  CHECK(list[1].other);
  CHECK(list[1].latency.count == 3);
  CHECK(list[1].latency.total_ns == 300);
  CHECK(list[1].rows == 6);
}

TEST_CASE("A hash without its text is counted, as lost and as other") {
  Bench bench;
  RecordBuilder record = bench.request(1);
  record.statement({.text = "never sent", .from = 0, .to = 10, .hash_only = true});
  bench.take(record);
  CHECK(bench.aggregate.shortfalls().text_unknown == 1);
  const auto list = bench.aggregate.statements().list();
  REQUIRE(list.size() == 1);
  CHECK(list[0].other);
  CHECK(list[0].latency.count == 1);
  CHECK(bench.newest()->spans[0].statement->text == nullptr);
  CHECK(bench.newest()->spans[0].statement->fingerprint == 0);
}

TEST_CASE("A text that was sent once is known when its hash comes alone") {
  Bench bench;
  for (std::uint64_t id = 1; id <= 3; ++id) {
    RecordBuilder record = bench.request(id);
    record.statement({.from = 0, .to = 10, .hash_only = id > 1});
    bench.take(record);
  }
  CHECK(bench.aggregate.shortfalls().text_unknown == 0);
  CHECK(*bench.newest()->spans[0].statement->text == "select * from orders where id = ?");
  CHECK(bench.aggregate.statements().list()[0].latency.count == 3);
}

TEST_CASE(
    "Errors, server errors, slow requests, slow, failed and repeated statements make a request notable") {
  const auto notable = [](auto change) {
    Bench bench;
    RecordBuilder record = bench.request(1);
    change(record, bench);
    bench.take(record);
    return bench.newest()->notable;
  };
  const auto run = [](RecordBuilder& record, int times, std::uint64_t ns, std::string_view text) {
    for (int i = 0; i < times; ++i) record.statement({.text = text, .from = 1, .to = 1 + ns});
  };
  CHECK_FALSE(notable([](auto&, auto&) {}));
  CHECK_FALSE(notable([](auto& record, auto&) { record.request("GET", "/", 404); }));
  CHECK_FALSE(notable([&](auto& record, auto&) { run(record, 4, 10, "select a from t"); }));
  CHECK_FALSE(notable([&](auto& record, auto&) { run(record, 40, 10, "begin"); }));
  CHECK(notable([](auto& record, auto&) { record.request("GET", "/", 500); }));
  CHECK(notable([](auto& record, auto& bench) { record.times(bench.now, bench.now + kSecond); }));
  CHECK(notable([](auto& record, auto&) { record.error({}); }));
  CHECK(notable([&](auto& record, auto&) { run(record, 5, 10, "select a from t"); }));
  CHECK(notable([&](auto& record, auto&) { run(record, 1, 100 * kMs, "select a from t"); }));
  CHECK(notable([](auto& record, auto&) { record.statement({.from = 1, .to = 2, .failed = true}); }));
}

namespace {

// One request that runs a statement, which takes `ns`, and calls a server, which takes ten times as long.
std::vector<store::Finding> findings_after(Bench& bench, std::uint64_t ns, std::uint64_t requests = 1) {
  for (std::uint64_t i = 0; i < requests; ++i) {
    RecordBuilder record = bench.request(i + 1, 490);
    record.statement({.text = "select a from t", .from = bench.now, .to = bench.now + ns});
    record.call("GET", "http://stock.example/items", bench.now, bench.now + ns * 10, 200);
    bench.take(record);
  }
  return bench.newest()->findings;
}

}  // namespace

TEST_CASE("A statement and a call that take over five times their own p95 are told with what is usual") {
  Bench bench;
  CHECK(findings_after(bench, 3 * kMs, 60).empty());
  const auto findings = findings_after(bench, 40 * kMs);
  CHECK(bench.newest()->notable);
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].kind == "slowStatement");
  CHECK(findings[0].sentence ==
        "A statement took 40 ms, 8 % of the request, 13 × its p95 of 3.0 ms over 60 earlier runs: select a "
        "from t");
  CHECK(findings[0].link.starts_with("queries/"));
  CHECK(findings[1].kind == "slowHost");
  CHECK(findings[1].sentence ==
        "A call took 400 ms, 82 % of the request, 13 × its server's p95 of 30 ms over 60 earlier calls: GET "
        "http://stock.example/items");
}

TEST_CASE("What is a little slower, or quick all the same, or has too few runs before it is not unusual") {
  const auto is_silent = [](std::uint64_t usual_ns, std::uint64_t runs, std::uint64_t ns) {
    Bench bench;
    findings_after(bench, usual_ns, runs);
    const bool silent = findings_after(bench, ns).empty();
    CHECK(silent != bench.newest()->notable);
    return silent;
  };
  CHECK(is_silent(3 * kMs, 60, 14 * kMs));
  CHECK(is_silent(kMs / 10, 60, kMs));
  CHECK(is_silent(3 * kMs, 49, 40 * kMs));
  CHECK_FALSE(is_silent(3 * kMs, 50, 40 * kMs));
}

TEST_CASE("A statement that has become slow for good is soon as usual") {
  Bench bench;
  findings_after(bench, 3 * kMs, 60);
  CHECK_FALSE(findings_after(bench, 40 * kMs, 40).empty());
  CHECK(findings_after(bench, 40 * kMs, 40).empty());
}

TEST_CASE("Statements that share the row other are not compared with each other") {
  Settings settings;
  settings.statements = 1;
  Bench bench(settings);
  const auto run = [&](const char* text, std::uint64_t ns) {
    RecordBuilder record = bench.request(1, 490);
    record.statement({.text = text, .from = bench.now, .to = bench.now + ns});
    bench.take(record);
    return bench.newest()->findings.size();
  };
  run("select first from t", kMs);
  for (int i = 0; i < 60; ++i) run("select second from t", kMs);
  CHECK(run("select third from t", 40 * kMs) == 0);
}

TEST_CASE("Repetition is counted per request, not over requests") {
  Bench bench;
  for (std::uint64_t id = 1; id <= 10; ++id) {
    RecordBuilder record = bench.request(id);
    record.statement({.from = 1, .to = 2});
    bench.take(record);
    CHECK_FALSE(bench.newest()->notable);
  }
}

TEST_CASE("New thresholds count for the next request") {
  Bench bench;
  Settings settings;
  settings.thresholds.slow_request_ns = 2 * kMs;
  bench.aggregate.set_limits(settings);
  RecordBuilder record = bench.request(1, 3);
  bench.take(record);
  REQUIRE(bench.newest()->findings.size() == 1);
  CHECK(bench.newest()->findings[0].kind == "slowRequest");
}

TEST_CASE("A scanner's paths do not push out the routes of the application") {
  Settings settings;
  settings.routes = 20;
  Bench bench(settings);
  const auto visit = [&](const std::string& target, std::uint16_t status) {
    RecordBuilder record = bench.request(1);
    record.request("GET", target, status);
    bench.take(record);
  };
  for (int i = 0; i < 26 * 26; ++i) {
    visit("/x" + std::string(1, static_cast<char>('a' + i % 26)) + static_cast<char>('a' + i / 26), 404);
  }
  visit("/orders", 200);
  const auto routes = bench.aggregate.routes().list();
  CHECK(routes.size() == 12);
  CHECK(std::any_of(routes.begin(), routes.end(), [](const auto& row) { return row.route == "/orders"; }));
  CHECK(bench.aggregate.routes().distinct() == Approx(26 * 26 + 1).epsilon(0.02));
}
