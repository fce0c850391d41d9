#include "console/api/inflight.hpp"

#include <algorithm>

#include "console/api/names.hpp"
#include "console/api/usual.hpp"

namespace inlens::console::api {
namespace {

constexpr std::size_t kCap = 500;

Json current_kind(const std::string& activity) {
  return activity == "span" || is_span_kind(activity) ? Json(activity) : Json(nullptr);
}

Json inflight_row(const store::InFlight& row, const UsualTimes& usual) {
  return Json::object({{"id", store::to_hex(row.id)},
                       {"method", row.method},
                       {"target", row.target},
                       {"route", row.route},
                       {"startedAtMs", whole(row.started_unix_ms)},
                       {"elapsedNs", row.elapsed_ns},
                       {"usual", usual.of(row.method, row.route)},
                       {"thread", row.thread},
                       {"currentSpan", nullptr},  // its name and age are not published while it runs
                       {"currentKind", current_kind(row.activity)},
                       {"currentNs", nullptr},
                       {"statements", row.statements},
                       {"errors", row.errors},
                       {"task", row.task}});
}

}  // namespace

std::uint64_t requests_in_flight(const std::vector<store::InFlight>& rows) {
  return static_cast<std::uint64_t>(
      std::count_if(rows.begin(), rows.end(), [](const store::InFlight& row) { return !row.task; }));
}

Json inflight(std::vector<store::InFlight> rows, const store::Snapshot& snapshot, std::int64_t now_unix_ms) {
  std::stable_sort(rows.begin(), rows.end(), [](const store::InFlight& a, const store::InFlight& b) {
    return a.elapsed_ns > b.elapsed_ns;
  });
  const UsualTimes usual(snapshot);
  Json items = Json::array();
  for (const store::InFlight& row : rows)
    if (items.size() < kCap) items.push_back(inflight_row(row, usual));
  const std::size_t shown = items.size();
  return Json::object({{"total", rows.size()},
                       {"shown", shown},
                       {"cap", kCap},
                       {"nowMs", whole(now_unix_ms)},
                       {"items", std::move(items)}});
}

}  // namespace inlens::console::api
