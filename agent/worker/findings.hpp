// What is suspicious about one request, as sentences with numbers. The cheap signs are counted for every
// record (see aggregate.hpp); the sentences are written when a snapshot is built. Pure, any thread.
#pragma once

#include <cstdint>
#include <string>

#include "agent/store/snapshot.hpp"
#include "agent/worker/stored_request.hpp"

namespace inlens::worker {

// "870 µs", "1,240 ms", "12.3 s".
std::string duration_text(std::uint64_t ns);

// Fills `detail.findings` from the rest of it, the weightiest first. Silent when nothing is suspicious.
void add_findings(const Thresholds& thresholds, store::RequestDetail& detail);

}  // namespace inlens::worker
