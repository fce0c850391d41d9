// Why a request took as long as it did, in one sentence with numbers: facts, never orders.
//
// Each moment of the request is laid to the innermost span that was open then (its self time), on the wall
// clock, so that work done in parallel tasks counts once. Statements that are the same count together. What
// takes at least a tenth of the time is named, at most three things; then what no span accounts for. Pure;
// called when a request's page or bar is shown.
#pragma once

#include <string>

#include "agent/store/snapshot.hpp"

namespace inlens::console::api {

std::string why_slow(const store::RequestDetail& request);

}  // namespace inlens::console::api
