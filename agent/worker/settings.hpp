// The settings as the worker uses them. Plain values, made from the validated Config.
#pragma once

#include <cstddef>
#include <cstdint>

#include "agent/config/config.hpp"
#include "agent/store/history.hpp"
#include "agent/worker/stored_request.hpp"
#include "flood_guard/flood_guard.hpp"

namespace inlens::worker {

struct Settings {
  // Taken over while running.
  Thresholds thresholds;
  guard::Limits guard;
  // At the start only.
  store::HistoryLimits history;
  std::size_t routes = 300;
  std::size_t statements = 500;
  std::uint32_t poll_ms = 50;
};

Settings settings_of(const Config& config);

}  // namespace inlens::worker
