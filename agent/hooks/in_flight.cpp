#include "agent/hooks/in_flight.hpp"

namespace inlens::hooks {

namespace {

void copy_card(const Card& from, Card& to) {
  const auto* source = reinterpret_cast<const std::uint64_t*>(&from);
  std::uint64_t words[sizeof(Card) / 8];
  for (std::size_t i = 0; i < sizeof(Card) / 8; ++i) {
    // Partner: store_word in requests.cpp. atomic_ref wants a mutable object, which the pool's memory is.
    words[i] =
        std::atomic_ref<std::uint64_t>(const_cast<std::uint64_t&>(source[i])).load(std::memory_order_acquire);
  }
  std::memcpy(static_cast<void*>(&to), words, sizeof(Card));
}

}  // namespace

std::vector<RunningRecord> running_records(const Core& core) {
  std::vector<RunningRecord> running;
  const Pool& pool = core.pool();
  const std::uint32_t touched = pool.touched();
  for (std::uint32_t index = 0; index < touched; ++index) {
    const Block& block = pool[index];
    const std::uint32_t generation = block.head.block.generation.load(std::memory_order_acquire);
    if ((generation & 1) == 0) continue;
    const BlockUse use = block.head.block.use.load(std::memory_order_relaxed);
    if (use != BlockUse::kRequest && use != BlockUse::kTask) continue;
    RunningRecord record;
    record.task = use == BlockUse::kTask;
    record.statements = block.head.counters.statements.get();
    record.errors = block.head.counters.errors.get();
    record.activity = static_cast<EntryKind>(block.head.counters.activity.get());
    copy_card(block.head.card, record.card);
    if (block.head.block.generation.load(std::memory_order_acquire) == generation) running.push_back(record);
  }
  return running;
}

}  // namespace inlens::hooks
