// The minute series as the pages draw it: always 60 minutes, idle ones as zeros, the running one last. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "agent/store/snapshot.hpp"
#include "console/api/json.hpp"

namespace inlens::console::api {

Json minute_series(const std::vector<store::Minute>& minutes, std::int64_t now_unix_ms);

// Requests per second over the last 60 s, or since the start if that is less. The minute before the running
// one counts with the share of it that lies within the 60 s.
double requests_per_second(const std::vector<store::Minute>& minutes, std::int64_t now_unix_ms,
                           std::int64_t started_unix_ms);

}  // namespace inlens::console::api
