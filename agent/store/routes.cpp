#include "agent/store/routes.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

namespace inlens::store {

namespace {

std::uint64_t key_of(std::string_view method, std::string_view route) {
  return XXH3_64bits_withSeed(route.data(), route.size(), XXH3_64bits(method.data(), method.size()));
}

}  // namespace

Routes::Routes(std::size_t limit) : limit_(limit) {
  other_.stats.other = true;
}

RouteRow& Routes::row(std::string_view method, std::string_view route, bool doubtful) {
  const std::uint64_t key = key_of(method, route);
  if (const auto known = index_.find(key); known != index_.end()) {
    RouteRow& row = *known->second;
    // Two keys of one hash are as good as impossible; if they happen, the second one is "other".
    return row.stats.route == route && row.stats.method == method ? row : other_;
  }
  if (rows_.size() >= (doubtful ? limit_ / 2 : limit_)) {
    overflow_.add(key);
    return other_;
  }
  auto row = std::make_unique<RouteRow>();
  row->stats.method = method;
  row->stats.route = route;
  rows_.push_back(std::move(row));
  try {
    index_.emplace(key, rows_.back().get());
  } catch (...) {
    rows_.pop_back();
    throw;
  }
  return *rows_.back();
}

void Routes::add(RouteRow& row, const RouteUse& use) {
  row.stats.latency.add(use.duration_ns);
  const std::uint32_t status_class = use.status / 100;
  ++row.stats.status_classes[status_class < 6 ? status_class : 0];
  row.stats.bytes_out += use.bytes_out;
  row.stats.last_unix_ms = use.unix_ms;
  add_task(row, use);
}

void Routes::add_task(RouteRow& row, const RouteUse& use) {
  row.stats.errors += use.errors;
  row.stats.statements += use.statements;
  row.stats.statement_ns += use.statement_ns;
}

std::vector<RouteStats> Routes::list() const {
  std::vector<const RouteRow*> order;
  order.reserve(rows_.size());
  for (const auto& row : rows_) order.push_back(row.get());
  std::sort(order.begin(), order.end(), [](const RouteRow* a, const RouteRow* b) {
    return a->stats.latency.total_ns > b->stats.latency.total_ns;
  });
  std::vector<RouteStats> list;
  list.reserve(order.size() + 1);
  for (const RouteRow* row : order) list.push_back(row->stats);
  if (other_.stats.latency.count != 0) list.push_back(other_.stats);
  return list;
}

std::size_t Routes::bytes() const {
  return rows_.size() * sizeof(RouteRow) + index_.bucket_count() * 17;
}

}  // namespace inlens::store
