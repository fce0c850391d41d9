#include "agent/store/statements.hpp"

namespace inlens::store {

namespace {

StatementStats listed(const StatementRow& row) {
  StatementStats stats = row.stats;
  if (row.last_route != nullptr) stats.last_route = row.last_route->stats.route;
  return stats;
}

}  // namespace

Statements::Statements(std::size_t limit) : limit_(limit) {
  other_.stats.other = true;
}

StatementRow& Statements::row(const StatementText& text) {
  if (const auto known = index_.find(text.fingerprint); known != index_.end()) return *known->second;
  if (rows_.size() >= limit_) {
    overflow_.add(text.fingerprint);
    return other_;
  }
  auto row = std::make_unique<StatementRow>();
  row->stats.fingerprint = text.fingerprint;
  row->stats.text = text.text;
  row->stats.dialect = text.dialect;
  row->stats.statements_in_text = text.statements;
  rows_.push_back(std::move(row));
  try {
    index_.emplace(text.fingerprint, rows_.back().get());
  } catch (...) {
    rows_.pop_back();
    throw;
  }
  return *rows_.back();
}

std::vector<StatementStats> Statements::list() const {
  std::vector<const StatementRow*> order;
  order.reserve(rows_.size());
  for (const auto& row : rows_) order.push_back(row.get());
  std::sort(order.begin(), order.end(), [](const StatementRow* a, const StatementRow* b) {
    return a->stats.latency.total_ns > b->stats.latency.total_ns;
  });
  std::vector<StatementStats> list;
  list.reserve(order.size() + 1);
  for (const StatementRow* row : order) list.push_back(listed(*row));
  if (other_.stats.latency.count != 0) list.push_back(listed(other_));
  return list;
}

std::size_t Statements::bytes() const {
  std::size_t bytes = rows_.size() * sizeof(StatementRow) + index_.bucket_count() * 17;
  for (const auto& row : rows_) bytes += row->stats.text ? row->stats.text->size() : 0;
  return bytes;
}

}  // namespace inlens::store
