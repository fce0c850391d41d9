// What is suspicious about one request, as sentences with numbers. The cheap signs are counted for every
// record (see aggregate.hpp); the sentences are written when a snapshot is built. Pure, any thread.
#pragma once

#include "agent/store/snapshot.hpp"
#include "agent/worker/stored_request.hpp"

namespace inlens::worker {

// Fills `detail.findings` from the rest of it, the weightiest first. Silent when nothing is suspicious.
void add_findings(const Thresholds& thresholds, store::RequestDetail& detail);

}  // namespace inlens::worker
