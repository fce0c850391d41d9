#include "console/api/outside.hpp"

#include "agent/store/calls.hpp"
#include "console/api/names.hpp"
#include "console/api/rows.hpp"

namespace inlens::console::api {
namespace {

constexpr std::size_t kMostFindings = 200;

Json call_row(const store::CallStats& row) {
  Json json = Json::object({{"server", row.server},
                            {"calls", row.latency.count},
                            {"failures", row.failures},
                            {"statusClasses", status_classes(row.status_classes)},
                            {"bytesOut", row.bytes_out},
                            {"bytesIn", row.bytes_in},
                            {"connected", row.connected},
                            {"dnsNs", row.dns_ns},
                            {"connectNs", row.connect_ns},
                            {"tlsNs", row.tls_ns},
                            {"firstByteNs", row.first_byte_ns},
                            {"lastError", text_or_null(row.last_error)},
                            {"lastRoute", text_or_null(row.last_route)},
                            {"lastSeenMs", row.last_unix_ms > 0 ? Json(row.last_unix_ms) : Json(nullptr)}});
  add_latency(json, row.latency);
  return json;
}

Json connection_row(const store::ConnectionStats& row) {
  return Json::object({{"kind", row.kind},
                       {"target", row.target},
                       {"other", row.other},
                       {"open", row.opened > row.closed ? row.opened - row.closed : 0},
                       {"inUse", row.in_use ? Json(*row.in_use) : Json(nullptr)},
                       {"opened", row.opened},
                       {"openedLastMinute", row.opened_last_minute},
                       {"openedPerSecond", static_cast<double>(row.opened_last_minute) / 60},
                       {"closed", row.closed},
                       {"failed", row.failed},
                       {"meanConnectNs", row.opened == 0 ? 0 : row.connect_ns / row.opened}});
}

// A finding of one request, with the request.
Json request_finding(const store::Finding& finding, const store::RequestDetail& request) {
  Json json = findings_list({finding}, 1)[0];
  json["requestId"] = store::to_hex(request.id);
  json["route"] = request.route;
  json["atMs"] = request.started_unix_ms;
  return json;
}

}  // namespace

Json calls(const store::Snapshot& snapshot) {
  Json items = Json::array();
  Json other = nullptr;
  for (const store::CallStats& row : snapshot.calls) {
    if (row.other)
      other = call_row(row);
    else
      items.push_back(call_row(row));
  }
  const std::size_t shown = items.size();
  return Json::object({{"total", snapshot.calls_distinct},
                       {"shown", shown},
                       {"cap", store::kCallTargets},
                       {"other", std::move(other)},
                       {"items", std::move(items)}});
}

Json connections(const std::vector<store::ConnectionStats>& connections) {
  Json items = Json::array();
  for (const store::ConnectionStats& row : connections) items.push_back(connection_row(row));
  return Json::object({{"total", items.size()}, {"items", std::move(items)}});
}

Json attached(const std::vector<store::CollectorStats>& collectors) {
  Json items = Json::array();
  for (const store::CollectorStats& collector : collectors)
    items.push_back(Json::object(
        {{"name", collector.name}, {"state", collector.state}, {"detail", text_or_null(collector.detail)}}));
  return Json::object({{"items", std::move(items)}});
}

Json findings(const store::Snapshot& snapshot) {
  Json requests = Json::array();
  std::size_t total = 0;
  for (const auto& request : snapshot.requests) {
    total += request->findings.size();
    for (const store::Finding& finding : request->findings) {
      if (requests.size() < kMostFindings) requests.push_back(request_finding(finding, *request));
    }
  }
  const std::size_t shown = requests.size();
  return Json::object({{"server", findings_list(snapshot.findings, kMostFindings)},
                       {"total", total},
                       {"shown", shown},
                       {"requests", std::move(requests)}});
}

}  // namespace inlens::console::api
