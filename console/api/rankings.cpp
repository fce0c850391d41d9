#include "console/api/rankings.hpp"

#include <algorithm>
#include <utility>

#include "console/api/rows.hpp"

namespace inlens::console::api {
namespace {

enum class Zeros { kKeep, kLeaveOut };

// The rows with the largest figure, largest first.
template <typename Row, typename Figure>
std::vector<const Row*> ranked(const std::vector<Row>& rows, std::size_t limit, Zeros zeros, Figure figure) {
  std::vector<std::pair<double, const Row*>> order;
  for (const Row& row : rows) {
    const auto value = static_cast<double>(figure(row));
    if (!row.other && (value > 0 || zeros == Zeros::kKeep)) order.emplace_back(value, &row);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<const Row*> top;
  for (const auto& [value, row] : order)
    if (top.size() < limit) top.push_back(row);
  return top;
}

double statements_per_request(const store::RouteStats& row) {
  if (row.latency.count == 0) return 0;
  return static_cast<double>(row.statements) / static_cast<double>(row.latency.count);
}

std::uint64_t p95(const auto& row) {
  return row.latency.percentile(0.95);
}
std::uint64_t total_ns(const auto& row) {
  return row.latency.total_ns;
}

// A host may answer 5xx without reporting an error.
std::uint64_t failures(const store::RouteStats& row) {
  return std::max(row.errors, row.status_classes[5]);
}
std::uint64_t failures(const store::StatementStats& row) {
  return row.failures;
}

std::uint64_t reported(const store::RouteStats& row) {
  return row.errors;
}
std::uint64_t reported(const store::StatementStats& row) {
  return row.failures;
}

template <typename Row>
Json other_of(const std::vector<Row>& rows, std::uint64_t distinct) {
  const auto other = std::find_if(rows.begin(), rows.end(), [](const Row& row) { return row.other; });
  if (other == rows.end()) return nullptr;
  const std::uint64_t listed = rows.size() - 1;
  return Json::object({{"rows", distinct > listed ? distinct - listed : 0},
                       {"count", other->latency.count},
                       {"errors", reported(*other)},
                       {"totalNs", other->latency.total_ns}});
}

}  // namespace

RouteList slowest_routes(const store::Snapshot& snapshot, std::size_t limit) {
  return ranked(snapshot.routes, limit, Zeros::kKeep, [](const auto& row) { return p95(row); });
}

RouteList busiest_routes(const store::Snapshot& snapshot, std::size_t limit) {
  return ranked(snapshot.routes, limit, Zeros::kKeep, [](const auto& row) { return total_ns(row); });
}

RouteList failing_routes(const store::Snapshot& snapshot, std::size_t limit) {
  return ranked(snapshot.routes, limit, Zeros::kLeaveOut, [](const auto& row) { return failures(row); });
}

RouteList chattiest_routes(const store::Snapshot& snapshot, std::size_t limit) {
  return ranked(snapshot.routes, limit, Zeros::kLeaveOut, statements_per_request);
}

StatementList costliest_statements(const store::Snapshot& snapshot, std::size_t limit) {
  return ranked(snapshot.statements, limit, Zeros::kKeep, [](const auto& row) { return total_ns(row); });
}

StatementList slowest_statements(const store::Snapshot& snapshot, std::size_t limit) {
  return ranked(snapshot.statements, limit, Zeros::kKeep, [](const auto& row) { return p95(row); });
}

StatementList commonest_statements(const store::Snapshot& snapshot, std::size_t limit) {
  return ranked(snapshot.statements, limit, Zeros::kKeep, [](const auto& row) { return row.latency.count; });
}

StatementList failing_statements(const store::Snapshot& snapshot, std::size_t limit) {
  return ranked(snapshot.statements, limit, Zeros::kLeaveOut, [](const auto& row) { return failures(row); });
}

Json route_rows(const RouteList& routes, const Examples& examples) {
  Json rows = Json::array();
  for (const store::RouteStats* route : routes) rows.push_back(route_row(*route, examples));
  return rows;
}

Json statement_rows(const StatementList& statements, const Examples& examples) {
  Json rows = Json::array();
  for (const store::StatementStats* statement : statements)
    rows.push_back(statement_row(*statement, examples));
  return rows;
}

Json other_route(const store::Snapshot& snapshot) {
  return other_of(snapshot.routes, snapshot.routes_distinct);
}

Json other_statement(const store::Snapshot& snapshot) {
  return other_of(snapshot.statements, snapshot.statements_distinct);
}

}  // namespace inlens::console::api
