// The series of the last 60 minutes, computed from differences of the exact totals, so that it counts
// requests whose detail was lost as well. Called by the worker, on the worker thread only; both clocks are
// arguments.
//
// Minutes are told by a steady clock and labelled by the wall clock. When the wall clock is set, the labels
// of past minutes move with it: what happened 5 minutes ago stays 5 minutes ago, and no two minutes share a
// label.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "agent/store/snapshot.hpp"

namespace inlens::store {

class Minutes {
 public:
  static constexpr std::size_t kMinutes = 60;

  // `totals` as they are now: what was counted before belongs to no minute.
  Minutes(std::int64_t steady_ms, std::int64_t unix_ms, const Totals& totals);

  // Whether advance() would close a minute; cheap, so that totals need not be summed up each time.
  bool due(std::int64_t steady_ms, std::int64_t unix_ms) const;
  void advance(std::int64_t steady_ms, std::int64_t unix_ms, const Totals& totals);

  // The longest request of the minute under way, as far as its detail arrived.
  void note_duration(std::uint64_t ns) { longest_ns_ = ns > longest_ns_ ? ns : longest_ns_; }

  // Oldest first; the last one is still running. Minutes before the start are not listed.
  std::vector<Minute> list(const Totals& totals) const;

 private:
  std::int64_t minute_now(std::int64_t steady_ms, std::int64_t unix_ms) const;
  Minute difference(const Totals& totals) const;

  std::int64_t offset_ms_;  // wall clock minus steady clock
  std::int64_t minute_;     // number of the minute under way, since 1970
  Totals base_;             // at its begin
  std::uint64_t longest_ns_ = 0;
  std::array<Minute, kMinutes - 1> past_;
  std::size_t next_ = 0;
  std::size_t count_ = 0;
};

}  // namespace inlens::store
