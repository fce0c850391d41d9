// Begin, attach and end of requests and tasks: the hooks' bodies behind the C ABI, whose structs they take as
// they came.
// Threads: host threads. Blocks: never. Errors: a handle that makes no sense is counted as unpaired.
#pragma once

#include <inlens/inlens.h>

#include <cstdint>
#include <string_view>

#include "agent/hooks/core.hpp"
#include "agent/hooks/handle.hpp"

namespace inlens::hooks {

std::uint64_t begin_request(Core& core, std::uint8_t level, const inlens_request_info& info) noexcept;
// A record that no total counts, neither now nor at its end; only details come of it.
std::uint64_t begin_uncounted(Core& core, std::uint8_t level, const inlens_request_info& info) noexcept;
void end_request(Core& core, std::uint64_t request, const inlens_request_result& result) noexcept;
void set_route(Core& core, std::uint64_t request, std::string_view pattern) noexcept;

std::uint64_t begin_task(Core& core, std::uint64_t request, std::string_view name);
void end_task(Core& core, std::uint64_t task);

std::uint64_t attach(Core& core, std::uint64_t request);
void detach(Core& core, std::uint64_t previous);
std::uint64_t current(Core& core);

// 32 hexadecimal digits and NUL into `out`; false when the request has no id.
bool write_id(Core& core, std::uint64_t request, char (&out)[33]);

// What begin said, read back from an open record.
struct BeginFacts {
  std::string_view method, host, peer, traceparent;
  bool subrequest = false;
  bool tls = false;
};
BeginFacts begin_facts(const Block& record);

// Gives the blocks of a response's injector back.
void release_response(Core& core, ThreadState& state, std::uint32_t index);

// The handle that a call means: itself, or the thread's current one for INLENS_CURRENT.
inline std::uint64_t resolve_handle(const ThreadState& state, std::uint64_t request) {
  return request == INLENS_CURRENT ? state.current : request;
}

// The open record behind a handle, or nullptr.
inline Block* open_record(Core& core, std::uint64_t request) {
  if (tag_of(request) != kTagRecord) return nullptr;
  Block* block = core.pool().at(index_of(request));
  if (block == nullptr) return nullptr;
  const std::uint32_t generation = block->head.block.generation.load(std::memory_order_acquire);
  return generation == low_of(request) && (generation & 1) != 0 ? block : nullptr;
}

// The open record that a call on `request` writes into, or nullptr. INLENS_CURRENT is resolved in place; a
// handle that makes no sense is counted.
Block* current_record(Core& core, std::uint64_t& request) noexcept;
inline Block* record_to_write(Core& core, std::uint64_t& request) noexcept {
  Block* block = open_record(core, request);
  return block != nullptr ? block : current_record(core, request);
}

}  // namespace inlens::hooks
