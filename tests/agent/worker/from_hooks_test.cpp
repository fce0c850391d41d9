// What real hooks write, the worker reads: the two sides of the record's layout held together.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "agent/hooks/events.hpp"
#include "agent/hooks/requests.hpp"
#include "agent/hooks/spans.hpp"
#include "agent/worker/drain.hpp"
#include "tests/agent/worker/record_builder.hpp"

using namespace inlens;
using namespace inlens::worker;

namespace {

constexpr auto kFull = static_cast<std::uint8_t>(Level::kFull);

struct Server {
  std::shared_ptr<const store::Snapshot> snapshot() {
    while (drain.take_batch(read_moment()) != 0) {
    }
    return drain.snapshot(read_moment());
  }

  TestCore core;
  Drain drain{*core, Settings{}, nullptr, read_moment()};
};

inlens_str str(std::string_view text) {
  return {text.data(), text.size()};
}

inlens_request_info get(std::string_view target) {
  inlens_request_info info{};
  info.method = str("GET");
  info.target = str(target);
  info.host = str("shop.test");
  info.peer = str("10.0.0.9");
  info.protocol = str("HTTP/1.1");
  return info;
}

inlens_request_result answered(std::uint32_t status) {
  inlens_request_result result{};
  result.status = status;
  result.bytes_out = 123;
  result.content_type = str("text/html");
  return result;
}

void run(hooks::Core& core, std::uint64_t request, std::string_view text, std::int64_t rows) {
  inlens_statement_info info{};
  info.text = str(text);
  info.database = str("shop.db");
  info.dialect = INLENS_DIALECT_SQLITE;
  inlens_statement_result result{};
  result.rows = rows;
  hooks::end_statement(core, hooks::begin_statement(core, INLENS_LEVEL_FULL, request, info), result);
}

void fail(hooks::Core& core, std::uint64_t request, std::string_view text) {
  inlens_statement_info info{};
  info.text = str(text);
  info.dialect = INLENS_DIALECT_SQLITE;
  inlens_statement_result result{};
  result.outcome = INLENS_OUTCOME_FAILED;
  result.error_code = str("19");
  result.error_message = str("UNIQUE constraint failed");
  hooks::end_statement(core, hooks::begin_statement(core, INLENS_LEVEL_FULL, request, info), result);
}

hooks::ErrorInfo error(std::string_view type, std::string_view message) {
  hooks::ErrorInfo info;
  info.type = type;
  info.message = message;
  return info;
}

std::string id_of(hooks::Core& core, std::uint64_t request) {
  char id[33];
  return hooks::write_id(core, request, id) ? id : "";
}

}  // namespace

TEST_CASE("A request written by the hooks is read back with everything in it") {
  Server server;
  hooks::Core& core = *server.core;
  const std::uint64_t request = hooks::begin_request(core, kFull, get("/orders/17?password=secret&page=2"));
  const std::string id = id_of(core, request);
  hooks::set_route(core, request, "/orders/{id}");
  hooks::add_header(core, request, 0, "Authorization", "Bearer secret");
  const std::uint64_t stage = hooks::begin_span(core, request, 1, "handler");
  for (int i = 0; i < 6; ++i) run(core, request, "select * from items where id = " + std::to_string(i), 2);
  fail(core, request, "insert into t values (1)");
  inlens_call_info call{};
  call.method = str("GET");
  call.url = str("http://user:pw@other.test/x");
  inlens_call_result result{};
  result.status = 200;
  hooks::end_call(core, hooks::begin_call(core, request, call), result);
  hooks::report_error(core, request, error("shop::NotFound", "order 17 not found"));
  hooks::add_message(core, request, 1, "cart is empty");
  hooks::end_span(core, stage);
  hooks::end_request(core, request, answered(500));

  const auto snapshot = server.snapshot();
  REQUIRE(snapshot->requests.size() == 1);
  const store::RequestDetail& detail = *snapshot->requests[0];
  CHECK(to_hex(detail.id) == id);
  CHECK(detail.route == "/orders/{id}");
  CHECK(detail.target == "/orders/17?password=***&page=2");
  CHECK(detail.status == 500);
  CHECK(detail.bytes_out == 123);
  CHECK(detail.content_type == "text/html");
  CHECK(detail.peer == "10.0.0.9");
  CHECK(detail.level == Level::kFull);
  REQUIRE(detail.request_headers.size() == 1);
  CHECK(detail.request_headers[0].second == "***");
  REQUIRE(detail.spans.size() == 9);
  CHECK(detail.spans[0].name == "handler");
  for (std::size_t i = 1; i < 9; ++i) CHECK(detail.spans[i].parent == 0);
  CHECK(*detail.spans[1].statement->text == "select * from items where id = ?");
  CHECK(detail.spans[1].statement->fingerprint == detail.spans[6].statement->fingerprint);
  CHECK(detail.spans[7].statement->error_code == "19");
  CHECK(detail.spans[8].call->url.find("pw") == std::string::npos);
  CHECK(detail.errors.at(0).issue.has_value());
  CHECK(detail.messages.at(0).text == "cart is empty");
  CHECK(detail.counts.spans == 9);
  CHECK(detail.counts.statements == 7);
  CHECK(detail.counts.rows == 12);
  CHECK(detail.counts.statements_failed == 1);
  CHECK(detail.findings.size() == 2);
  CHECK(snapshot->routes.at(0).statements == 7);
  CHECK(snapshot->issues.at(0).routes.at(0).first == "/orders/{id}");
  CHECK(server.drain.figures().totals.requests == 1);
  CHECK(server.drain.figures().totals.statements == 7);
  CHECK(server.drain.own_figures().damaged == 0);
}

TEST_CASE("Once the worker knows a text the hooks send its hash alone and nothing is lost") {
  Server server;
  hooks::Core& core = *server.core;
  for (int round = 0; round < 50; ++round) {
    const std::uint64_t request = hooks::begin_request(core, kFull, get("/"));
    run(core, request, "select a from t", 1);
    hooks::end_request(core, request, answered(200));
    const auto snapshot = server.snapshot();
    REQUIRE(*snapshot->requests[0]->spans.at(0).statement->text == "select a from t");
  }
  CHECK(server.drain.figures().lost.total() == 0);
  CHECK(server.drain.snapshot(read_moment())->statements.at(0).latency.count == 50);
}

TEST_CASE("A statement's share of the totals is the same whether it has an entry or lies beyond the cap") {
  Server server;
  hooks::Core& core = *server.core;
  core.limits().statements.store(10);
  const std::uint64_t request = hooks::begin_request(core, kFull, get("/"));
  for (int i = 0; i < 25; ++i) run(core, request, "select a from t", 1);
  hooks::end_request(core, request, answered(200));
  const auto snapshot = server.snapshot();
  std::uint64_t runs = 0, rows = 0;
  for (const auto& row : snapshot->statements) {
    runs += row.latency.count;
    rows += row.rows;
  }
  CHECK(runs == 25);
  CHECK(rows == 25);
  CHECK(snapshot->requests[0]->counts.statements == 25);
  CHECK(snapshot->requests[0]->counts.statements_cut == 15);
}

TEST_CASE("A task written by the hooks is joined to its request") {
  Server server;
  hooks::Core& core = *server.core;
  const std::uint64_t request = hooks::begin_request(core, kFull, get("/export"));
  const std::uint64_t early = hooks::begin_task(core, request, "early");
  const std::uint64_t late = hooks::begin_task(core, request, "late");
  hooks::end_span(core, hooks::begin_span(core, early, 0, "work"));
  hooks::end_task(core, early);
  hooks::end_request(core, request, answered(200));
  hooks::end_span(core, hooks::begin_span(core, late, 0, "work"));
  hooks::end_task(core, late);
  const auto snapshot = server.snapshot();
  REQUIRE(snapshot->requests.size() == 1);
  REQUIRE(snapshot->requests[0]->tasks.size() == 2);
  CHECK(snapshot->requests[0]->tasks[0].name == "early");
  CHECK(snapshot->requests[0]->tasks[1].name == "late");
  CHECK(snapshot->requests[0]->spans.size() == 2);
}

TEST_CASE("An error of no request reported to the hooks becomes an issue") {
  Server server;
  hooks::ErrorInfo late = error("Timer", "late");
  late.handled = true;
  hooks::report_error(*server.core, 0, late);
  const auto snapshot = server.snapshot();
  REQUIRE(snapshot->issues.size() == 1);
  CHECK(snapshot->issues[0].type == "Timer");
  CHECK(snapshot->issues[0].newest.handled);
  CHECK(snapshot->requests.empty());
  CHECK(server.drain.figures().totals.errors == 1);
}

TEST_CASE("A panel written by the hooks is read back, secrets masked") {
  Server server;
  hooks::Core& core = *server.core;
  const std::uint64_t request = hooks::begin_request(core, kFull, get("/"));
  hooks::PanelInfo panel;
  panel.kind = 1;
  panel.title = "session";
  panel.columns = 2;
  panel.rows = 2;
  panel.cell = [](const void*, std::uint32_t row, std::uint32_t column) -> std::string_view {
    return row == 0 ? (column == 0 ? "user" : "ada") : (column == 0 ? "password" : "hunter2");
  };
  hooks::add_panel(core, request, panel);
  hooks::end_request(core, request, answered(200));
  const auto snapshot = server.snapshot();
  const store::PanelDetail& read = snapshot->requests[0]->panels.at(0);
  CHECK(read.kind == store::PanelKind::kKeyValue);
  CHECK(read.cells == std::vector<std::string>{"user", "ada", "password", "***"});
}

TEST_CASE("A request of many blocks is read whole") {
  Server server;
  hooks::Core& core = *server.core;
  const std::uint64_t request = hooks::begin_request(core, kFull, get("/"));
  for (int i = 0; i < 150; ++i)
    hooks::add_message(core, request, 1, std::string(300, static_cast<char>('a' + i % 26)));
  hooks::end_request(core, request, answered(200));
  const auto snapshot = server.snapshot();
  REQUIRE(snapshot->requests[0]->messages.size() == 150);
  CHECK(snapshot->requests[0]->messages[27].text == std::string(300, 'b'));
}

TEST_CASE("Statements that the host has no text of are one statement, and nothing is lost") {
  Server server;
  hooks::Core& core = *server.core;
  const std::uint64_t request = hooks::begin_request(core, kFull, get("/"));
  run(core, request, "", 2);
  run(core, request, {}, 3);
  hooks::end_request(core, request, answered(200));
  const auto snapshot = server.snapshot();
  REQUIRE(snapshot->statements.size() == 1);
  CHECK(*snapshot->statements[0].text == "(no text)");
  CHECK(snapshot->statements[0].latency.count == 2);
  CHECK(snapshot->statements[0].rows == 5);
  CHECK(server.drain.figures().lost.text_unknown == 0);
}
