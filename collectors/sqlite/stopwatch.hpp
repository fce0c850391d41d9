// Time inside the library, which a statement of many rows spends in many pieces. Reads the processor's
// time-stamp counter where it is invariant, as two readings a row have to be cheap.
// Threads: any. Blocks: never.
#pragma once

#include <cstdint>

namespace inlens::sqlite {

// Unit: ticks; only differences on one thread mean something.
std::uint64_t ticks() noexcept;

std::uint64_t ticks_to_ns(std::uint64_t ticks) noexcept;

// CLOCK_MONOTONIC.
std::uint64_t now_ns() noexcept;

}  // namespace inlens::sqlite
