#include "console/api/queries.hpp"

#include <limits>

#include "console/api/rankings.hpp"

namespace inlens::console::api {
namespace {

// Of all rows, so that it equals what the list and `other` add up to.
Json overall(const store::Snapshot& snapshot) {
  std::uint64_t runs = 0;
  std::uint64_t failures = 0;
  std::uint64_t rows = 0;
  std::uint64_t total_ns = 0;
  for (const store::StatementStats& statement : snapshot.statements) {
    runs += statement.latency.count;
    failures += statement.failures;
    rows += statement.rows;
    total_ns += statement.latency.total_ns;
  }
  return Json::object({{"runs", runs}, {"failures", failures}, {"rows", rows}, {"totalNs", total_ns}});
}

}  // namespace

Json queries(const store::Snapshot& snapshot, std::uint64_t cap) {
  constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
  Json items = statement_rows(costliest_statements(snapshot, all), Examples(snapshot));
  const std::size_t total = items.size();
  return Json::object({{"total", total},
                       {"shown", total},
                       {"cap", cap},
                       {"overall", overall(snapshot)},
                       {"other", other_statement(snapshot)},
                       {"items", std::move(items)}});
}

}  // namespace inlens::console::api
