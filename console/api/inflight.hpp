// `inflight`: what runs right now, the longest running first. Pure; built when somebody looks.
#pragma once

#include <cstdint>
#include <vector>

#include "agent/store/snapshot.hpp"
#include "agent/store/source.hpp"
#include "console/api/json.hpp"

namespace inlens::console::api {

// Tasks are listed, but are no requests.
std::uint64_t requests_in_flight(const std::vector<store::InFlight>& rows);

// Schema Inflight; `snapshot` gives the routes' usual times.
Json inflight(std::vector<store::InFlight> rows, const store::Snapshot& snapshot, std::int64_t now_unix_ms);

}  // namespace inlens::console::api
