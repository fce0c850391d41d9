#include "console/api/requests.hpp"

#include <catch2/catch.hpp>

using namespace inlens;
using namespace inlens::console::api;

namespace {

constexpr std::uint64_t kMs = 1'000'000;

void add(store::Snapshot& snapshot, const char* method, const char* target, std::uint32_t status,
         std::uint64_t ms) {
  store::RequestDetail request;
  request.id = {0xABCDEF, snapshot.requests.size()};
  request.method = method;
  request.target = target;
  request.route = request.target.substr(0, request.target.find('?'));
  request.status = status;
  request.duration_ns = ms * kMs;
  snapshot.requests.push_back(std::make_shared<const store::RequestDetail>(request));
}

store::Snapshot four_requests() {
  store::Snapshot snapshot;
  add(snapshot, "GET", "/orders?id=7", 200, 10);
  add(snapshot, "POST", "/orders", 503, 20);
  add(snapshot, "GET", "/Products", 404, 30);
  add(snapshot, "GET", "/nothing", 0, 40);
  return snapshot;
}

// The targets that a query finds.
std::vector<std::string> found(std::string_view query, const store::Snapshot& snapshot = four_requests()) {
  Parameters parameters(query);
  const RequestFilter filter = read_filter(parameters);
  REQUIRE_FALSE(parameters.problem());
  const Json answer = requests(snapshot, filter, 400, 9);
  std::vector<std::string> targets;
  for (const Json& row : answer.at("items")) targets.push_back(row.at("target"));
  return targets;
}

using Targets = std::vector<std::string>;

}  // namespace

TEST_CASE("without a filter the whole history is listed in its order") {
  CHECK(found("") == Targets{"/orders?id=7", "/orders", "/Products", "/nothing"});
}

TEST_CASE("a text is looked for in target, route, method and id, whatever its case") {
  CHECK(found("q=ORDERS") == Targets{"/orders?id=7", "/orders"});
  CHECK(found("q=id%3D7") == Targets{"/orders?id=7"});
  CHECK(found("q=post") == Targets{"/orders"});
  CHECK(found("q=abcdef0000000000000002") == Targets{"/Products"});
  CHECK(found("q=").size() == 4);
}

TEST_CASE("method and route are exact") {
  CHECK(found("method=GET").size() == 3);
  CHECK(found("method=get").empty());
  CHECK(found("route=/orders") == Targets{"/orders?id=7", "/orders"});
  CHECK(found("route=/order").empty());
}

TEST_CASE("a status class holds its hundred only") {
  CHECK(found("status=2xx") == Targets{"/orders?id=7"});
  CHECK(found("status=5xx") == Targets{"/orders"});
  CHECK(found("status=1xx").empty());
}

TEST_CASE("a shortest duration and several filters together") {
  CHECK(found("minDurationMs=30") == Targets{"/Products", "/nothing"});
  CHECK(found("minDurationMs=15&method=GET&status=4xx") == Targets{"/Products"});
}

TEST_CASE("failed requests are those with an error or a 5xx status") {
  store::Snapshot snapshot = four_requests();
  store::RequestDetail with_error = *snapshot.requests[0];
  with_error.counts.errors = 1;
  snapshot.requests[0] = std::make_shared<const store::RequestDetail>(with_error);
  CHECK(found("error=1", snapshot) == Targets{"/orders?id=7", "/orders"});
}

TEST_CASE("pages are cut from what matches, and the answer tells total and shown") {
  CHECK(found("limit=2") == Targets{"/orders?id=7", "/orders"});
  CHECK(found("limit=2&offset=3") == Targets{"/nothing"});
  CHECK(found("offset=4").empty());

  RequestFilter filter;
  filter.method = "GET";
  filter.limit = 1;
  filter.offset = 1;
  const Json answer = requests(four_requests(), filter, 400, 9);
  CHECK(answer["total"] == 3);
  CHECK(answer["shown"] == 1);
  CHECK(answer["held"] == 4);
  CHECK(answer["seen"] == 9);
  CHECK(answer["cap"] == 400);
}

TEST_CASE("a row shows what its route usually takes") {
  store::Snapshot snapshot = four_requests();
  store::RouteStats row;
  row.method = "GET";
  row.route = "/orders";
  for (const std::uint64_t ms : {10, 10, 10, 50}) row.latency.add(ms * kMs);
  snapshot.routes.push_back(row);
  const Json items = requests(snapshot, {}, 400, 9)["items"];
  CHECK(items[0]["usual"]["count"] == 4);
  CHECK(items[0]["usual"]["medianNs"].get<double>() == Approx(10 * kMs).epsilon(0.04));
  CHECK(items[0]["usual"]["p95Ns"].get<double>() == Approx(50 * kMs).epsilon(0.04));
  CHECK(items[1]["usual"].is_null());  // the same route by another method
}

TEST_CASE("flags tell what is special about a request, and nothing about a plain one") {
  store::RequestDetail request;
  request.status = 200;
  CHECK(request_flags(request).empty());
  request.errors.emplace_back().handled = true;
  CHECK(request_flags(request).empty());
  request.errors.emplace_back();
  CHECK(request_flags(request) == Json::array({"failed"}));
  request.findings.push_back({"slowRequest", "", ""});
  request.counts.spans_cut = 1;
  request.tls = request.aborted = true;
  CHECK(request_flags(request) == Json::array({"slow", "failed", "finding", "truncated", "aborted", "tls"}));
}
