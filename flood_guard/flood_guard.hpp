// The flood guard decides what becomes of each error event: dropped, counted into its issue, or the start of
// a new one, so that a storm of errors costs a bounded amount of time, memory and attention. Pure logic: the
// clock is an argument. The worker calls it, on the worker thread only (it has no lock). It owns the list of
// issues as far as counting is concerned: fingerprint, count and last sight per slot; what an issue looks
// like is the store's affair.
//
// Always true: seen = counted + dropped, and counted = the sum of issue_count() over listed issues + retired.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "flood_guard/guard_clock.hpp"
#include "flood_guard/sliding_count.hpp"
#include "flood_guard/top_types.hpp"

namespace inlens::guard {

inline constexpr uint32_t kNoIssue = UINT32_MAX;

struct Limits {
  uint32_t events_per_second = 1000;    // no second, however aligned, counts more; 0 drops everything
  uint32_t new_issues_per_minute = 20;  // no minute opens more; 0 sends every new kind to the overflow issue
  uint32_t issues_total = 200;  // the whole list; one place is kept for the overflow issue; 0 counts as 1
  uint64_t retention_ns = 72ULL * 3600 * 1'000'000'000;  // expire() retires an issue unseen for this long
};

enum class Verdict : uint8_t { kDropped, kCounted, kOpened, kOverflowed };

struct Decision {
  Verdict verdict;
  uint32_t issue;  // slot of the issue it was counted into; kNoIssue when dropped
};

struct Figures {
  uint64_t seen = 0;
  uint64_t counted = 0;
  uint64_t dropped = 0;
  uint64_t opened = 0;      // ordinary issues opened so far
  uint64_t overflowed = 0;  // events counted into the overflow issue so far
  uint64_t retired = 0;     // events that were counted into issues no longer listed
  uint32_t listed = 0;      // issues listed now, the overflow issue included
};

class FloodGuard {
 public:
  // Throws std::bad_alloc; nothing after it allocates except expire(), swallowed_types() and a larger
  // set_limits().
  explicit FloodGuard(Limits limits = {});

  // Decides about one event. `type` is only read when the event goes to the overflow issue. now_ns is the
  // caller's clock at the time of deciding; it need not be monotone.
  Decision decide(uint64_t fingerprint, std::string_view type, uint64_t now_ns) noexcept;

  // True when an event would be dropped at now_ns: a hint that expensive capture can be skipped.
  bool closed(uint64_t now_ns) const noexcept;

  // A person resolved the issue: its slot may be reused. A slot that is not listed is ignored.
  void resolve(uint32_t issue) noexcept;

  // Retires every issue unseen for the retention time and returns their slots.
  std::vector<uint32_t> expire(uint64_t now_ns);

  // New limits apply to the next event. A shorter list retires nothing: it only stops new issues until there
  // is room.
  void set_limits(Limits limits);

  Figures figures() const noexcept { return figures_; }
  uint64_t issue_count(uint32_t issue) const noexcept;
  std::optional<uint32_t> overflow_issue() const noexcept;
  std::vector<TypeCount> swallowed_types() const { return swallowed_.commonest(); }

 private:
  static constexpr uint64_t kSecond_ns = 1'000'000'000;
  static constexpr uint32_t kOverflowSlot = 0;

  struct Issue {
    uint64_t fingerprint = 0;
    uint64_t count = 0;
    uint64_t last_seen_ns = 0;
    bool listed = false;
  };

  std::size_t home(uint64_t fingerprint) const noexcept;
  uint32_t find(uint64_t fingerprint) const noexcept;
  bool may_open(uint64_t time_ns) const noexcept;
  uint32_t open(uint64_t fingerprint, uint64_t time_ns) noexcept;
  void list(uint32_t slot, uint64_t fingerprint) noexcept;
  void retire(uint32_t slot) noexcept;
  void index(uint32_t slot) noexcept;
  void rebuild_index() noexcept;

  Limits limits_;
  Figures figures_;
  GuardClock clock_;
  SlidingCount<kSecond_ns / 10, 11>
      counted_;                          // one second in steps of 100 ms, plus one step for any alignment
  SlidingCount<kSecond_ns, 61> opened_;  // one minute in steps of a second, plus one
  std::vector<Issue> issues_;            // slot 0 is the overflow issue
  std::vector<uint32_t> index_;  // open addressing, a power of two, at most half full; kNoIssue = empty
  TopTypes swallowed_;
};

}  // namespace inlens::guard
