#include "console/api/examples.hpp"

#include <algorithm>

#include "console/api/usual.hpp"

namespace inlens::console::api {
namespace {

constexpr std::size_t kMaxRoutes = 8;

void add_once(std::vector<const std::string*>& routes, const std::string& route) {
  const auto same = [&](const std::string* known) { return *known == route; };
  if (routes.size() < kMaxRoutes && std::none_of(routes.begin(), routes.end(), same))
    routes.push_back(&route);
}

}  // namespace

Examples::Examples(const store::Snapshot& snapshot) {
  for (const auto& request : snapshot.requests) {
    const store::RequestDetail*& slowest = by_route_[route_key(request->method, request->route)];
    if (!slowest || request->duration_ns > slowest->duration_ns) slowest = request.get();
    add_statements(*request);
  }
}

void Examples::add_statements(const store::RequestDetail& request) {
  for (const store::Span& span : request.spans) {
    if (!span.statement) continue;
    Runs& runs = by_statement_[span.statement->fingerprint];
    add_once(runs.routes, request.route);
    if (span.duration_ns <= runs.slowest_ns) continue;
    runs.slowest_ns = span.duration_ns;
    runs.slowest = &request;
  }
}

Json Examples::slowest_of_route(std::string_view method, std::string_view route) const {
  const auto found = by_route_.find(route_key(method, route));
  return found == by_route_.end() ? Json(nullptr) : Json(store::to_hex(found->second->id));
}

Json Examples::slowest_of_statement(std::uint64_t fingerprint) const {
  const auto found = by_statement_.find(fingerprint);
  if (found == by_statement_.end() || !found->second.slowest) return nullptr;
  return store::to_hex(found->second.slowest->id);
}

std::vector<std::string> Examples::routes_of_statement(std::uint64_t fingerprint,
                                                       const std::string& first) const {
  std::vector<const std::string*> routes;
  if (!first.empty()) add_once(routes, first);
  if (const auto found = by_statement_.find(fingerprint); found != by_statement_.end())
    for (const std::string* route : found->second.routes) add_once(routes, *route);
  std::vector<std::string> names;
  for (const std::string* route : routes) names.push_back(*route);
  return names;
}

}  // namespace inlens::console::api
