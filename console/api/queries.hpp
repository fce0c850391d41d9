// `queries`: statements by total time. Pure; built when somebody looks.
#pragma once

#include <cstdint>

#include "agent/store/snapshot.hpp"
#include "console/api/json.hpp"

namespace inlens::console::api {

Json queries(const store::Snapshot& snapshot, std::uint64_t cap);  // schema Queries

}  // namespace inlens::console::api
