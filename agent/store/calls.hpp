// The table of outgoing calls: one row per server called (scheme, host, port), bounded; what finds no place
// is added to the row "other". Called by the worker for each call, on the worker thread only. Rows never move
// and are never removed.
#pragma once

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

inline constexpr std::size_t kCallTargets = 200;

struct CallRow {
  CallStats stats;
  const RouteRow* last_route = nullptr;
  Usual usual;
};

struct CallUse {
  std::uint64_t duration_ns = 0;
  std::uint64_t dns_ns = 0, connect_ns = 0, tls_ns = 0, first_byte_ns = 0;
  std::uint64_t bytes_out = 0, bytes_in = 0;
  std::uint32_t status = 0;
  bool failed = false;
  std::int64_t unix_ms = 0;
};

class Calls {
 public:
  explicit Calls(std::size_t limit = kCallTargets);

  // The row of a URL's server. A URL without a scheme counts by what stands before its first slash.
  CallRow& row(std::string_view url);

  static void add(CallRow& row, const CallUse& use);

  // By total time, most first; "other" last, if it was ever used.
  std::vector<CallStats> list() const;
  std::uint64_t distinct() const { return rows_.size() + overflow_.estimate(); }
  std::size_t bytes() const { return rows_.size() * sizeof(CallRow) + index_.bucket_count() * 17; }

 private:
  std::size_t limit_;
  boost::unordered_flat_map<std::uint64_t, CallRow*, KeyHash> index_;
  std::vector<std::unique_ptr<CallRow>> rows_;
  CallRow other_;
  Distinct overflow_;
};

// "http://stock.example:8080" of "http://stock.example:8080/items?id=7".
std::string_view server_of(std::string_view url);

}  // namespace inlens::store
