#include "agent/worker/findings.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace inlens;
using namespace inlens::worker;

namespace {

constexpr std::uint64_t kMillisecond = 1'000'000;

store::RequestDetail request(std::uint64_t duration_ms) {
  store::RequestDetail detail;
  detail.id = {0, 0x2A};
  detail.duration_ns = duration_ms * kMillisecond;
  return detail;
}

void add_statement(store::RequestDetail& detail, std::uint64_t fingerprint, const std::string& text,
                   std::int64_t ns, const std::string& error_code = {}) {
  store::Span& span = detail.spans.emplace_back();
  span.kind = store::SpanKind::kStatement;
  span.duration_ns = ns;
  span.statement.emplace();
  span.statement->fingerprint = fingerprint;
  span.statement->text = std::make_shared<const std::string>(text);
  span.statement->failed = !error_code.empty();
  span.statement->error_code = error_code;
}

}  // namespace

TEST_CASE("A healthy request has no finding") {
  store::RequestDetail detail = request(20);
  for (int i = 0; i < 4; ++i) add_statement(detail, 7, "select * from t where id = ?", 1'000'000);
  add_findings(Thresholds{}, detail);
  CHECK(detail.findings.empty());
}

TEST_CASE("A statement run five times in one request is named with count, time and share") {
  store::RequestDetail detail = request(100);
  for (int i = 0; i < 31; ++i)
    add_statement(detail, 0xAB, "select * from items where order_id = ?", 2'000'000);
  add_statement(detail, 0xCD, "select * from orders", 1'000'000);
  add_findings(Thresholds{}, detail);
  REQUIRE(detail.findings.size() == 1);
  CHECK(detail.findings[0].kind == "repeatedStatement");
  CHECK(detail.findings[0].sentence ==
        "31 × the same statement, 62 ms or 62 % of the request: select * from items where order_id = ?");
  CHECK(detail.findings[0].link == "queries/00000000000000ab");
}

TEST_CASE("Transactions, settings and pings may be repeated") {
  store::RequestDetail detail = request(100);
  for (int i = 0; i < 20; ++i) {
    add_statement(detail, 1, "begin", 1'000);
    add_statement(detail, 2, "commit", 1'000);
    add_statement(detail, 3, "select ?", 1'000);
  }
  add_findings(Thresholds{}, detail);
  CHECK(detail.findings.empty());
}

TEST_CASE("A statement is repeated whatever stands between its runs") {
  store::RequestDetail detail = request(100);
  for (int i = 0; i < 5; ++i) {
    add_statement(detail, 1, "begin", 1'000);
    add_statement(detail, 2, "set search_path = ?", 1'000);
    add_statement(detail, 7, "update t set a = ? where id = ?", 2'000'000);
    add_statement(detail, 3, "select ?", 1'000);
    add_statement(detail, 4, "commit", 1'000);
  }
  add_findings(Thresholds{}, detail);
  REQUIRE(detail.findings.size() == 1);
  CHECK(detail.findings[0].sentence ==
        "5 × the same statement, 10 ms or 10 % of the request: update t set a = ? where id = ?");
}

TEST_CASE("A slow statement names its caller, and what is usual if it was unusual as well") {
  store::RequestDetail detail = request(1000);
  add_statement(detail, 5, "select a from t", 40'000'000);
  detail.spans.back().statement->usual = {3'000'000, 60};
  add_statement(detail, 5, "select a from t", 50'000'000);
  add_statement(detail, 6, "select b from t", 800'000'000);
  detail.spans.back().statement->usual = {80'000'000, 400};
  detail.spans.back().statement->caller = "show (orders.cpp:88)";
  Thresholds thresholds;
  thresholds.slow_request_ns = 2'000'000'000;
  add_findings(thresholds, detail);
  REQUIRE(detail.findings.size() == 2);
  CHECK(detail.findings[0].sentence ==
        "A statement took 800 ms, 80 % of the request, from show (orders.cpp:88), 10 × its p95 of 80 ms over "
        "400 earlier runs: select b from t");
  CHECK(detail.findings[1].sentence ==
        "A statement took 40 ms, 4 % of the request, 13 × its p95 of 3.0 ms over 60 earlier runs: select a "
        "from t");
}

TEST_CASE("A slow statement and a slow request are named with their times") {
  store::RequestDetail detail = request(1'240);
  add_statement(detail, 5, "select count(*) from t", 812'000'000);
  add_findings(Thresholds{}, detail);
  REQUIRE(detail.findings.size() == 2);
  CHECK(detail.findings[0].kind == "slowRequest");
  CHECK(detail.findings[0].sentence == "The request took 1,240 ms; slow is from 1,000 ms on");
  CHECK(detail.findings[0].link == "requests/0000000000000000000000000000002a");
  CHECK(detail.findings[1].kind == "slowStatement");
  CHECK(detail.findings[1].sentence ==
        "A statement took 812 ms, 65 % of the request: select count(*) from t");
}

TEST_CASE("Failed statements are named with how many failed and why") {
  store::RequestDetail detail = request(10);
  add_statement(detail, 5, "insert into t values (?)", 1'000);
  add_statement(detail, 5, "insert into t values (?)", 1'000, "23505");
  add_findings(Thresholds{}, detail);
  REQUIRE(detail.findings.size() == 1);
  CHECK(detail.findings[0].kind == "failedStatement");
  CHECK(detail.findings[0].sentence == "1 of 2 runs failed (23505): insert into t values (?)");
}

TEST_CASE("The longest repetition comes first and at most ten findings are made") {
  store::RequestDetail detail = request(100);
  for (std::uint64_t kind = 1; kind <= 20; ++kind) {
    for (int i = 0; i < 5; ++i) {
      add_statement(detail, kind, "select c" + std::to_string(kind) + " from t",
                    static_cast<std::int64_t>(kind) * 1000);
    }
  }
  add_findings(Thresholds{}, detail);
  REQUIRE(detail.findings.size() == 10);
  CHECK(detail.findings[0].sentence.find("select c20") != std::string::npos);
}

TEST_CASE("A long text is cut between characters") {
  store::RequestDetail detail = request(10);
  std::string text = "select ";
  for (int i = 0; i < 200; ++i) text += "é";
  add_statement(detail, 5, text, 200'000'000);
  add_findings(Thresholds{}, detail);
  REQUIRE(detail.findings.size() == 1);
  CHECK(detail.findings[0].sentence.size() < 250);
  CHECK(detail.findings[0].sentence.ends_with("é…"));
}

TEST_CASE("Slow and failed calls are named, quick ones are not") {
  store::RequestDetail detail = request(1000);
  const auto add_call = [&](std::int64_t ms, const std::string& error) {
    store::Span& span = detail.spans.emplace_back();
    span.kind = store::SpanKind::kCall;
    span.duration_ns = ms * 1'000'000;
    store::CallDetail& call = span.call.emplace();
    call.method = "GET";
    call.url = "http://stock.example/items";
    call.failed = !error.empty();
    call.error_message = error;
  };
  add_call(20, "");
  add_call(640, "");
  add_call(3, "Couldn't connect to server");
  Thresholds thresholds;
  thresholds.slow_request_ns = 2'000'000'000;
  add_findings(thresholds, detail);
  REQUIRE(detail.findings.size() == 2);
  CHECK(detail.findings[0].sentence ==
        "A call took 640 ms, 64 % of the request: GET http://stock.example/items");
  CHECK(detail.findings[1].sentence ==
        "A call failed after 3.0 ms (Couldn't connect to server): GET http://stock.example/items");
}

namespace {

void add_rows(store::RequestDetail& detail, std::uint64_t fingerprint, const std::string& text,
              std::int64_t rows, const std::string& caller = {}) {
  add_statement(detail, fingerprint, text, 1'000'000);
  detail.spans.back().statement->rows = rows;
  detail.spans.back().statement->caller = caller;
}

}  // namespace

TEST_CASE("A repetition names the statement whose rows it goes through, and where it is called from") {
  store::RequestDetail detail = request(100);
  add_rows(detail, 1, "select id from orders where customer_id = ?", 6);
  add_statement(detail, 9, "BEGIN", 1'000);
  for (int i = 0; i < 6; ++i)
    add_rows(detail, 2, "select * from items where order_id = ?", 3, "show (orders.cpp:88)");
  add_findings(Thresholds{}, detail);
  REQUIRE(detail.findings.size() == 1);
  CHECK(detail.findings[0].kind == "nPlusOne");
  CHECK(detail.findings[0].sentence ==
        "6 × the same statement from show (orders.cpp:88), 6.0 ms or 6 % of the request, 18 rows: select * "
        "from items "
        "where order_id = ?; once for each of 6 rows of select id from orders where customer_id = ?");
}

TEST_CASE("The same statement from two places is two groups") {
  store::RequestDetail detail = request(100);
  for (int i = 0; i < 4; ++i) {
    add_rows(detail, 2, "select * from items where order_id = ?", 1, "a (a.cpp:1)");
    add_rows(detail, 2, "select * from items where order_id = ?", 1, "b (b.cpp:2)");
  }
  add_findings(Thresholds{}, detail);
  CHECK(detail.findings.empty());
}
