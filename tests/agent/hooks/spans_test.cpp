#include <catch2/catch.hpp>

#include "agent/hooks/background.hpp"
#include "tests/agent/hooks/fixture.hpp"

using namespace inlens;
using namespace inlens::hooks;

namespace {

// Ends the request and returns its record.
std::uint32_t finish(Fixture& f, std::uint64_t request) {
  end_request(f.core(), request, ok());
  return f.drain().at(0);
}

inlens_statement_result returned(std::int64_t rows) {
  inlens_statement_result result{};
  result.rows = rows;
  return result;
}

inlens_statement_result failed(std::string_view code, std::string_view message, std::int64_t rows = -1) {
  inlens_statement_result result = returned(rows);
  result.outcome = INLENS_OUTCOME_FAILED;
  result.error_code = str(code);
  result.error_message = str(message);
  return result;
}

}  // namespace

TEST_CASE("Spans nest by the order of begin and end") {
  Fixture f;
  const auto request = begin_request(f.core(), kLight, get("/"));
  const auto outer = begin_span(f.core(), request, 1, "handler");
  const auto inner = begin_statement(f.core(), kLight, request, statement("select 1"));
  end_statement(f.core(), inner, {});
  end_span(f.core(), outer);
  const auto after = begin_span(f.core(), request, 0, "after");
  end_span(f.core(), after);
  const auto record = finish(f, request);
  const auto spans = f.entries<SpanEntry>(record, EntryKind::kSpan);
  const auto statements = f.entries<StatementEntry>(record, EntryKind::kStatement);
  REQUIRE(spans.size() == 2);
  REQUIRE(statements.size() == 1);
  CHECK(spans[0]->parent == kNoOrdinal);
  CHECK(statements[0]->parent == spans[0]->ordinal);
  CHECK(spans[1]->parent == kNoOrdinal);
}

TEST_CASE("A span that outlives the one around it keeps its own end") {
  Fixture f;
  const auto request = begin_request(f.core(), kLight, get("/"));
  const auto outer = begin_span(f.core(), request, 0, "outer");
  const auto inner = begin_span(f.core(), request, 0, "inner");
  end_span(f.core(), outer);
  end_span(f.core(), inner);
  const auto spans = f.entries<SpanEntry>(finish(f, request), EntryKind::kSpan);
  REQUIRE(spans.size() == 2);
  CHECK((spans[0]->flags & kEntryOpen) == 0);
  CHECK((spans[1]->flags & kEntryOpen) == 0);
  CHECK(spans[1]->end_ticks >= spans[0]->end_ticks);
}

TEST_CASE("A span still open at the end of its request is marked so") {
  Fixture f;
  const auto request = begin_request(f.core(), kLight, get("/"));
  begin_span(f.core(), request, 0, "open");
  const auto spans = f.entries<SpanEntry>(finish(f, request), EntryKind::kSpan);
  CHECK((spans.at(0)->flags & kEntryOpen) != 0);
}

TEST_CASE("A span ended twice, or by the wrong call, is counted as unpaired") {
  Fixture f;
  const auto request = begin_request(f.core(), kLight, get("/"));
  const auto span = begin_span(f.core(), request, 0, "x");
  end_statement(f.core(), span, {});
  end_span(f.core(), span);
  end_span(f.core(), span);
  CHECK(f.lost(LossReason::kUnpaired) == 2);
  const auto record = finish(f, request);
  end_span(f.core(), span);
  CHECK(f.lost(LossReason::kUnpaired) == 3);
  CHECK(f.entries<SpanEntry>(record, EntryKind::kSpan).size() == 1);
}

TEST_CASE("A statement's text travels until the worker knows it, then its hash alone") {
  Fixture f;
  const std::string_view sql = "select name from products where id = 7";
  const auto request = begin_request(f.core(), kLight, get("/"));
  end_statement(f.core(),
                begin_statement(f.core(), kLight, request, statement(sql, INLENS_DIALECT_SQLITE, "shop.db")),
                {});
  end_statement(f.core(),
                begin_statement(f.core(), kLight, request, statement(sql, INLENS_DIALECT_SQLITE, "shop.db")),
                {});
  const auto first = finish(f, request);
  const auto sent = f.entries<StatementEntry>(first, EntryKind::kStatement);
  REQUIRE(sent.size() == 2);
  CHECK(Fixture::text(sent[0], 0, sent[0]->text_size) == sql);
  CHECK(sent[1]->text_size == sql.size());
  f.core().known_texts.learn(sent[0]->text_hash);
  const auto next = begin_request(f.core(), kLight, get("/"));
  end_statement(f.core(),
                begin_statement(f.core(), kLight, next, statement(sql, INLENS_DIALECT_SQLITE, "shop.db")),
                {});
  const auto later = f.entries<StatementEntry>(finish(f, next), EntryKind::kStatement);
  REQUIRE(later.size() == 1);
  CHECK(later[0]->text_size == 0);
  CHECK(later[0]->text_hash == sent[0]->text_hash);
  CHECK(Fixture::text(later[0], 0, later[0]->database_size) == "shop.db");
  f.core().known_texts.forget(sent[0]->text_hash);
  CHECK_FALSE(f.core().known_texts.knows(sent[0]->text_hash));
}

TEST_CASE("The same text in another dialect is another statement") {
  Fixture f;
  const auto request = begin_request(f.core(), kLight, get("/"));
  end_statement(
      f.core(),
      begin_statement(f.core(), kLight, request, statement("select \"a\"", INLENS_DIALECT_POSTGRES)), {});
  end_statement(f.core(),
                begin_statement(f.core(), kLight, request, statement("select \"a\"", INLENS_DIALECT_MYSQL)),
                {});
  const auto sent = f.entries<StatementEntry>(finish(f, request), EntryKind::kStatement);
  CHECK(sent.at(0)->text_hash != sent.at(1)->text_hash);
}

TEST_CASE("A failed statement keeps its code and its message, with secrets masked") {
  Fixture f;
  const auto request = begin_request(f.core(), kLight, get("/"));
  const auto begun = begin_statement(f.core(), kLight, request, statement("insert", INLENS_DIALECT_POSTGRES));
  end_statement(f.core(), begun, failed("23505", "duplicate key, password=hunter2"));
  const auto record = finish(f, request);
  const auto failures = f.entries<FailureEntry>(record, EntryKind::kStatementError);
  REQUIRE(failures.size() == 1);
  CHECK(Fixture::text(failures[0], 0, failures[0]->code_size) == "23505");
  CHECK(Fixture::text(failures[0], failures[0]->code_size, failures[0]->message_size) ==
        "duplicate key, password=***");
  CHECK(f.core().pool()[record].head.counters.statements_failed == 1);
}

TEST_CASE("Past the cap statements are still counted and timed, details are counted as lost") {
  Fixture f;
  f.core().limits().statements.store(10);
  const auto request = begin_request(f.core(), kLight, get("/"));
  for (int i = 0; i < 1000; ++i) {
    const auto begun = begin_statement(f.core(), kLight, request, statement("select 1"));
    REQUIRE(begun != 0);
    end_statement(f.core(), begun, i % 100 == 0 ? failed({}, {}, 2) : returned(2));
  }
  const auto record = finish(f, request);
  const Counters& counters = f.core().pool()[record].head.counters;
  CHECK(counters.statements.get() == 1000);
  CHECK(counters.statements_failed == 10);
  CHECK(counters.rows == 2000);
  CHECK(counters.statements_cut == 990);
  CHECK(f.entries<StatementEntry>(record, EntryKind::kStatement).size() == 10);
  CHECK(f.lost(LossReason::kLimit) == 990);
  CHECK(f.totals().statements.get() == 1000);
}

TEST_CASE("A record grows over blocks up to its bound and never further") {
  Fixture f(std::size_t{8} << 20);
  f.core().limits().statements.store(1'000'000);
  const std::string text(1900, 'x');
  const auto request = begin_request(f.core(), kLight, get("/"));
  for (int i = 0; i < 5000; ++i) {
    const auto begun = begin_statement(f.core(), kLight, request, statement(text + std::to_string(i)));
    end_statement(f.core(), begun, {});
  }
  const auto record = finish(f, request);
  const RecordHead& head = f.core().pool()[record].head;
  CHECK(head.blocks == kMaxBlocksPerRecord);
  CHECK(head.counters.statements.get() == 5000);
  CHECK(head.counters.statements_cut ==
        5000 - f.entries<StatementEntry>(record, EntryKind::kStatement).size());
  CHECK(f.lost(LossReason::kRecordFull) == head.counters.statements_cut);
}

TEST_CASE("A statement text is cut at its limit and says how long it was") {
  Fixture f;
  const std::string text(10'000, 'x');
  const auto request = begin_request(f.core(), kLight, get("/"));
  end_statement(f.core(), begin_statement(f.core(), kLight, request, statement(text)), {});
  const auto record = finish(f, request);
  const auto* entry = f.entries<StatementEntry>(record, EntryKind::kStatement).at(0);
  CHECK(entry->text_size == 2000);
  CHECK(entry->text_full_size == 10'000);
  CHECK(f.core().pool()[record].head.counters.strings_cut == 1);
}

TEST_CASE("Statements of a request without a record are counted") {
  Fixture f(kBlockBytes);
  const auto first = begin_request(f.core(), kLight, get("/"));
  const auto bare = begin_request(f.core(), kLight, get("/"));
  const auto begun = begin_statement(f.core(), kLight, bare, statement("select 1"));
  end_statement(f.core(), begun, failed({}, {}, 0));
  end_request(f.core(), bare, ok());
  end_request(f.core(), first, ok());
  CHECK(f.totals().statements.get() == 1);
  CHECK(f.totals().statements_failed.get() == 1);
  CHECK(f.lost(LossReason::kUnpaired) == 0);
}

TEST_CASE("A call keeps method, address without secrets, status and bytes") {
  Fixture f;
  const auto request = begin_request(f.core(), kLight, get("/"));
  inlens_call_info info{};
  info.method = str("GET");
  info.url = str("http://ann:pw@stock.example/items?token=abc&n=1");
  const auto call = begin_call(f.core(), request, info);
  inlens_call_result result{};
  result.status = 200;
  result.bytes_out = 10;
  result.bytes_in = 20;
  end_call(f.core(), call, result);
  const auto* entry = f.entries<CallEntry>(finish(f, request), EntryKind::kCall).at(0);
  CHECK(Fixture::text(entry, 0, entry->method_size) == "GET");
  CHECK(Fixture::text(entry, entry->method_size, entry->url_size) ==
        "http://***@stock.example/items?token=***&n=1");
  CHECK(entry->status == 200);
  CHECK(entry->bytes_in == 20);
}

TEST_CASE("A span given as finished lies before now") {
  Fixture f;
  const auto request = begin_request(f.core(), kLight, get("/"));
  add_span(f.core(), request, 4, "render", 1'000'000);
  const auto* entry = f.entries<SpanEntry>(finish(f, request), EntryKind::kSpan).at(0);
  const auto length = ticks_to_ns(entry->end_ticks - entry->ticks);
  CHECK(length >= 999'000);
  CHECK(length <= 1'001'000);
}

TEST_CASE("What a collector observes inside a statement that the host marked is that statement") {
  Fixture f;
  const auto request = begin_request(f.core(), kLight, get("/"));
  inlens_statement_info observed = statement("select 1");
  observed.flags = INLENS_STATEMENT_OBSERVED;
  const auto marked = begin_statement(f.core(), kLight, request, statement("select 1"));
  CHECK(begin_statement(f.core(), kLight, request, observed) == 0);
  end_statement(f.core(), marked, returned(1));
  const auto alone = begin_statement(f.core(), kLight, request, observed);
  CHECK(alone != 0);
  end_statement(f.core(), alone, returned(1));
  CHECK(f.core().pool()[finish(f, request)].head.counters.statements.get() == 2);
}

TEST_CASE("A statement given as finished lies before now and nests like any other") {
  Fixture f;
  const auto request = begin_request(f.core(), kLight, get("/"));
  const auto around = begin_span(f.core(), request, 1, "handler");
  inlens_statement_result result = failed("42P01", "no such table");
  result.duration_ns = 1'000'000;
  add_statement(f.core(), kLight, request, statement("select 1"), result);
  end_span(f.core(), around);
  const auto record = finish(f, request);
  const auto* entry = f.entries<StatementEntry>(record, EntryKind::kStatement).at(0);
  const auto* outer = f.entries<SpanEntry>(record, EntryKind::kSpan).at(0);
  const auto* error = f.entries<FailureEntry>(record, EntryKind::kStatementError).at(0);
  const auto length = ticks_to_ns(entry->end_ticks - entry->ticks);
  CHECK(length >= 999'000);
  CHECK(length <= 1'001'000);
  CHECK(entry->parent == outer->ordinal);
  CHECK(entry->flags == kEntryFailed);
  CHECK(error->parent == entry->ordinal);
  const Counters& counters = f.core().pool()[record].head.counters;
  CHECK(counters.statements.get() == 1);
  CHECK(counters.statements_failed == 1);
  CHECK(ticks_to_ns(counters.statement_ticks) >= 999'000);
}

TEST_CASE("A statement of the background shares its thread's background record, and leaves it when it ends") {
  Fixture f;
  inlens_statement_info job = statement("select 1");
  job.flags = INLENS_STATEMENT_BACKGROUND;
  const auto outer = begin_statement(f.core(), kLight, INLENS_CURRENT, job);
  add_statement(f.core(), kLight, INLENS_CURRENT, job, returned(2));
  end_statement(f.core(), outer, returned(1));
  CHECK(f.drain().empty());  // it goes on, for a second
  end_idle_background(f.core(), true);
  const auto records = f.drain();
  REQUIRE(records.size() == 1);
  const RecordHead& head = f.core().pool()[records[0]].head;
  CHECK(head.counters.statements.get() == 2);
  CHECK(head.counters.rows == 3);
  CHECK((head.flags & kFlagUncounted) != 0);
}

TEST_CASE("Inside a request a statement of the background is the request's") {
  Fixture f;
  const auto request = begin_request(f.core(), kLight, get("/"));
  const auto previous = attach(f.core(), request);
  inlens_statement_info job = statement("select 1");
  job.flags = INLENS_STATEMENT_BACKGROUND;
  end_statement(f.core(), begin_statement(f.core(), kLight, INLENS_CURRENT, job), {});
  add_statement(f.core(), kLight, INLENS_CURRENT, job, {});
  detach(f.core(), previous);
  CHECK(f.core().pool()[finish(f, request)].head.counters.statements.get() == 2);
}

TEST_CASE("Background statements beyond a record's cap go on in the next one") {
  Fixture f;
  f.core().limits().statements = 3;
  inlens_statement_info job = statement("select 1");
  job.flags = INLENS_STATEMENT_BACKGROUND;
  for (int i = 0; i < 4; ++i)
    end_statement(f.core(), begin_statement(f.core(), kLight, INLENS_CURRENT, job), {});
  // Nested ones share a record that is full, and then have no entry.
  const auto outer = begin_statement(f.core(), kLight, INLENS_CURRENT, job);
  const auto inner = begin_statement(f.core(), kLight, INLENS_CURRENT, job);
  const auto beyond = begin_statement(f.core(), kLight, INLENS_CURRENT, job);
  CHECK(beyond == 0);
  end_statement(f.core(), inner, {});
  end_statement(f.core(), outer, {});
  end_idle_background(f.core(), true);
  std::uint32_t statements = 0;
  for (const std::uint32_t record : f.drain())
    statements += f.core().pool()[record].head.counters.statements.get();
  CHECK(statements == 7);
}
