#include "agent/worker/settings.hpp"

namespace inlens::worker {

Settings settings_of(const Config& config) {
  constexpr std::uint64_t kMs = 1'000'000;
  constexpr std::uint64_t kHour = 3600 * 1000 * kMs;
  Settings settings;
  settings.thresholds.slow_request_ns = config.thresholds.slow_request_ms * kMs;
  settings.thresholds.slow_statement_ns = config.thresholds.slow_statement_ms * kMs;
  settings.thresholds.slow_call_ns = config.thresholds.slow_call_ms * kMs;
  settings.guard.events_per_second = config.guard.events_per_second;
  settings.guard.new_issues_per_minute = config.guard.new_issues_per_minute;
  settings.guard.issues_total = config.issues.max;
  settings.guard.retention_ns = config.issues.retention_hours * kHour;
  settings.history.recent = config.history.recent;
  settings.history.notable = config.history.notable;
  settings.routes = config.limits.routes;
  settings.statements = config.limits.statements;
  settings.poll_ms = config.worker.poll_ms;
  return settings;
}

}  // namespace inlens::worker
