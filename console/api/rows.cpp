#include "console/api/rows.hpp"

#include "console/api/names.hpp"

namespace inlens::console::api {
namespace {

constexpr std::size_t kMaxIssueRoutes = 8;

Json issue_routes(const store::Issue& issue) {
  Json routes = Json::array();
  for (const auto& [route, count] : issue.routes)
    if (routes.size() < kMaxIssueRoutes) routes.push_back(route);
  return routes;
}

// The errors in the overflow issue have nothing in common but that.
const std::string& message_of(const store::Issue& issue) {
  return issue.overflow || issue.newest.message.empty() ? issue.title : issue.newest.message;
}

}  // namespace

Json latency_figures(const store::Histogram& latency) {
  return Json::object({{"p50Ns", latency.percentile(0.5)},
                       {"p95Ns", latency.percentile(0.95)},
                       {"p99Ns", latency.percentile(0.99)},
                       {"maxNs", latency.max_ns}});
}

void add_latency(Json& row, const store::Histogram& latency) {
  row["totalNs"] = latency.total_ns;
  row["minNs"] = latency.count == 0 ? 0 : latency.min_ns;
  row.update(latency_figures(latency));
}

Json status_classes(const std::array<std::uint64_t, 6>& classes) {
  return Json::object({{"1xx", classes[1]},
                       {"2xx", classes[2]},
                       {"3xx", classes[3]},
                       {"4xx", classes[4]},
                       {"5xx", classes[5]},
                       {"other", classes[0]}});
}

Json route_row(const store::RouteStats& row, const Examples& examples) {
  Json json = Json::object({{"method", row.method},
                            {"route", row.route},
                            {"requests", row.latency.count},
                            {"errors", row.errors},
                            {"statusClasses", status_classes(row.status_classes)},
                            {"bytesOut", row.bytes_out}});
  add_latency(json, row.latency);
  json["statements"] = row.statements;
  json["statementNs"] = row.statement_ns;
  json["lastSeenMs"] = row.last_unix_ms > 0 ? Json(row.last_unix_ms) : Json(nullptr);
  json["slowestRequestId"] = examples.slowest_of_route(row.method, row.route);
  return json;
}

Json statement_row(const store::StatementStats& row, const Examples& examples) {
  Json json = Json::object({{"fingerprint", fingerprint_hex(row.fingerprint)},
                            {"text", row.text ? *row.text : std::string()},
                            {"dialect", dialect_or_generic(row.dialect)},
                            {"runs", row.latency.count},
                            {"failures", row.failures},
                            {"rows", row.rows}});
  add_latency(json, row.latency);
  json["routes"] = examples.routes_of_statement(row.fingerprint, row.last_route);
  json["caller"] = nullptr;  // not captured yet
  json["lastSeenMs"] = whole(row.last_unix_ms);
  json["slowestRequestId"] = examples.slowest_of_statement(row.fingerprint);
  return json;
}

std::string issue_id(const store::Issue& issue) {
  return issue.overflow ? "overflow" : fingerprint_hex(issue.fingerprint);
}

Json issue_row(const store::Issue& issue) {
  return Json::object({{"id", issue_id(issue)},
                       {"kind", issue.overflow ? "overflow" : "error"},
                       {"type", issue.type},
                       {"message", message_of(issue)},
                       {"count", issue.count},
                       {"handled", issue.newest.handled},
                       {"firstSeenMs", whole(issue.first_unix_ms)},
                       {"lastSeenMs", whole(issue.last_unix_ms)},
                       {"state", "open"},  // a resolved one is not listed
                       {"routes", issue_routes(issue)}});
}

Json findings_list(const std::vector<store::Finding>& findings, std::size_t limit) {
  Json list = Json::array();
  for (const store::Finding& finding : findings) {
    if (list.size() == limit) break;
    list.push_back(Json::object(
        {{"kind", finding.kind}, {"sentence", finding.sentence}, {"link", text_or_null(finding.link)}}));
  }
  return list;
}

Json frames_list(const std::vector<std::string>& frames) {
  Json list = Json::array();
  for (const std::string& frame : frames)
    list.push_back(Json::object(
        {{"function", frame}, {"module", nullptr}, {"file", nullptr}, {"line", nullptr}, {"inApp", true}}));
  return list;
}

}  // namespace inlens::console::api
