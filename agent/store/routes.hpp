// The table of routes: one row per method and route, bounded; what finds no place is added to the row
// "other", so that totals stay true. Called by the worker for each request, on the worker thread only. Rows
// never move and are never removed, so a pointer to one stays good as long as the table lives.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "agent/store/distinct.hpp"
#include "agent/store/key_hash.hpp"
#include "agent/store/snapshot.hpp"

namespace inlens::store {

struct RouteRow {
  RouteStats stats;
};

// What one request, with its tasks so far, adds to its row.
struct RouteUse {
  std::uint64_t duration_ns = 0;
  std::uint32_t status = 0;
  std::uint64_t errors = 0;
  std::uint64_t statements = 0;
  std::uint64_t statement_ns = 0;
  std::uint64_t bytes_out = 0;
  std::int64_t unix_ms = 0;
};

class Routes {
 public:
  explicit Routes(std::size_t limit);

  // The row of method and route; a new one while there is room, else other(). A `doubtful` key (a path that
  // no host named and that was answered with a client error) opens no row beyond half of the table: scanners
  // must not fill it.
  RouteRow& row(std::string_view method, std::string_view route, bool doubtful);
  RouteRow& other() { return other_; }
  bool is_other(const RouteRow& row) const { return &row == &other_; }

  static void add(RouteRow& row, const RouteUse& use);
  // What a task brings after its request was added.
  static void add_task(RouteRow& row, const RouteUse& use);

  // By total time, most first; "other" last, if it was ever used.
  std::vector<RouteStats> list() const;
  std::uint64_t distinct() const { return rows_.size() + overflow_.estimate(); }
  std::size_t bytes() const;

 private:
  std::size_t limit_;
  boost::unordered_flat_map<std::uint64_t, RouteRow*, KeyHash> index_;
  std::vector<std::unique_ptr<RouteRow>> rows_;
  RouteRow other_;
  Distinct overflow_;
};

}  // namespace inlens::store
