// Begin, attach and end of requests and tasks: the hooks' bodies behind the C ABI.
// Threads: host threads. Blocks: never. Errors: a handle that makes no sense is counted as unpaired.
#pragma once

#include <cstdint>
#include <string_view>

#include "agent/hooks/core.hpp"
#include "agent/hooks/handle.hpp"

namespace inlens::hooks {

struct BeginInfo {
  std::string_view method, target, host, peer, protocol, traceparent;
  std::uint64_t bytes_in = 0;
  std::uint16_t flags = 0;   // kFlagTls, kFlagSubrequest, kFlagBackground
  std::uint64_t parent = 0;  // handle
};

struct EndInfo {
  std::uint32_t status = 0;
  bool aborted = false;
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  std::string_view content_type;
};

std::uint64_t begin_request(Core& core, std::uint8_t level, const BeginInfo& info);
void end_request(Core& core, std::uint64_t request, const EndInfo& info);
void set_route(Core& core, std::uint64_t request, std::string_view pattern);

std::uint64_t begin_task(Core& core, std::uint64_t request, std::string_view name);
void end_task(Core& core, std::uint64_t task);

std::uint64_t attach(Core& core, std::uint64_t request);
void detach(Core& core, std::uint64_t previous);
std::uint64_t current(Core& core);

// 32 hexadecimal digits and NUL into `out`; false when the request has no id.
bool write_id(Core& core, std::uint64_t request, char (&out)[33]);

// What begin said, read back from an open record.
struct BeginFacts {
  std::string_view method, host, peer;
  bool subrequest = false;
  bool tls = false;
};
BeginFacts begin_facts(const Block& record);

// Gives the blocks of a response's injector back.
void release_response(Core& core, ThreadState& state, std::uint32_t index);

// The handle that a call means: itself, or the thread's current one for INLENS_CURRENT.
std::uint64_t resolve_handle(ThreadState& state, std::uint64_t request);

// The open record behind a handle, or nullptr.
inline Block* open_record(Core& core, std::uint64_t request) {
  if (tag_of(request) != kTagRecord) return nullptr;
  Block* block = core.pool().at(index_of(request));
  if (block == nullptr) return nullptr;
  const std::uint32_t generation = block->head.block.generation.load(std::memory_order_acquire);
  return generation == low_of(request) && (generation & 1) != 0 ? block : nullptr;
}

}  // namespace inlens::hooks
