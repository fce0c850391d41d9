#include "console/api/rankings.hpp"

#include <catch2/catch.hpp>

#include "tests/console/api/sample_store.hpp"

using namespace inlens;
using namespace inlens::console::api;

namespace {

constexpr std::uint64_t kMs = 1'000'000;

store::RouteStats route(const char* name, std::initializer_list<std::uint64_t> ms) {
  store::RouteStats row;
  row.method = "GET";
  row.route = name;
  for (const std::uint64_t value : ms) row.latency.add(value * kMs);
  return row;
}

store::Snapshot three_routes() {
  store::Snapshot snapshot;
  snapshot.routes = {route("/often", {3, 3, 3, 3}), route("/slow", {9}), route("other", {50})};
  snapshot.routes[2].other = true;
  snapshot.routes[0].statements = 4;
  snapshot.routes[1].statements = 2;
  snapshot.routes_distinct = 5;
  return snapshot;
}

std::vector<std::string> names(const RouteList& list) {
  std::vector<std::string> out;
  for (const auto* row : list) out.push_back(row->route);
  return out;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("routes are ranked by p95, total time and statements per request, without the other row") {
  const store::Snapshot snapshot = three_routes();
  CHECK(names(slowest_routes(snapshot, 10)) == Names{"/slow", "/often"});
  CHECK(names(busiest_routes(snapshot, 10)) == Names{"/often", "/slow"});
  CHECK(names(chattiest_routes(snapshot, 10)) == Names{"/slow", "/often"});
  CHECK(names(slowest_routes(snapshot, 1)) == Names{"/slow"});
}

TEST_CASE("a route fails by its errors or by its 5xx answers; one without either is not listed") {
  store::Snapshot snapshot = three_routes();
  CHECK(failing_routes(snapshot, 10).empty());
  snapshot.routes[0].errors = 1;
  snapshot.routes[1].status_classes[5] = 2;
  CHECK(names(failing_routes(snapshot, 10)) == Names{"/slow", "/often"});
}

TEST_CASE("the other row tells how many rows' worth it holds") {
  const Json other = other_route(three_routes());
  CHECK(other["rows"] == 3);
  CHECK(other["count"] == 1);
  CHECK(other["totalNs"] == 50 * kMs);
  CHECK(other_route(store::Snapshot()).is_null());
}

TEST_CASE("a row leads to the slowest request of the history that shows it") {
  store::Snapshot snapshot = three_routes();
  for (const std::uint64_t ms : {4, 9, 6}) {
    store::RequestDetail request;
    request.id = {0, ms};
    request.method = "GET";
    request.route = "/slow";
    request.duration_ns = ms * kMs;
    snapshot.requests.push_back(std::make_shared<const store::RequestDetail>(request));
  }
  const Json rows = route_rows(slowest_routes(snapshot, 10), Examples(snapshot));
  CHECK(rows[0]["slowestRequestId"] == "00000000000000000000000000000009");
  CHECK(rows[1]["slowestRequestId"].is_null());
}

TEST_CASE("a statement lists its last route first, then others of the history, each once") {
  store::Snapshot snapshot;
  snapshot.statements.emplace_back();
  snapshot.statements[0].fingerprint = 7;
  snapshot.statements[0].last_route = "/b";
  for (const char* name : {"/a", "/b", "/a"}) {
    store::RequestDetail request;
    request.id = {0, snapshot.requests.size() + 1};
    request.route = name;
    store::Span span;
    span.kind = store::SpanKind::kStatement;
    span.duration_ns = static_cast<std::int64_t>(snapshot.requests.size());
    span.statement.emplace().fingerprint = 7;
    request.spans.push_back(span);
    snapshot.requests.push_back(std::make_shared<const store::RequestDetail>(request));
  }
  const Json row = statement_rows(costliest_statements(snapshot, 1), Examples(snapshot))[0];
  CHECK(row["routes"] == Json::array({"/b", "/a"}));
  CHECK(row["slowestRequestId"] == "00000000000000000000000000000003");
}

TEST_CASE("statements are ranked by total time, p95, runs and failures") {
  const store::Snapshot snapshot = test::sample_snapshot();
  for (const auto& list : {costliest_statements(snapshot, 10), slowest_statements(snapshot, 10),
                           commonest_statements(snapshot, 10), failing_statements(snapshot, 10)}) {
    REQUIRE(list.size() == 2);
    CHECK(list[0]->fingerprint == 0xABC);
    CHECK(list[1]->fingerprint == 0xDEF);
  }
}
