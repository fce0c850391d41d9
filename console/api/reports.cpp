#include "console/api/reports.hpp"

#include <limits>

#include "console/api/rankings.hpp"
#include "console/api/series.hpp"

namespace inlens::console::api {
namespace {

constexpr std::size_t kTop = 10;

Json routes(const store::Snapshot& snapshot, std::uint64_t cap, const Examples& examples) {
  constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
  Json items = route_rows(busiest_routes(snapshot, all), examples);
  const std::size_t total = items.size();
  return Json::object({{"total", total},
                       {"shown", total},
                       {"cap", cap},
                       {"other", other_route(snapshot)},
                       {"items", std::move(items)}});
}

}  // namespace

Json reports(const store::Snapshot& snapshot, std::uint64_t routes_cap, std::int64_t since_unix_ms,
             std::int64_t now_unix_ms) {
  const Examples examples(snapshot);
  return Json::object({{"sinceMs", whole(since_unix_ms)},
                       {"minutes", minute_series(snapshot.minutes, now_unix_ms)},
                       {"routes", routes(snapshot, routes_cap, examples)},
                       {"slowestRoutes", route_rows(slowest_routes(snapshot, kTop), examples)},
                       {"busiestRoutes", route_rows(busiest_routes(snapshot, kTop), examples)},
                       {"errorRoutes", route_rows(failing_routes(snapshot, kTop), examples)},
                       {"chattyRoutes", route_rows(chattiest_routes(snapshot, kTop), examples)},
                       {"costlyStatements", statement_rows(costliest_statements(snapshot, kTop), examples)},
                       {"slowestStatements", statement_rows(slowest_statements(snapshot, kTop), examples)},
                       {"frequentStatements", statement_rows(commonest_statements(snapshot, kTop), examples)},
                       {"failedStatements", statement_rows(failing_statements(snapshot, kTop), examples)}});
}

}  // namespace inlens::console::api
