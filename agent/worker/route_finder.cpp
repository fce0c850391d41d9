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

std::string_view RouteFinder::target(const RecordFacts& facts, const hooks::BeginEntry* begin) {
  if (begin == nullptr || begin->target_rest_size == 0) return facts.target_begin();
  target_.assign(facts.target_begin());
  target_ += Strings(*begin).next(begin->target_rest_size);
  return target_;
}

std::string_view RouteFinder::text(const RecordFacts& facts, const hooks::BeginEntry* begin,
                                   const hooks::TextEntry* route) {
  if (route != nullptr) return text_of(*route);
  template_.clear();
  append_route_template(target(facts, begin), template_);
  return template_;
}

store::RouteRow& RouteFinder::find(const RecordFacts& facts, const hooks::BeginEntry* begin,
                                   const hooks::TextEntry* route) {
  if (route != nullptr) return routes_.row(facts.method_text(), text_of(*route), false);
  const std::uint64_t hash = hash_of(facts.method_text(), path_of(target(facts, begin)));
  Path& known = paths_[hash % kPaths];
  if (known.hash == hash && known.row != nullptr) return *known.row;
  store::RouteRow& row =
      routes_.row(facts.method_text(), text(facts, begin, nullptr), is_client_error(facts.status));
  // "other" is not remembered: the same path may open a row later.
  if (!routes_.is_other(row)) known = {hash, &row};
  return row;
}

}  // namespace inlens::worker
