// What is suspicious about the whole server, out of a snapshot: routes that fail, floods of errors, and what
// the kept requests of a route have in common. Facts with numbers, silent on a healthy server. Called by the
// worker when it builds a snapshot. Pure, any thread.
#pragma once

#include <vector>

#include "agent/store/snapshot.hpp"

namespace inlens::worker {

// The weightiest first, at most ten.
std::vector<store::Finding> server_findings(const store::Snapshot& snapshot);

}  // namespace inlens::worker
