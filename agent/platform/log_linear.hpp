// Log-linear bucket arithmetic for latency histograms: each power of two is split into 16 equal buckets, so a
// bucket is at most 6.25 % wide, and values up to 2^40 ns (18 minutes) are told apart; larger ones share the
// last bucket. Pure functions, used by host threads (their own totals) and by the worker (routes, statements,
// minutes).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace inlens {

inline constexpr unsigned kSubBucketBits = 4;
inline constexpr unsigned kMaxValueBits = 40;
inline constexpr std::size_t kHistogramBuckets = (kMaxValueBits - kSubBucketBits + 1) << kSubBucketBits;

constexpr std::size_t bucket_of(std::uint64_t value) {
  constexpr std::uint64_t sub = 1U << kSubBucketBits;
  if (value < sub) return static_cast<std::size_t>(value);
  if (value >> kMaxValueBits != 0) return kHistogramBuckets - 1;
  const unsigned shift = static_cast<unsigned>(std::bit_width(value)) - 1 - kSubBucketBits;
  return static_cast<std::size_t>((static_cast<std::uint64_t>(shift) << kSubBucketBits) + (value >> shift));
}

// The smallest value that falls into `bucket`.
constexpr std::uint64_t bucket_floor(std::size_t bucket) {
  constexpr std::size_t sub = 1U << kSubBucketBits;
  if (bucket < sub) return bucket;
  const std::size_t shift = (bucket >> kSubBucketBits) - 1;
  return static_cast<std::uint64_t>(sub + (bucket & (sub - 1))) << shift;
}

// The value that stands for a bucket in answers: its middle.
constexpr std::uint64_t bucket_middle(std::size_t bucket) {
  const std::uint64_t low = bucket_floor(bucket);
  if (bucket + 1 >= kHistogramBuckets) return low;
  return low + (bucket_floor(bucket + 1) - low) / 2;
}

static_assert(bucket_of((std::uint64_t{1} << kMaxValueBits) - 1) == kHistogramBuckets - 1);
static_assert(bucket_floor(bucket_of(1U << 20)) == 1U << 20);

}  // namespace inlens
