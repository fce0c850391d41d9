// Stretches of a request's wall-clock time: when a span was open and none of its children was, and how much a
// set of stretches covers when overlaps count once. Pure; used by the why-slow sentence.
#pragma once

#include <cstdint>
#include <vector>

#include "agent/store/snapshot.hpp"

namespace inlens::console::api {

struct Stretch {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
};
using Stretches = std::vector<Stretch>;

// Sorted, without overlaps.
Stretches united(Stretches stretches);
std::int64_t length_ns(const Stretches& united_stretches);
// What of `whole` no stretch covers.
Stretches remaining(Stretch whole, const Stretches& united_stretches);

struct SelfTimes {
  std::vector<Stretches> of_span;  // one entry per RequestDetail::spans
  std::vector<Stretches> of_task;  // one entry per RequestDetail::tasks
};
// Everything is clipped to the request's own time.
SelfTimes self_times(const store::RequestDetail& request);

}  // namespace inlens::console::api
