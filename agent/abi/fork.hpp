// What becomes of the agent when the host forks: the parent notices nothing; the child begins without agent,
// its gate says so, and its first request starts a new one. Nothing of the parent's loop, threads or locks is
// repaired.
#pragma once

#include <cstdint>

namespace inlens::abi {

// Registers the fork handlers, once per process image.
bool watch_forks() noexcept;

// Starts the agent in a forked child, on the thread of its first request; other threads meanwhile go
// unrecorded. Returns the level. Blocks: as inlens_start does, once per child.
std::uint8_t start_in_child() noexcept;

}  // namespace inlens::abi
