#include <catch2/catch.hpp>
#include <string>

#include "agent/worker/aggregate.hpp"
#include "tests/agent/worker/record_builder.hpp"

using namespace inlens;
using namespace inlens::worker;
using hooks::BlockUse;
using hooks::EntryKind;

namespace {

struct Bench {
  void take(RecordBuilder& record) {
    aggregate.take(record.block(), moment(10 * kSecond));
    hooks::give_record(*core, record.index());
  }
  void request(std::uint64_t id) {
    RecordBuilder record(core);
    record.id(id).times(1000, 9000).request("GET", "/export").route("/export");
    record.span(1, "handler", 1100, 8000);
    take(record);
  }
  void task(std::uint64_t parent, std::string_view name, bool error = false) {
    RecordBuilder record(core, BlockUse::kTask);
    record.id(1'000'000 + parent).parent(parent, 1000).times(2000, 5000).request("TASK", name);
    record.statement({.text = "select a from t", .from = 2100, .to = 2400, .rows = 1});
    if (error) record.error({.message = "task failed"});
    take(record);
  }
  std::shared_ptr<const store::RequestDetail> newest() { return aggregate.history().list().front(); }

  TestCore core;
  Aggregate aggregate{*core, Settings{}, nullptr};
};

void check_joined(const store::RequestDetail& detail, std::string_view name) {
  REQUIRE(detail.tasks.size() == 1);
  CHECK(detail.tasks[0].name == name);
  CHECK(detail.tasks[0].start_ns == 1000);
  CHECK(detail.tasks[0].duration_ns == 3000);
  CHECK_FALSE(detail.tasks[0].thread.empty());
  REQUIRE(detail.spans.size() == 2);
  CHECK(detail.spans[0].task == -1);
  CHECK(detail.spans[1].task == 0);
  CHECK(detail.spans[1].start_ns == 1100);
  CHECK(detail.spans[1].statement.has_value());
  CHECK(detail.counts.statements == 1);
  CHECK(detail.counts.rows == 1);
}

}  // namespace

TEST_CASE("A task that ended before its request is joined to it") {
  Bench bench;
  bench.task(1, "render");
  CHECK(bench.aggregate.pending_tasks().size() == 1);
  CHECK(bench.aggregate.history().size() == 0);
  bench.request(1);
  CHECK(bench.aggregate.pending_tasks().size() == 0);
  check_joined(*bench.newest(), "render");
}

TEST_CASE("A task that ended after its request is joined to it, also when somebody has looked meanwhile") {
  Bench bench;
  bench.request(1);
  const auto before = bench.newest();
  CHECK(before->tasks.empty());
  bench.task(1, "render");
  CHECK(before->tasks.empty());
  check_joined(*bench.newest(), "render");
}

TEST_CASE("Tasks on both sides of their request's end are all joined, and only to their own request") {
  Bench bench;
  bench.task(1, "a");
  bench.task(2, "other");
  bench.task(1, "b");
  bench.request(1);
  bench.task(1, "c");
  const auto detail = bench.newest();
  REQUIRE(detail->tasks.size() == 3);
  CHECK(detail->tasks[0].name == "a");
  CHECK(detail->tasks[1].name == "b");
  CHECK(detail->tasks[2].name == "c");
  CHECK(detail->counts.statements == 3);
  CHECK(bench.aggregate.pending_tasks().size() == 1);
}

TEST_CASE("A task's statements are counted when it ends, and for the route when its request is known") {
  Bench bench;
  bench.task(1, "a");
  CHECK(bench.aggregate.statements().list()[0].latency.count == 1);
  CHECK(bench.aggregate.routes().list().empty());
  bench.request(1);
  bench.task(1, "b");
  const auto routes = bench.aggregate.routes().list();
  REQUIRE(routes.size() == 1);
  CHECK(routes[0].latency.count == 1);
  CHECK(routes[0].statements == 2);
  CHECK(routes[0].statement_ns == 600);
  CHECK(bench.aggregate.statements().list()[0].last_route == "/export");
}

TEST_CASE("An error in a task makes its request notable, and is one issue whichever of the two ended first") {
  Bench bench;
  bench.task(1, "a", true);
  bench.request(1);
  CHECK(bench.newest()->notable);
  CHECK(bench.newest()->errors.size() == 1);
  bench.request(2);
  CHECK_FALSE(bench.newest()->notable);
  bench.task(2, "a", true);
  CHECK(bench.newest()->notable);
  const auto issues = bench.aggregate.errors().list();
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].count == 2);
  CHECK(issues[0].first.request == store::RequestId{0xABCD, 1});
  CHECK(bench.newest()->errors[0].issue == issues[0].id);
}

TEST_CASE("When a request never comes, its tasks give way and what they counted stays counted") {
  Bench bench;
  for (std::uint64_t id = 1; id <= 1000; ++id) bench.task(id, "orphan");
  CHECK(bench.aggregate.pending_tasks().size() == PendingTasks::kTasks);
  CHECK(bench.aggregate.pending_tasks().given_up() == 1000 - PendingTasks::kTasks);
  CHECK(bench.aggregate.statements().list()[0].latency.count == 1000);
  bench.request(1);
  CHECK(bench.newest()->tasks.empty());
  bench.request(1000);
  CHECK(bench.newest()->tasks.size() == 1);
}

TEST_CASE("A request with very many tasks keeps some and counts all") {
  Bench bench;
  bench.request(1);
  for (int i = 0; i < 100; ++i) bench.task(1, "t");
  const auto detail = bench.newest();
  CHECK(detail->tasks.size() == 64);
  CHECK(detail->counts.statements == 100);
  CHECK(detail->counts.statements_cut == 36);
}
