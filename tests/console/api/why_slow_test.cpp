#include "console/api/why_slow.hpp"

#include <catch2/catch.hpp>
#include <limits>

using namespace inlens;
using console::api::why_slow;
using store::RequestDetail;
using store::Span;
using store::SpanKind;

namespace {

constexpr std::int64_t kMs = 1'000'000;

RequestDetail request_of(std::int64_t duration_ms) {
  RequestDetail request;
  request.duration_ns = static_cast<std::uint64_t>(duration_ms * kMs);
  return request;
}

Span& add(RequestDetail& request, SpanKind kind, const std::string& name, std::int64_t start_ms,
          std::int64_t ms) {
  Span span;
  span.kind = kind;
  span.name = name;
  span.start_ns = start_ms * kMs;
  span.duration_ns = ms * kMs;
  request.spans.push_back(span);
  return request.spans.back();
}

Span& add_statement(RequestDetail& request, const char* text, std::int64_t start_ms, std::int64_t ms) {
  Span& span = add(request, SpanKind::kStatement, "", start_ms, ms);
  span.statement.emplace();
  span.statement->fingerprint = std::hash<std::string>{}(text);
  span.statement->text = std::make_shared<const std::string>(text);
  ++request.counts.statements;
  request.counts.statement_ns += static_cast<std::uint64_t>(ms * kMs);
  return span;
}

Span& add_call(RequestDetail& request, const char* url, std::int64_t start_ms, std::int64_t ms) {
  Span& span = add(request, SpanKind::kCall, "", start_ms, ms);
  span.call.emplace();
  span.call->url = url;
  return span;
}

}  // namespace

TEST_CASE("one slow statement is named with its share") {
  RequestDetail request = request_of(312);
  add_statement(request, "SELECT * FROM orders WHERE total > ?", 5, 293);
  CHECK(why_slow(request) == "312 ms: 94 % in 1 statement (`SELECT * FROM orders WHERE total > ?`).");
}

TEST_CASE("the same statement run many times counts as one thing") {
  RequestDetail request = request_of(100);
  for (int i = 0; i < 48; ++i) add_statement(request, "select name from products where id = ?", 2 * i, 2);
  CHECK(why_slow(request) ==
        "100 ms: 96 % in 48 × the same SELECT (`select name from products where id = ?`).");
}

TEST_CASE("many small statements are counted together") {
  RequestDetail request = request_of(100);
  for (int i = 0; i < 10; ++i)
    add_statement(request, ("SELECT " + std::string(1, static_cast<char>('a' + i))).c_str(), 9 * i, 9);
  CHECK(why_slow(request) ==
        "100 ms: 90 % in 10 statements of 10 kinds; no statement or call accounts for 10 %.");
}

TEST_CASE("a request without spans says that nothing accounts for its time") {
  CHECK(why_slow(request_of(50)) == "50 ms: no statement or call accounts for any of it.");
}

TEST_CASE("the time on the CPU is told when it was measured") {
  RequestDetail request = request_of(52);
  request.cpu_ns = 50 * kMs;
  CHECK(why_slow(request) == "52 ms: no statement or call accounts for any of it; 50 ms on the CPU.");
}

TEST_CASE("a wait is named with what it waits for, the largest share first") {
  RequestDetail request = request_of(1'240);
  add_statement(request, "SELECT 1", 10, 384);
  add(request, SpanKind::kWait, "catalog", 400, 769);
  CHECK(why_slow(request) == "1,240 ms: 62 % waiting for `catalog`, 31 % in 1 statement (`SELECT 1`).");
}

TEST_CASE("outgoing calls are named by host, without path and query") {
  RequestDetail request = request_of(100);
  add_call(request, "http://stock.example:81/items?key=1", 0, 40);
  add_call(request, "http://stock.example:81/prices", 40, 55);
  CHECK(why_slow(request) == "100 ms: 95 % in 2 outgoing calls to stock.example:81.");
}

TEST_CASE("a stage counts for what its children leave of it") {
  RequestDetail request = request_of(100);
  add(request, SpanKind::kStage, "handler", 0, 100);
  add_statement(request, "SELECT 1", 10, 30).parent = 0;
  CHECK(why_slow(request) == "100 ms: 70 % in stage `handler` itself, 30 % in 1 statement (`SELECT 1`).");
}

TEST_CASE("parallel work counts once on the wall clock") {
  RequestDetail request = request_of(100);
  request.tasks.push_back({"left", "w1", 0, 100 * kMs, false});
  request.tasks.push_back({"right", "w2", 0, 100 * kMs, false});
  add_statement(request, "SELECT 1", 0, 90).task = 0;
  add_statement(request, "SELECT 1", 0, 90).task = 1;
  CHECK(why_slow(request) ==
        "100 ms: 90 % in 2 × the same SELECT (`SELECT 1`), 10 % in task `left`, 10 % in task `right`.");
}

TEST_CASE("statements beyond the cap count with their time") {
  RequestDetail request = request_of(100);
  add_statement(request, "SELECT 1", 0, 20);
  request.counts.statements = 301;
  request.counts.statements_cut = 300;
  request.counts.statement_ns = 80 * kMs;
  CHECK(why_slow(request) ==
        "100 ms: 60 % in 300 further statements, 20 % in 1 statement (`SELECT 1`); no statement or call "
        "accounts "
        "for 20 %.");
}

TEST_CASE(
    "what takes less than a tenth is left out beside something larger, but named when it is the largest") {
  RequestDetail request = request_of(100);
  add_statement(request, "SELECT 1", 0, 92);
  add_call(request, "http://a/", 92, 5);
  CHECK(why_slow(request) == "100 ms: 92 % in 1 statement (`SELECT 1`).");

  RequestDetail small = request_of(100);
  add_call(small, "http://a/", 0, 4);
  CHECK(why_slow(small) == "100 ms: 4 % in 1 outgoing call to a; no statement or call accounts for 96 %.");
}

TEST_CASE("at most three things are named") {
  RequestDetail request = request_of(100);
  for (int i = 0; i < 5; ++i)
    add(request, SpanKind::kScope, std::string(1, static_cast<char>('a' + i)), 20 * i, 20);
  CHECK(why_slow(request) == "100 ms: 20 % in `a`, 20 % in `b`, 20 % in `c`.");
}

TEST_CASE("a statement whose text was lost is still counted") {
  RequestDetail request = request_of(10);
  add_statement(request, "x", 0, 10).statement->text = nullptr;
  CHECK(why_slow(request) == "10 ms: 100 % in 1 statement.");
}

TEST_CASE("senseless times are clipped to the request") {
  RequestDetail request = request_of(10);
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  Span& early = add(request, SpanKind::kScope, "early", 0, 0);
  early.start_ns = kLeast;
  early.duration_ns = kMost;
  Span& endless = add(request, SpanKind::kScope, "endless", 0, 0);
  endless.start_ns = 5 * kMs;
  endless.duration_ns = kMost;
  endless.parent = 7;
  endless.task = 7;
  CHECK(why_slow(request) == "10 ms: 50 % in `endless`; no statement or call accounts for 50 %.");
  request.duration_ns = std::numeric_limits<std::uint64_t>::max();
  CHECK_FALSE(why_slow(request).empty());
  request.duration_ns = 0;
  CHECK(why_slow(request) == "0 ns: no statement or call accounts for any of it.");
}
