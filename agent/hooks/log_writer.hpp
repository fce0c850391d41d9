// Writes entries into a record's log. Used by the hooks, on the thread that writes the record.
// Blocks: never. Errors: nullptr when the pool is empty or the record has its maximum of blocks; the caller
// counts it.
#pragma once

#include <inlens/inlens.h>

#include <string_view>

#include "agent/hooks/core.hpp"
#include "agent/hooks/record.hpp"

namespace inlens::hooks {

// Where an entry was put; `offset` is from the begin of its block.
struct Place {
  std::uint32_t block = kNoBlock;
  std::uint16_t offset = 0;
};

// Takes a further block for the record. Cold.
Block* add_block(Core& core, Block& record) noexcept;

// Counts a loss of the calling thread. Cold.
void lose(Core& core, LossReason reason, LossKind kind) noexcept;

// Room for an entry of `bytes` in all (at most kMaxEntryBytes), with its common fields set; `place`, if
// given, says where.
template <class E>
inline E* append(Core& core, Block& record, EntryKind kind, std::size_t strings_bytes, std::uint64_t at_ticks,
                 Place* place = nullptr) noexcept {
  const std::size_t bytes = (sizeof(E) + strings_bytes + kEntryAlign - 1) & ~(kEntryAlign - 1);
  Block* block = &core.pool()[record.head.last_block];
  if (block->head.block.used + bytes > kBlockBytes) [[unlikely]] {
    if (bytes > kMaxEntryBytes) return nullptr;
    block = add_block(core, record);
    if (block == nullptr) return nullptr;
  }
  const std::uint16_t offset = block->head.block.used;
  E* entry = reinterpret_cast<E*>(reinterpret_cast<char*>(block) + offset);
  entry->kind = kind;
  entry->flags = 0;
  entry->size = static_cast<std::uint16_t>(bytes);
  entry->parent = record.head.innermost;
  entry->ticks = at_ticks;
  block->head.block.used = static_cast<std::uint16_t>(offset + bytes);
  if (place != nullptr) *place = {record.head.last_block, offset};
  return entry;
}

inline std::string_view view(inlens_str text) noexcept {
  return text.data == nullptr ? std::string_view{} : std::string_view{text.data, text.size};
}

// Short strings are the rule: copied in two overlapping moves instead of a call.
inline void copy_bytes(char* to, const char* from, std::size_t size) noexcept {
  if (size > 32) {
    std::memcpy(to, from, size);
  } else if (size >= 16) {
    __builtin_memcpy(to, from, 16);
    __builtin_memcpy(to + size - 16, from + size - 16, 16);
  } else if (size >= 8) {
    __builtin_memcpy(to, from, 8);
    __builtin_memcpy(to + size - 8, from + size - 8, 8);
  } else if (size >= 4) {
    __builtin_memcpy(to, from, 4);
    __builtin_memcpy(to + size - 4, from + size - 4, 4);
  } else if (size > 0) {
    to[0] = from[0];
    to[size / 2] = from[size / 2];
    to[size - 1] = from[size - 1];
  }
}

inline char* put(char* to, std::string_view text) noexcept {
  copy_bytes(to, text.data(), text.size());
  return to + text.size();
}

// A string cut to the configured length; cuts are counted in the record.
inline std::string_view cut(std::string_view text, std::uint32_t limit, Counters& counters) noexcept {
  if (text.size() <= limit) [[likely]]
    return text;
  ++counters.strings_cut;
  return text.substr(0, limit);
}

}  // namespace inlens::hooks
