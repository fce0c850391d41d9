// `overview`: the server at a glance. Pure; built when somebody looks.
#pragma once

#include <cstdint>

#include "agent/config/config.hpp"
#include "agent/store/snapshot.hpp"
#include "agent/store/source.hpp"
#include "console/api/json.hpp"

namespace inlens::console::api {

struct OverviewFacts {
  const store::Snapshot& snapshot;
  const store::Totals& totals;  // taken after the snapshot, so it never counts less
  const store::AgentFigures& figures;
  const Config::Server& server;
  std::uint64_t in_flight = 0;
  std::int64_t now_unix_ms = 0;
};

Json overview(const OverviewFacts& facts);  // schema Overview

}  // namespace inlens::console::api
