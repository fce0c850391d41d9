// Routes and statements of a snapshot in the orders that Overview and Reports show. The `other` rows take no
// part. The pointers are into the snapshot. Pure.
#pragma once

#include <vector>

#include "agent/store/snapshot.hpp"
#include "console/api/examples.hpp"
#include "console/api/json.hpp"

namespace inlens::console::api {

using RouteList = std::vector<const store::RouteStats*>;
using StatementList = std::vector<const store::StatementStats*>;

RouteList slowest_routes(const store::Snapshot& snapshot, std::size_t limit);  // by p95
RouteList busiest_routes(const store::Snapshot& snapshot, std::size_t limit);  // by total time
RouteList failing_routes(const store::Snapshot& snapshot,
                         std::size_t limit);  // by errors or 5xx answers; only those that had any
RouteList chattiest_routes(const store::Snapshot& snapshot, std::size_t limit);  // by statements per request

StatementList costliest_statements(const store::Snapshot& snapshot, std::size_t limit);  // by total time
StatementList slowest_statements(const store::Snapshot& snapshot, std::size_t limit);    // by p95
StatementList commonest_statements(const store::Snapshot& snapshot, std::size_t limit);  // by runs
StatementList failing_statements(const store::Snapshot& snapshot,
                                 std::size_t limit);  // by failures; only those that had any

Json route_rows(const RouteList& routes, const Examples& examples);
Json statement_rows(const StatementList& statements, const Examples& examples);

// The row that holds what fell off a full table; null when nothing did.
Json other_route(const store::Snapshot& snapshot);
Json other_statement(const store::Snapshot& snapshot);

}  // namespace inlens::console::api
