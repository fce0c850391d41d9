// `reports`: ready-made views of routes and statements. Pure; built when somebody looks.
#pragma once

#include <cstdint>

#include "agent/store/snapshot.hpp"
#include "console/api/json.hpp"

namespace inlens::console::api {

// Schema Reports.
Json reports(const store::Snapshot& snapshot, std::uint64_t routes_cap, std::int64_t since_unix_ms,
             std::int64_t now_unix_ms);

}  // namespace inlens::console::api
