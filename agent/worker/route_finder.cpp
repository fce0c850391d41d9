#include "agent/worker/route_finder.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "agent/worker/route_template.hpp"

namespace inlens::worker {

namespace {

std::uint64_t hash_of(std::string_view method, std::string_view path) {
  return XXH3_64bits_withSeed(path.data(), path.size(), XXH3_64bits(method.data(), method.size()));
}

bool is_client_error(std::uint32_t status) {
  return status >= 400 && status < 500;
}

}  // namespace

std::string_view RouteFinder::text(const BeginView& begin, const hooks::TextEntry* route) {
  if (route != nullptr) return text_of(*route);
  template_.clear();
  append_route_template(begin.target, template_);
  return template_;
}

store::RouteRow& RouteFinder::find(const BeginView& begin, const hooks::TextEntry* route,
                                   std::uint32_t status) {
  if (route != nullptr) return routes_.row(begin.method, text_of(*route), false);
  const std::uint64_t hash = hash_of(begin.method, path_of(begin.target));
  Path& known = paths_[hash % kPaths];
  if (known.hash == hash && known.row != nullptr) return *known.row;
  store::RouteRow& row = routes_.row(begin.method, text(begin, nullptr), is_client_error(status));
  // "other" is not remembered: the same path may open a row later.
  if (!routes_.is_other(row)) known = {hash, &row};
  return row;
}

}  // namespace inlens::worker
