#include "agent/platform/log_linear.hpp"

#include <catch2/catch.hpp>

using namespace inlens;

TEST_CASE("Every value lies in its bucket, and buckets are at most 6.25 percent wide") {
  std::uint64_t value = 0;
  while (value < (std::uint64_t{1} << 40)) {
    const std::size_t bucket = bucket_of(value);
    REQUIRE(bucket_floor(bucket) <= value);
    if (bucket + 1 < kHistogramBuckets) {
      REQUIRE(value < bucket_floor(bucket + 1));
      REQUIRE((bucket_floor(bucket + 1) - bucket_floor(bucket)) * 16 <=
              std::max<std::uint64_t>(bucket_floor(bucket), 16));
    }
    value += 1 + value / 37;
  }
}

TEST_CASE("Buckets follow each other without gap") {
  for (std::size_t bucket = 0; bucket < kHistogramBuckets; ++bucket)
    CHECK(bucket_of(bucket_floor(bucket)) == bucket);
}

TEST_CASE("Values beyond the range share the last bucket") {
  CHECK(bucket_of(UINT64_MAX) == kHistogramBuckets - 1);
  CHECK(bucket_of(std::uint64_t{1} << 40) == kHistogramBuckets - 1);
}
