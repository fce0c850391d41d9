#include "agent/worker/server_findings.hpp"

#include <catch2/catch.hpp>

using namespace inlens;
using namespace inlens::worker;

namespace {

std::shared_ptr<const store::RequestDetail> kept(std::string route, std::uint64_t ms,
                                                 std::vector<store::Finding> findings) {
  auto request = std::make_shared<store::RequestDetail>();
  request->method = "GET";
  request->route = std::move(route);
  request->duration_ns = ms * 1'000'000;
  request->findings = std::move(findings);
  return request;
}

store::RouteStats route(std::string name, std::uint64_t requests, std::uint64_t failed) {
  store::RouteStats stats;
  stats.method = "GET";
  stats.route = std::move(name);
  for (std::uint64_t i = 0; i < requests; ++i) stats.latency.add(1'000'000);
  stats.status_classes[5] = failed;
  return stats;
}

}  // namespace

TEST_CASE("A healthy server has no findings") {
  store::Snapshot snapshot;
  snapshot.routes.push_back(route("/", 1000, 0));
  snapshot.routes.push_back(route("/once", 1000, 1));
  snapshot.requests.push_back(kept("/", 1, {}));
  snapshot.guard.seen = snapshot.guard.counted = 5;
  CHECK(server_findings(snapshot).empty());
}

TEST_CASE("A route that fails is named with its numbers, before anything else") {
  store::Snapshot snapshot;
  snapshot.routes.push_back(route("/bug", 8, 8));
  for (int i = 0; i < 20; ++i)
    snapshot.requests.push_back(kept("/orders", 2, {{"repeatedStatement", "24 ×", ""}}));
  const auto findings = server_findings(snapshot);
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].kind == "failingRoute");
  CHECK(findings[0].sentence == "GET /bug answered 8 of 8 requests with a 5xx status");
}

TEST_CASE("What kept requests of a route have in common is told once, by the longest") {
  store::Snapshot snapshot;
  snapshot.requests.push_back(
      kept("/orders", 2, {{"repeatedStatement", "24 × the same statement", "queries/1"}}));
  snapshot.requests.push_back(
      kept("/orders", 9, {{"repeatedStatement", "31 × the same statement", "queries/1"}}));
  snapshot.requests.push_back(kept("/orders", 1, {}));
  const auto findings = server_findings(snapshot);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].sentence ==
        "GET /orders: 31 × the same statement (the longest of 2 alike in its 3 kept requests)");
  CHECK(findings[0].link == "queries/1");
}

TEST_CASE("A single request with a finding is its own affair") {
  store::Snapshot snapshot;
  snapshot.requests.push_back(kept("/orders", 2, {{"slowStatement", "A statement took 2 s", ""}}));
  CHECK(server_findings(snapshot).empty());
}

TEST_CASE("A flood of errors is told with what became of them") {
  store::Snapshot snapshot;
  snapshot.guard.seen = 20'000;
  snapshot.guard.dropped = 15'000;
  snapshot.guard.overflowed = 4'980;
  const auto findings = server_findings(snapshot);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].kind == "errorFlood");
}

TEST_CASE("At most ten findings are told") {
  store::Snapshot snapshot;
  for (int i = 0; i < 30; ++i) snapshot.routes.push_back(route("/r" + std::to_string(i), 10, 10));
  CHECK(server_findings(snapshot).size() == 10);
}

namespace {

std::shared_ptr<const store::RequestDetail> opening(std::string route, int connections) {
  auto request = std::make_shared<store::RequestDetail>();
  request->method = "GET";
  request->route = std::move(route);
  for (int i = 0; i < connections; ++i) {
    store::Span& span = request->spans.emplace_back();
    span.kind = store::SpanKind::kConnect;
    span.name = "postgresql 127.0.0.1:5432/shop";
    span.duration_ns = 12'000'000;
  }
  return request;
}

store::CallStats called(std::string server, std::uint64_t calls, std::uint64_t failures) {
  store::CallStats stats;
  stats.server = std::move(server);
  for (std::uint64_t i = 0; i < calls; ++i) stats.latency.add(1'000'000);
  stats.failures = failures;
  stats.last_error = "refused";
  return stats;
}

}  // namespace

TEST_CASE(
    "A route that opens a connection in most of its requests is named, one that fills its pool is not") {
  store::Snapshot snapshot;
  for (int i = 0; i < 10; ++i) snapshot.requests.push_back(opening("/each", i == 0 ? 0 : 1));
  for (int i = 0; i < 50; ++i) snapshot.requests.push_back(opening("/pooled", i < 8 ? 1 : 0));
  const auto findings = server_findings(snapshot);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].kind == "connectionPerRequest");
  CHECK(findings[0].sentence ==
        "GET /each opened 9 connections to postgresql 127.0.0.1:5432/shop in 9 of its 10 kept requests, 12 "
        "ms each");
}

TEST_CASE("A server that fails calls is named with its numbers, one with an accident is not") {
  store::Snapshot snapshot;
  snapshot.calls = {called("http://stock.example", 40, 10), called("http://fine.example", 1000, 2)};
  const auto findings = server_findings(snapshot);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].kind == "failingHost");
  CHECK(findings[0].sentence == "http://stock.example failed 10 of 40 calls (last: refused)");
}
