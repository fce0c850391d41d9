// The rows that several views share: one route, statement, issue or finding each. Pure.
#pragma once

#include "agent/store/snapshot.hpp"
#include "console/api/examples.hpp"
#include "console/api/json.hpp"

namespace inlens::console::api {

Json route_row(const store::RouteStats& row, const Examples& examples);              // schema RouteRow
Json statement_row(const store::StatementStats& row, const Examples& examples);      // schema StatementRow
Json issue_row(const store::Issue& issue);                                           // schema IssueRow
Json findings_list(const std::vector<store::Finding>& findings, std::size_t limit);  // of schema Finding
Json status_classes(const std::array<std::uint64_t, 6>& classes);                    // schema StatusClasses
Json frames_list(const std::vector<std::string>& frames);                            // of schema Frame

Json latency_figures(const store::Histogram& latency);  // schema Latency
// The same keys in a row, with "totalNs" and "minNs".
void add_latency(Json& row, const store::Histogram& latency);

std::string issue_id(const store::Issue& issue);  // schema IssueId

}  // namespace inlens::console::api
