#include "agent/store/calls.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

namespace inlens::store {

namespace {

CallStats listed(const CallRow& row) {
  CallStats stats = row.stats;
  if (row.last_route != nullptr) stats.last_route = row.last_route->stats.route;
  return stats;
}

}  // namespace

std::string_view server_of(std::string_view url) {
  const std::size_t scheme = url.find("://");
  const std::size_t host = scheme == std::string_view::npos ? 0 : scheme + 3;
  return url.substr(0, url.find_first_of("/?#", host));
}

Calls::Calls(std::size_t limit) : limit_(limit) {
  other_.stats.other = true;
}

CallRow& Calls::row(std::string_view url) {
  const std::string_view server = server_of(url);
  const std::uint64_t key = XXH3_64bits(server.data(), server.size());
  if (const auto known = index_.find(key); known != index_.end()) return *known->second;
  if (rows_.size() >= limit_) {
    overflow_.add(key);
    return other_;
  }
  auto row = std::make_unique<CallRow>();
  row->stats.server = server;
  rows_.push_back(std::move(row));
  try {
    index_.emplace(key, rows_.back().get());
  } catch (...) {
    rows_.pop_back();
    throw;
  }
  return *rows_.back();
}

void Calls::add(CallRow& row, const CallUse& use) {
  CallStats& stats = row.stats;
  stats.latency.add(use.duration_ns);
  const std::uint32_t status_class = use.status / 100;
  ++stats.status_classes[status_class < 6 ? status_class : 0];
  stats.failures += use.failed ? 1 : 0;
  stats.bytes_out += use.bytes_out;
  stats.bytes_in += use.bytes_in;
  stats.dns_ns += use.dns_ns;
  stats.connect_ns += use.connect_ns;
  stats.tls_ns += use.tls_ns;
  stats.first_byte_ns += use.first_byte_ns;
  stats.connected += use.connect_ns != 0 ? 1 : 0;
  stats.last_unix_ms = use.unix_ms;
}

std::vector<CallStats> Calls::list() const {
  std::vector<const CallRow*> order;
  order.reserve(rows_.size());
  for (const auto& row : rows_) order.push_back(row.get());
  std::sort(order.begin(), order.end(), [](const CallRow* a, const CallRow* b) {
    return a->stats.latency.total_ns > b->stats.latency.total_ns;
  });
  std::vector<CallStats> list;
  list.reserve(order.size() + 1);
  for (const CallRow* row : order) list.push_back(listed(*row));
  if (other_.stats.latency.count != 0) list.push_back(listed(other_));
  return list;
}

}  // namespace inlens::store
