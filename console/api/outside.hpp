// What the host does outside of itself: `calls`, `connections`, `attached`, and `findings` in one list. Pure;
// built when somebody looks.
#pragma once

#include <cstdint>
#include <vector>

#include "agent/store/source.hpp"
#include "console/api/json.hpp"

namespace inlens::console::api {

Json calls(const store::Snapshot& snapshot);                               // schema Calls
Json connections(const std::vector<store::ConnectionStats>& connections);  // schema Connections
Json attached(const std::vector<store::CollectorStats>& collectors);       // schema Attached
Json findings(const store::Snapshot& snapshot);                            // schema Findings

}  // namespace inlens::console::api
