#include "console/api/request_detail.hpp"

#include <catch2/catch.hpp>

#include "console/api/request_parts.hpp"
#include "tests/console/api/sample_store.hpp"

using namespace inlens;
using namespace inlens::console::api;
using test::sample_request;
using test::sample_snapshot;

TEST_CASE("spans keep their order and tell how deep they lie") {
  const Json spans = spans_list(sample_request());
  std::vector<int> depths;
  for (const Json& span : spans) depths.push_back(span["depth"]);
  CHECK(depths == std::vector<int>{0, 1, 2, 1, 1, 1, 1, 0});
  CHECK(spans[0]["parent"].is_null());
  CHECK(spans[2]["parent"] == 1);
  CHECK(spans[7]["task"] == 0);
}

TEST_CASE("a parent or task that does not exist is none") {
  store::RequestDetail request;
  request.spans.resize(2);
  request.spans[0].parent = 1;  // a parent begins before its child
  request.spans[1].parent = 1;
  request.spans[1].task = 3;
  for (const Json& span : spans_list(request)) {
    CHECK(span["parent"].is_null());
    CHECK(span["task"].is_null());
    CHECK(span["depth"] == 0);
  }
}

TEST_CASE("a span that never ended has no duration") {
  const Json spans = spans_list(sample_request());
  CHECK(spans[7]["durationNs"].is_null());
  CHECK(spans[6]["durationNs"] == 3'000'000);
}

TEST_CASE("what is not known about a statement or call is null, a lost text is empty") {
  const Json spans = spans_list(sample_request());
  const Json& known = spans[2]["statement"];
  CHECK(known["fingerprint"] == "0000000000000abc");
  CHECK(known["rows"] == 3);
  CHECK(known["errorCode"] == "SQLITE_BUSY");
  const Json& unknown = spans[7]["statement"];
  CHECK(unknown["text"] == "");
  CHECK(unknown["dialect"] == "generic");
  CHECK(unknown["rows"].is_null());
  CHECK(unknown["database"].is_null());
  CHECK(unknown["errorMessage"].is_null());
  CHECK(spans[0]["statement"].is_null());
  CHECK(spans[3]["call"]["status"] == 503);
}

TEST_CASE("an error leads to its issue as long as that is listed") {
  store::Snapshot snapshot = sample_snapshot();
  CHECK(errors_list(sample_request(), snapshot)[0]["issueId"] == "0000000000001001");
  CHECK(errors_list(sample_request(), snapshot)[1]["issueId"].is_null());
  snapshot.issues.clear();
  CHECK(errors_list(sample_request(), snapshot)[0]["issueId"].is_null());
}

TEST_CASE("timers of one name are added up") {
  store::RequestDetail request;
  for (const std::int64_t ns : {5, 9, 1}) {
    store::Span& span = request.spans.emplace_back();
    span.kind = store::SpanKind::kTimer;
    span.name = "render";
    span.duration_ns = ns;
  }
  const Json timers = timers_list(request);
  REQUIRE(timers.size() == 1);
  CHECK(timers[0] == Json({{"name", "render"}, {"count", 3}, {"totalNs", 15}, {"maxNs", 9}}));
}

TEST_CASE("a table's first row is its head, and a row that was cut stays short") {
  const Json panels = panels_list(sample_request());
  CHECK(panels[2]["columns"] == Json::array({"name", "price"}));
  CHECK(panels[2]["rows"] == Json::array({Json::array({"tea", "4"}), Json::array({"cut"})}));
}

TEST_CASE("other panels have rows only, a tree has a depth for each") {
  const Json panels = panels_list(sample_request());
  CHECK(panels[0]["rows"] == Json::array({Json::array({"one"})}));
  CHECK(panels[0]["columns"].is_null());
  CHECK(panels[1]["rows"] == Json::array({Json::array({"items", "3"})}));
  CHECK(panels[3]["depths"] == Json::array({0, 1}));
  CHECK(panels[3]["rows"].size() == 2);
}

TEST_CASE("an empty panel of any kind has no rows") {
  for (const auto kind : {store::PanelKind::kText, store::PanelKind::kTable, store::PanelKind::kTree}) {
    store::RequestDetail request;
    request.panels.emplace_back().kind = kind;
    CHECK(panels_list(request)[0]["rows"].empty());
  }
}

TEST_CASE("headers that were masked say so, and none collected is null") {
  const Json headers = headers_of(sample_request());
  CHECK(headers["request"][0]["masked"] == true);
  CHECK(headers["request"][1]["masked"] == false);
  CHECK(headers_of(store::RequestDetail()).is_null());
}

TEST_CASE("a request is told with its sentence, its usual times and its findings") {
  const Json detail = request_detail(sample_request(), sample_snapshot());
  CHECK(detail["why"].get<std::string>().starts_with("44 ms: "));
  CHECK(detail["usual"]["count"] == 3);
  CHECK(detail["findings"].size() == 3);
  CHECK(detail["findings"][0]["link"] == "queries/0");
  CHECK(detail["findings"][2]["link"].is_null());
  CHECK(detail["parentId"] == "00000000000000030000000000000004");
  CHECK(detail["cpuNs"] == 20'000'000);
  CHECK(detail["decorated"] == Json({{"bar", false}, {"reason", "not HTML"}}));
}
