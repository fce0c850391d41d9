// The guard's own time: turns the readings handed to it into elapsed nanoseconds that never run backwards.
// Used by FloodGuard alone, on whatever thread owns the guard. Owns three numbers.
//
// A reading a little behind the newest one counts as "the same moment". A reading far behind it is either one
// odd sample, which is ignored, or the start of a clock that was set back: once such readings have themselves
// moved on by kSettle_ns they become the reference. Time stands still meanwhile, so a bad clock can only make
// the guard stricter.
#pragma once

#include <cstdint>

namespace inlens::guard {

class GuardClock {
 public:
  static constexpr uint64_t kSettle_ns = 1'000'000'000;

  // Takes a reading and returns the elapsed time.
  uint64_t advance(uint64_t now_ns) noexcept {
    if (!started_) {
      started_ = true;
      newest_ns_ = now_ns;
    }
    const uint64_t elapsed_ns = peek(now_ns);
    if (now_ns >= newest_ns_) {
      newest_ns_ = now_ns;
      behind_ = false;
    } else if (newest_ns_ - now_ns <= kSettle_ns) {
      behind_ = false;
    } else if (!behind_ || now_ns < behind_since_ns_) {
      behind_ = true;
      behind_since_ns_ = now_ns;
    } else if (now_ns - behind_since_ns_ >= kSettle_ns) {
      newest_ns_ = now_ns;
      behind_ = false;
    }
    elapsed_ns_ = elapsed_ns;
    return elapsed_ns_;
  }

  // What advance() would answer, without taking the reading.
  uint64_t peek(uint64_t now_ns) const noexcept {
    if (!started_ || now_ns <= newest_ns_) return elapsed_ns_;
    const uint64_t step_ns = now_ns - newest_ns_;
    return step_ns > UINT64_MAX - elapsed_ns_ ? UINT64_MAX : elapsed_ns_ + step_ns;
  }

 private:
  uint64_t elapsed_ns_ = 0;
  uint64_t newest_ns_ = 0;
  uint64_t behind_since_ns_ = 0;
  bool started_ = false;
  bool behind_ = false;
};

}  // namespace inlens::guard
