// The table of statements: one row per fingerprint, bounded; runs of what finds no place are added to the row
// "other", so that totals stay true. Called by the worker for each statement it has a record of, on the
// worker thread only. Rows never move and are never removed, so a pointer to one stays good as long as the
// table lives.
#pragma once

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "agent/store/distinct.hpp"
#include "agent/store/key_hash.hpp"
#include "agent/store/routes.hpp"
#include "agent/store/snapshot.hpp"
#include "agent/store/usual.hpp"

namespace inlens::store {

struct StatementRow {
  StatementStats stats;                  // `last_route` is filled in when listed
  const RouteRow* last_route = nullptr;  // of the table of routes
  Usual usual;
};

struct StatementText {
  std::uint64_t fingerprint = 0;
  std::shared_ptr<const std::string> text;
  std::string_view dialect;
  std::uint32_t statements = 1;
};

class Statements {
 public:
  explicit Statements(std::size_t limit);

  // The row of a fingerprint; a new one while there is room, else other().
  StatementRow& row(const StatementText& text);
  // Also for statements whose text is not known.
  StatementRow& other() { return other_; }

  // `rows` below 0: unknown.
  static void add_run(StatementRow& row, std::uint64_t ns, std::int64_t rows, bool failed,
                      std::int64_t unix_ms) {
    StatementStats& stats = row.stats;
    stats.latency.add(ns);
    stats.rows += static_cast<std::uint64_t>(std::max<std::int64_t>(rows, 0));
    stats.failures += failed ? 1 : 0;
    if (stats.first_unix_ms == 0) stats.first_unix_ms = unix_ms;
    stats.last_unix_ms = unix_ms;
  }

  // By total time, most first; "other" last, if it was ever used.
  std::vector<StatementStats> list() const;
  std::uint64_t distinct() const { return rows_.size() + overflow_.estimate(); }
  std::size_t bytes() const;

 private:
  std::size_t limit_;
  boost::unordered_flat_map<std::uint64_t, StatementRow*, KeyHash> index_;
  std::vector<std::unique_ptr<StatementRow>> rows_;
  StatementRow other_;
  Distinct overflow_;
};

}  // namespace inlens::store
