#include "console/api/series.hpp"

#include <catch2/catch.hpp>

#include "tests/console/api/sample_store.hpp"

using namespace inlens;
using namespace inlens::console::api;
using test::kNowMs;

namespace {

constexpr std::int64_t kMinuteMs = 60'000;
constexpr std::int64_t kRunningMs = kNowMs - 30'000;  // the running minute began 30 s ago

store::Minute minute(std::int64_t start_ms, std::uint64_t requests) {
  store::Minute minute;
  minute.start_unix_ms = start_ms;
  minute.requests = requests;
  return minute;
}

}  // namespace

TEST_CASE("the series has 60 minutes in order, idle ones as zeros, the running one last") {
  const Json series = minute_series({minute(kRunningMs - 2 * kMinuteMs, 5), minute(kRunningMs, 7)}, kNowMs);
  REQUIRE(series.size() == 60);
  CHECK(series[59]["minuteMs"] == kRunningMs);
  CHECK(series[59]["requests"] == 7);
  CHECK(series[58]["requests"] == 0);
  CHECK(series[57]["requests"] == 5);
  CHECK(series[0]["minuteMs"] == kRunningMs - 59 * kMinuteMs);
}

TEST_CASE("minutes older than an hour or in the future are not shown") {
  const Json series =
      minute_series({minute(kRunningMs - 60 * kMinuteMs, 5), minute(kRunningMs + kMinuteMs, 7)}, kNowMs);
  for (const Json& shown : series) CHECK(shown["requests"] == 0);
}

TEST_CASE("the rate covers the last 60 seconds across the turn of a minute") {
  const std::vector<store::Minute> minutes{minute(kRunningMs - kMinuteMs, 120), minute(kRunningMs, 30)};
  // Half of the 120, and the 30.
  CHECK(requests_per_second(minutes, kNowMs, kNowMs - 3'600'000) == 1.5);
}

TEST_CASE("the rate of a young server covers its own life only") {
  const std::vector<store::Minute> minutes{minute(kRunningMs - kMinuteMs, 20), minute(kRunningMs, 20)};
  CHECK(requests_per_second(minutes, kNowMs, kNowMs - 40'000) == 1);
  CHECK(requests_per_second({minute(kRunningMs, 20)}, kNowMs, kNowMs - 20'000) == 1);
  CHECK(requests_per_second({minute(kRunningMs, 3)}, kNowMs, kNowMs) == 3);
}

TEST_CASE("the rate of an idle or empty server is zero") {
  CHECK(requests_per_second({}, kNowMs, 0) == 0);
  CHECK(requests_per_second({minute(kRunningMs - 5 * kMinuteMs, 900)}, kNowMs, 0) == 0);
}
