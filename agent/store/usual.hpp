// What a statement, or a server that is called, usually takes: its 95th percentile, so that a run that took
// several times as long can be told as it comes. Kept beside a histogram; asked by the worker for each run
// before the run is added, on the worker thread only. The percentile is read again only when the histogram
// has grown by an eighth, and never for a run that is quick in any case.
#pragma once

#include <algorithm>
#include <cstdint>

#include "agent/store/histogram.hpp"

namespace inlens::store {

struct UsualTime {
  std::uint64_t p95_ns = 0;
  std::uint64_t runs = 0;  // it was read from; 0: nothing unusual is known
};

class Usual {
 public:
  static constexpr std::uint64_t kFewestRuns = 50;
  static constexpr std::uint64_t kTimes = 5;

  // Whether a run of `ns` is far beyond the earlier ones: at least `floor_ns`, and over kTimes their p95.
  bool is_exceeded(const Histogram& earlier, std::uint64_t ns, std::uint64_t floor_ns) {
    if (ns < floor_ns || earlier.count < kFewestRuns) [[likely]]
      return false;
    if (earlier.count >= next_) refresh(earlier);
    return ns / kTimes > time_.p95_ns;
  }

  const UsualTime& time() const { return time_; }

 private:
  void refresh(const Histogram& earlier) {
    time_ = {earlier.percentile(0.95), earlier.count};
    next_ = earlier.count + std::max(earlier.count / 8, kFewestRuns);
  }

  UsualTime time_;
  std::uint64_t next_ = 0;
};

}  // namespace inlens::store
