// Work outside of requests: each host thread may have one background record, begun by its first piece of such
// work and ended a second later, by the thread itself or by the worker. Background records are not requests:
// they are kept and grouped like them, but no total counts them.
//
// Between pieces the record lies in its thread's slot and belongs to whoever takes it out; during a piece the
// slot is empty, so the worker never ends what a hook is writing.
// Threads: host threads; end_idle_background() the worker. Blocks: never.
#pragma once

#include <cstdint>

#include "agent/hooks/core.hpp"

namespace inlens::hooks {

struct Entered {
  std::uint64_t request = 0;
  Block* record = nullptr;  // open; nullptr: the request goes on without one
};

// The thread's current request, or its background record; see inlens_background_enter. `now`: ticks.
Entered enter_background(Core& core, std::uint8_t level, std::uint64_t now) noexcept;
void leave_background(Core& core, std::uint64_t request) noexcept;

// Of a thread that ends.
void end_background(Core& core, ThreadState& state) noexcept;

// Ends the background records that nobody is writing; those of the last second stay, unless `all`.
void end_idle_background(Core& core, bool all) noexcept;

}  // namespace inlens::hooks
