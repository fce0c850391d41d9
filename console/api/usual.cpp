#include "console/api/usual.hpp"

namespace inlens::console::api {

std::string route_key(std::string_view method, std::string_view route) {
  std::string key(method);
  return key.append("\n").append(route);
}

UsualTimes::UsualTimes(const store::Snapshot& snapshot) {
  for (const store::RouteStats& row : snapshot.routes)
    if (!row.other) by_route_.emplace(route_key(row.method, row.route), &row.latency);
}

Json UsualTimes::of(std::string_view method, std::string_view route) const {
  const auto found = by_route_.find(route_key(method, route));
  if (found == by_route_.end() || found->second->count == 0) return nullptr;
  const store::Histogram& latency = *found->second;
  return Json::object(
      {{"medianNs", latency.percentile(0.5)}, {"p95Ns", latency.percentile(0.95)}, {"count", latency.count}});
}

}  // namespace inlens::console::api
