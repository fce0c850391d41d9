#include "agent/store/minutes.hpp"

#include <algorithm>
#include <cstdlib>

namespace inlens::store {

namespace {

constexpr std::int64_t kMinuteMs = 60'000;
constexpr std::int64_t kSetMs = 2'000;  // a smaller difference between the clocks is drift

std::int64_t minute_of(std::int64_t unix_ms) {
  return unix_ms >= 0 ? unix_ms / kMinuteMs : (unix_ms - kMinuteMs + 1) / kMinuteMs;
}

// Totals are read while they are written, so one of two sums may be a little behind.
std::uint64_t since(std::uint64_t now, std::uint64_t before) {
  return now > before ? now - before : 0;
}

Histogram since(const Histogram& now, const Histogram& before) {
  Histogram difference;
  for (std::size_t i = 0; i < now.buckets.size(); ++i) {
    difference.buckets[i] = static_cast<std::uint32_t>(since(now.buckets[i], before.buckets[i]));
    difference.count += difference.buckets[i];
  }
  return difference;
}

std::size_t highest_bucket(const Histogram& histogram) {
  for (std::size_t i = histogram.buckets.size(); i-- > 0;) {
    if (histogram.buckets[i] != 0) return i;
  }
  return 0;
}

}  // namespace

Minutes::Minutes(std::int64_t steady_ms, std::int64_t unix_ms, const Totals& totals)
    : offset_ms_(unix_ms - steady_ms), minute_(minute_of(unix_ms)), base_(totals) {}

// The number that the present minute has on the clock by which `minute_` was numbered.
std::int64_t Minutes::minute_now(std::int64_t steady_ms, std::int64_t unix_ms) const {
  const bool set = std::llabs(unix_ms - steady_ms - offset_ms_) >= kSetMs;
  return minute_of(set ? steady_ms + offset_ms_ : unix_ms);
}

bool Minutes::due(std::int64_t steady_ms, std::int64_t unix_ms) const {
  return minute_now(steady_ms, unix_ms) > minute_ || std::llabs(unix_ms - steady_ms - offset_ms_) >= kSetMs;
}

void Minutes::advance(std::int64_t steady_ms, std::int64_t unix_ms, const Totals& totals) {
  const std::int64_t now = minute_now(steady_ms, unix_ms);
  if (now > minute_) {
    past_[next_] = difference(totals);
    next_ = (next_ + 1) % past_.size();
    count_ = std::min(count_ + 1, past_.size());
    base_ = totals;
    longest_ns_ = 0;
    minute_ = now;
  }
  if (std::llabs(unix_ms - steady_ms - offset_ms_) >= kSetMs) {
    const std::int64_t moved = minute_of(unix_ms) - std::max(now, minute_);
    minute_ += moved;
    for (Minute& minute : past_) minute.start_unix_ms += moved * kMinuteMs;
  }
  offset_ms_ = unix_ms - steady_ms;
}

Minute Minutes::difference(const Totals& totals) const {
  const Histogram latency = since(totals.latency, base_.latency);
  Minute minute;
  minute.start_unix_ms = minute_ * kMinuteMs;
  minute.requests = since(totals.requests, base_.requests);
  minute.errors = since(totals.errors, base_.errors);
  minute.server_errors = since(totals.status_classes[5], base_.status_classes[5]);
  minute.statements = since(totals.statements, base_.statements);
  minute.p50_ns = latency.percentile(0.50);
  minute.p95_ns = latency.percentile(0.95);
  minute.p99_ns = latency.percentile(0.99);
  if (latency.count != 0) {
    // The longest one whose detail arrived, unless the exact counts know of a longer one or of none that
    // long.
    const std::size_t highest = highest_bucket(latency);
    minute.max_ns =
        bucket_of(longest_ns_) == highest
            ? longest_ns_
            : std::min(bucket_middle(highest), std::max(totals.latency.max_ns, bucket_floor(highest)));
  }
  return minute;
}

std::vector<Minute> Minutes::list(const Totals& totals) const {
  std::vector<Minute> list;
  list.reserve(count_ + 1);
  for (std::size_t i = 0; i < count_; ++i) {
    const Minute& minute = past_[(next_ + past_.size() - count_ + i) % past_.size()];
    const std::int64_t age = minute_ - minute.start_unix_ms / kMinuteMs;
    if (age < static_cast<std::int64_t>(kMinutes)) list.push_back(minute);
  }
  list.push_back(difference(totals));
  return list;
}

}  // namespace inlens::store
