#include "console/api/series.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace inlens::console::api {
namespace {

constexpr std::int64_t kMinuteMs = 60'000;
constexpr std::int64_t kMinutes = 60;

std::int64_t minute_of(std::int64_t unix_ms) {
  return unix_ms / kMinuteMs;
}

}  // namespace

Json minute_series(const std::vector<store::Minute>& minutes, std::int64_t now_unix_ms) {
  const std::int64_t first = minute_of(now_unix_ms) - (kMinutes - 1);
  std::array<store::Minute, kMinutes> slots{};
  for (const store::Minute& minute : minutes) {
    const std::int64_t slot = minute_of(minute.start_unix_ms) - first;
    if (slot >= 0 && slot < kMinutes) slots[static_cast<std::size_t>(slot)] = minute;
  }
  Json series = Json::array();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const store::Minute& minute = slots[i];
    series.push_back(Json::object({{"minuteMs", whole((first + static_cast<std::int64_t>(i)) * kMinuteMs)},
                                   {"requests", minute.requests},
                                   {"errors", minute.errors},
                                   {"serverErrors", minute.server_errors},
                                   {"p50Ns", minute.p50_ns},
                                   {"p95Ns", minute.p95_ns},
                                   {"p99Ns", minute.p99_ns}}));
  }
  return series;
}

double requests_per_second(const std::vector<store::Minute>& minutes, std::int64_t now_unix_ms,
                           std::int64_t started_unix_ms) {
  const std::int64_t running_start = minute_of(now_unix_ms) * kMinuteMs;
  const std::int64_t window = std::clamp<std::int64_t>(now_unix_ms - started_unix_ms, 1'000, kMinuteMs);
  const auto before_in_window = static_cast<double>(window - (now_unix_ms - running_start));
  const auto before_alive =
      static_cast<double>(std::clamp<std::int64_t>(running_start - started_unix_ms, 1, kMinuteMs));
  const double share = std::clamp(before_in_window / before_alive, 0.0, 1.0);
  double requests = 0;
  for (const store::Minute& minute : minutes) {
    const std::int64_t age = minute_of(now_unix_ms) - minute_of(minute.start_unix_ms);
    if (age == 0) requests += static_cast<double>(minute.requests);
    if (age == 1) requests += static_cast<double>(minute.requests) * share;
  }
  const double rate = requests * 1'000 / static_cast<double>(window);
  return std::round(rate * 100) / 100;
}

}  // namespace inlens::console::api
