#include "console/server/route_table.hpp"

#include <optional>

namespace inlens::console {
namespace {

// The parameter's text, "" for a path without one, or nullopt when the path is another.
std::optional<std::string_view> matched(std::string_view path, std::string_view before,
                                        std::string_view after, bool has_parameter) {
  if (!has_parameter) return path == before ? std::optional(std::string_view()) : std::nullopt;
  if (path.size() <= before.size() + after.size()) return std::nullopt;
  if (!path.starts_with(before) || !path.ends_with(after)) return std::nullopt;
  const auto parameter = path.substr(before.size(), path.size() - before.size() - after.size());
  return parameter.find('/') == std::string_view::npos ? std::optional(parameter) : std::nullopt;
}

}  // namespace

void RouteTable::add(std::string_view method, std::string_view pattern, ApiHandler handler) {
  const auto open = pattern.find('{');
  const auto close = pattern.find('}');
  const bool has_parameter = open != std::string_view::npos && close != std::string_view::npos;
  const auto after = has_parameter ? pattern.substr(close + 1) : std::string_view();
  routes_.push_back({std::string(method), std::string(pattern.substr(0, open)), std::string(after),
                     has_parameter, std::move(handler)});
}

RouteTable::Match RouteTable::find(std::string_view method, std::string_view path) const {
  Match match;
  const std::string_view wanted = method == "HEAD" ? "GET" : method;
  for (const Route& route : routes_) {
    const auto parameter = matched(path, route.before, route.after, route.has_parameter);
    if (!parameter) continue;
    match.allowed +=
        (match.allowed.empty() ? "" : ", ") + (route.method == "GET" ? "GET, HEAD" : route.method);
    if (match.handler || route.method != wanted) continue;
    match.handler = &route.handler;
    match.parameter = *parameter;
  }
  return match;
}

}  // namespace inlens::console
