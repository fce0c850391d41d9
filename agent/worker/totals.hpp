// The exact figures: sums over what every host thread counts for itself, since the start. They never depend
// on records, so they stay exact when details are lost. Any thread may ask; costs a walk over the threads
// that ever used a hook.
#pragma once

#include <array>
#include <cstdint>

#include "agent/hooks/core.hpp"
#include "agent/store/snapshot.hpp"
#include "agent/store/source.hpp"

namespace inlens::worker {

struct ExactFigures {
  store::Totals totals;
  store::Lost lost;
  store::LostByKind lost_by_kind;
  std::uint64_t bars_inserted = 0;
  std::array<std::uint64_t, 32> pages_skipped{};  // by bar::Skip
  std::uint32_t hook_threads = 0;
};

// Since the Core was made.
ExactFigures sum_figures(const hooks::Core& core);

// `now` without what was counted before `then`. The longest latency is exact while it was reached after
// `then`, else the middle of its bucket.
ExactFigures since(const ExactFigures& now, const ExactFigures& then);

}  // namespace inlens::worker
