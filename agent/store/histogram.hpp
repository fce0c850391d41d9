// Histogram of durations with log-linear buckets. Plain data with one writer (the worker); readers get copies
// inside a snapshot. Percentiles are the middle of the bucket, kept within the exact minimum and maximum.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "agent/platform/log_linear.hpp"

namespace inlens::store {

struct Histogram {
  std::array<std::uint32_t, kHistogramBuckets> buckets{};
  std::uint64_t count = 0;
  std::uint64_t total_ns = 0;
  std::uint64_t min_ns = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t max_ns = 0;

  void add(std::uint64_t ns) {
    ++buckets[bucket_of(ns)];
    ++count;
    total_ns += ns;
    min_ns = std::min(min_ns, ns);
    max_ns = std::max(max_ns, ns);
  }

  void add_many(std::uint64_t ns, std::uint32_t times) {
    buckets[bucket_of(ns)] += times;
    count += times;
    total_ns += ns * times;
    min_ns = std::min(min_ns, ns);
    max_ns = std::max(max_ns, ns);
  }

  void merge(const Histogram& other) {
    for (std::size_t i = 0; i < buckets.size(); ++i) buckets[i] += other.buckets[i];
    count += other.count;
    total_ns += other.total_ns;
    min_ns = std::min(min_ns, other.min_ns);
    max_ns = std::max(max_ns, other.max_ns);
  }

  // The duration that the share `q` (0…1) of all values does not exceed; 0 when empty.
  std::uint64_t percentile(double q) const {
    if (count == 0) return 0;
    const auto rank =
        static_cast<std::uint64_t>(std::ceil(std::clamp(q, 0.0, 1.0) * static_cast<double>(count)));
    const std::uint64_t wanted = std::max<std::uint64_t>(rank, 1);
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < buckets.size(); ++i) {
      seen += buckets[i];
      if (seen >= wanted)
        return min_ns > max_ns ? bucket_middle(i) : std::clamp(bucket_middle(i), min_ns, max_ns);
    }
    return max_ns;
  }
};

}  // namespace inlens::store
