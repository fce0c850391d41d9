#include "agent/worker/decode.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "agent/worker/aggregate.hpp"
#include "tests/agent/worker/record_builder.hpp"

using namespace inlens;
using namespace inlens::worker;
using hooks::EntryKind;

namespace {

std::string_view skip_name(std::uint16_t reason) {
  return reason == 3 ? "notHtml" : "";
}

struct Bench {
  std::shared_ptr<const store::RequestDetail> decoded(RecordBuilder& record) {
    aggregate.take(record.block(), moment(10 * kSecond));
    return aggregate.history().list().front();
  }

  TestCore core;
  Aggregate aggregate{*core, Settings{}, &skip_name};
};

}  // namespace

TEST_CASE("What begin and end said is in the detail") {
  Bench bench;
  RecordBuilder record(bench.core);
  const std::string target = "/orders?" + std::string(300, 'q');
  record.id(7)
      .parent(9, 0)
      .times(kSecond, kSecond + 5 * kMs)
      .request("POST", target, 302)
      .begin("shop.test", "10.0.0.9", "HTTP/2", "00-trace");
  record.text(EntryKind::kContentType, "text/html");
  record.flags(hooks::kFlagTls | hooks::kFlagAborted | hooks::kFlagSubrequest | hooks::kFlagCpuTimed);
  record.head().bytes_in = 11;
  record.head().bytes_out = 22;
  record.head().cpu_ns = 33;
  record.head().skip_reason = 3;
  const auto detail = bench.decoded(record);
  CHECK(detail->id == store::RequestId{0xABCD, 7});
  CHECK(detail->parent == store::RequestId{0xABCD, 9});
  CHECK(detail->method == "POST");
  CHECK(detail->target == target);
  CHECK(detail->status == 302);
  CHECK(detail->started_unix_ms == moment(kSecond).unix_ms());
  CHECK(detail->duration_ns == 5 * kMs);
  CHECK(detail->cpu_ns == 33);
  CHECK(detail->bytes_in == 11);
  CHECK(detail->bytes_out == 22);
  CHECK(detail->content_type == "text/html");
  CHECK(detail->host == "shop.test");
  CHECK(detail->peer == "10.0.0.9");
  CHECK(detail->protocol == "HTTP/2");
  CHECK(detail->traceparent == "00-trace");
  CHECK(detail->tls);
  CHECK(detail->aborted);
  CHECK(detail->subrequest);
  CHECK_FALSE(detail->background);
  CHECK(detail->level == Level::kLight);
  CHECK(detail->skip_reason == "notHtml");
  CHECK_FALSE(detail->thread.empty());
}

TEST_CASE("Spans come in the order they began, with their parents as indices") {
  Bench bench;
  RecordBuilder record(bench.core);
  record.times(1000, 9000);
  const std::uint32_t outer = record.span(1, "outer", 1100, 8000);
  const std::uint32_t inner = record.span(0, "inner", 1200, 7000, outer);
  record.statement({.text = "select a from t", .from = 1300, .to = 1400, .rows = 2, .parent = inner});
  record.call("GET", "http://x/", 1500, 1700, 204, outer);
  record.span(4, "added later", 1150, 1160, outer);
  const auto detail = bench.decoded(record);
  REQUIRE(detail->spans.size() == 5);
  CHECK(detail->spans[0].name == "outer");
  CHECK(detail->spans[0].kind == store::SpanKind::kStage);
  CHECK(detail->spans[0].start_ns == 100);
  CHECK(detail->spans[0].duration_ns == 6900);
  CHECK(detail->spans[0].parent == -1);
  CHECK(detail->spans[1].name == "added later");
  CHECK(detail->spans[1].kind == store::SpanKind::kTimer);
  CHECK(detail->spans[1].parent == 0);
  CHECK(detail->spans[2].name == "inner");
  CHECK(detail->spans[2].parent == 0);
  CHECK(detail->spans[3].kind == store::SpanKind::kStatement);
  CHECK(detail->spans[3].parent == 2);
  CHECK(*detail->spans[3].statement->text == "select a from t");
  CHECK(detail->spans[3].statement->rows == 2);
  CHECK(detail->spans[3].statement->database == "shop.db");
  CHECK(detail->spans[3].statement->dialect == "sqlite");
  REQUIRE(detail->spans[4].call.has_value());
  CHECK(detail->spans[4].call->method == "GET");
  CHECK(detail->spans[4].call->url == "http://x/");
  CHECK(detail->spans[4].call->status == 204);
  CHECK(detail->spans[4].call->bytes_in == 20);
  CHECK(detail->spans[4].parent == 0);
}

TEST_CASE("A parent always comes before its children, also when a child claims an earlier begin") {
  Bench bench;
  RecordBuilder record(bench.core);
  record.times(1000, 9000);
  const std::uint32_t outer = record.span(1, "outer", 5000, 8000);
  record.span(4, "longer than its parent", 1500, 6000, outer);
  record.span(0, "before", 2000, 3000);
  const auto detail = bench.decoded(record);
  REQUIRE(detail->spans.size() == 3);
  for (std::size_t i = 0; i < detail->spans.size(); ++i) {
    CHECK(detail->spans[i].parent < static_cast<std::int32_t>(i));
  }
  CHECK(detail->spans[2].name == "longer than its parent");
  CHECK(detail->spans[2].start_ns == 500);
}

TEST_CASE("A span that was never ended ends with its request and says so") {
  Bench bench;
  RecordBuilder record(bench.core);
  record.times(1000, 9000);
  record.span(0, "open", 2000, 0);
  const auto detail = bench.decoded(record);
  CHECK(detail->spans[0].unfinished);
  CHECK(detail->spans[0].duration_ns == 7000);
}

TEST_CASE("A failed statement has its code and a message without literals") {
  Bench bench;
  RecordBuilder record(bench.core);
  record.statement({.text = "insert into t values ('secret')",
                    .from = 1,
                    .to = 2,
                    .failed = true,
                    .code = "23505",
                    .message = "Duplicate entry 'secret' for key 'name'"});
  const auto detail = bench.decoded(record);
  const store::StatementDetail& statement = *detail->spans[0].statement;
  CHECK(*statement.text == "insert into t values (?)");
  CHECK(statement.failed);
  CHECK(statement.error_code == "23505");
  CHECK(statement.error_message == "Duplicate entry '?'");
}

TEST_CASE("Errors, messages, headers and panels are in the detail") {
  Bench bench;
  RecordBuilder record(bench.core);
  record.times(1000, 9000);
  record.error({.type = "St13runtime_error",
                .message = "no",
                .code = "5",
                .handled = true,
                .at = 1500,
                .frames = {16}});
  record.text(EntryKind::kMessage, "look", 2, 1600);
  record.header(0, "Accept", "*/*").header(1, "Server", "shop");
  record.panel(2, "table", 2, {"name", "value", "a", "1"});
  record.panel(3, "tree", 2, {"root", "", "leaf", "x"});
  record.panel(0, "text", 1, {"words"});
  const auto detail = bench.decoded(record);
  REQUIRE(detail->errors.size() == 1);
  CHECK(detail->errors[0].type == "std::runtime_error");
  CHECK(detail->errors[0].message == "no");
  CHECK(detail->errors[0].code == "5");
  CHECK(detail->errors[0].handled);
  CHECK(detail->errors[0].at_ns == 500);
  CHECK(detail->errors[0].issue.has_value());
  CHECK(detail->errors[0].frames == std::vector<std::string>{"0x10"});
  REQUIRE(detail->messages.size() == 1);
  CHECK(detail->messages[0].severity == store::Severity::kWarning);
  CHECK(detail->messages[0].text == "look");
  CHECK(detail->messages[0].at_ns == 600);
  CHECK(detail->request_headers == std::vector<store::Header>{{"Accept", "*/*"}});
  CHECK(detail->response_headers == std::vector<store::Header>{{"Server", "shop"}});
  REQUIRE(detail->panels.size() == 3);
  CHECK(detail->panels[0].kind == store::PanelKind::kTable);
  CHECK(detail->panels[0].cells == std::vector<std::string>{"name", "value", "a", "1"});
  CHECK(detail->panels[0].depths.empty());
  CHECK(detail->panels[1].depths == std::vector<std::uint8_t>{0, 1});
  CHECK(detail->panels[2].title == "text");
}

TEST_CASE("Counts are exact whatever was cut") {
  Bench bench;
  RecordBuilder record(bench.core);
  record.statement({.from = 0, .to = 50, .rows = 4});
  record.span(0, "s", 0, 1);
  record.call("GET", "/", 0, 30, 200);
  hooks::Counters& counters = record.head().counters;
  counters.statements.increment();
  counters.statements_cut = 1;
  record.head().spans += 2;
  counters.spans_cut = 2;
  counters.strings_cut = 5;
  const auto detail = bench.decoded(record);
  const store::RequestCounts& counts = detail->counts;
  CHECK(counts.statements == 2);
  CHECK(counts.statements_cut == 1);
  CHECK(counts.statement_ns == 50);
  CHECK(counts.rows == 4);
  CHECK(counts.calls == 1);
  CHECK(counts.call_ns == 30);
  CHECK(counts.spans == 6);  // 4 spans and calls, 2 statements
  CHECK(counts.spans_cut == 3);
  CHECK(detail->spans.size() == counts.spans - counts.spans_cut);
  CHECK(counts.strings_cut == 5);
}

TEST_CASE("A failed call has its message") {
  Bench bench;
  RecordBuilder record(bench.core);
  const std::uint32_t ordinal = record.call("GET", "http://x/", 1, 2, 0);
  auto* failure = hooks::append<hooks::FailureEntry>(*bench.core, record.block(),
                                                     EntryKind::kCallError, 7, 2);
  failure->parent = ordinal;
  failure->code_size = 0;
  failure->message_size = 7;
  hooks::put(hooks::strings_of(failure), "refused");
  CHECK(bench.decoded(record)->spans[0].call->error_message == "refused");
}

TEST_CASE("A kept request still has its texts when the memo has forgotten them") {
  Bench bench;
  RecordBuilder record(bench.core);
  record.id(1).request("GET", "/", 500).statement({.text = "select kept from t", .from = 0, .to = 1});
  bench.aggregate.take(record.block(), moment(kSecond));
  hooks::give_record(*bench.core, record.index());
  for (int i = 0; i < 20'000; ++i) {
    RecordBuilder other(bench.core);
    other.id(2).statement({.text = "select * from t where id = " + std::to_string(i), .from = 0, .to = 1});
    bench.aggregate.take(other.block(), moment(kSecond));
    hooks::give_record(*bench.core, other.index());
  }
  CHECK_FALSE(bench.core->known_texts.knows(text_hash("select kept from t")));
  CHECK(*bench.aggregate.history().list().back()->spans[0].statement->text == "select kept from t");
}
