// How handles are made of 64 bits. A handle is looked up and checked, never followed: any number may come in.
//   request      1 | block index (24) | generation (32)
//   request without a record (the pool was empty)   2 | begin ticks (56)
//   span         3…: offset / 16 in its block (8) | block index (24) | generation of the record (32), offset
//   >= 3 span without an entry (a cap was reached)       1 | index of the record (24) | begin ticks / 256
//   (32), as a span span of a request without a record              2 | begin ticks (56), as a span
// Offsets of entries start behind the block's head, so the first byte of a span with an entry is never
// below 3.
#pragma once

#include <cstdint>

#include "agent/hooks/record.hpp"

namespace inlens::hooks {

inline constexpr std::uint64_t kTagRecord = 1;
inline constexpr std::uint64_t kTagBare = 2;
inline constexpr std::uint64_t kTicksMask = (std::uint64_t{1} << 56) - 1;

constexpr std::uint64_t tag_of(std::uint64_t handle) {
  return handle >> 56;
}
constexpr std::uint32_t index_of(std::uint64_t handle) {
  return static_cast<std::uint32_t>(handle >> 32) & 0xFFFFFF;
}
constexpr std::uint32_t low_of(std::uint64_t handle) {
  return static_cast<std::uint32_t>(handle);
}

constexpr std::uint64_t make_handle(std::uint64_t tag, std::uint32_t index, std::uint32_t low) {
  return tag << 56 | static_cast<std::uint64_t>(index) << 32 | low;
}
constexpr std::uint64_t make_bare(std::uint64_t ticks) {
  return kTagBare << 56 | (ticks & kTicksMask);
}

static_assert(kContinuationStart / kEntryAlign >= 3, "entry offsets must not collide with the bare tags");
static_assert(kBlockBytes / kEntryAlign <= 256, "entry offsets must fit a byte");

}  // namespace inlens::hooks
