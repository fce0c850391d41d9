#include "agent/hooks/log_writer.hpp"

#include "agent/hooks/this_thread.hpp"

namespace inlens::hooks {

Block* add_block(Core& core, Block& record) noexcept {
  ThreadState* state = this_thread(core);
  if (state == nullptr || record.head.blocks >= kMaxBlocksPerRecord) return nullptr;
  const std::uint32_t index = take_block(core, *state);
  if (index == kNoBlock) return nullptr;
  Pool& pool = core.pool();
  BlockHead& head = pool[index].head.block;
  head.use.store(BlockUse::kContinuation, std::memory_order_relaxed);
  head.next.store(kNoBlock, std::memory_order_relaxed);
  head.used = kContinuationStart;
  head.record = pool.index_of(&record);
  head.record_generation = record.head.block.record_generation;
  pool[record.head.last_block].head.block.next.store(index, std::memory_order_relaxed);
  record.head.last_block = index;
  ++record.head.blocks;
  return &pool[index];
}

void lose(Core& core, LossReason reason, LossKind kind) noexcept {
  if (ThreadState* state = this_thread(core); state != nullptr) state->totals.lose(reason, kind);
}

}  // namespace inlens::hooks
