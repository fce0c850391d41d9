// What the listed issues look like: samples, titles, routes, first and last sight. Counting and the decision
// to open one are the flood guard's; this book follows it slot by slot and gives each issue a number that is
// never used again, while slots are. Called by the worker, on the worker thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/store/snapshot.hpp"
#include "flood_guard/flood_guard.hpp"

namespace inlens::store {

// One error event; everything is borrowed for the call.
struct IssueEvent {
  std::string_view type;
  std::string_view message;
  std::string_view code;
  std::string_view route;   // "" outside of requests
  std::string_view target;  // masked
  std::optional<RequestId> request;
  std::span<const std::string> frames;
  bool handled = false;
  std::int64_t unix_ms = 0;
};

// What is only needed for a new issue.
struct IssueTitle {
  std::uint64_t fingerprint = 0;
  std::string_view title;
  std::string_view why_grouped;
};

class Issues {
 public:
  // The issue in `slot` gets its first event. Returns its number.
  std::uint32_t open(std::uint32_t slot, const IssueTitle& title, const IssueEvent& event);
  // A further event; 0 when nothing is listed in that slot.
  std::uint32_t count(std::uint32_t slot, const IssueEvent& event);
  // The same for the overflow issue, which is opened when it is not listed.
  std::uint32_t overflow(std::uint32_t slot, std::string_view why_grouped, const IssueEvent& event);

  bool listed(std::uint32_t slot) const { return slot < slots_.size() && slots_[slot] != nullptr; }
  void retire(std::uint32_t slot);
  std::optional<std::uint32_t> slot_of(std::uint32_t id) const;

  // Newest activity first, counts as the guard has them.
  std::vector<Issue> list(const guard::FloodGuard& guard) const;

 private:
  static constexpr std::size_t kRoutes = 20;
  static constexpr std::size_t kDistinct = 3;

  struct Entry {
    Issue issue;
    std::vector<std::uint64_t> contexts;  // of `first` and of `distinct`
    std::uint64_t other_routes = 0;
  };

  Entry& place(std::uint32_t slot);
  static void add(Entry& entry, const IssueEvent& event);
  static void add_route(Entry& entry, std::string_view route);
  static void add_distinct(Entry& entry, const IssueEvent& event);

  std::vector<std::unique_ptr<Entry>> slots_;
  std::uint32_t last_id_ = 0;
};

}  // namespace inlens::store
