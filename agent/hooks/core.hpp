// The hooks' shared part: pool, work queue, thread states, limits, and the one switch that every hook looks
// at first.
//
// There is one Core per process, made by inlens_start (or by a forked child's first request) and never
// destroyed, so a host thread inside a hook can never lose its ground. Stopping only closes the gate.
// Threads: any. Blocks: never, except where said.
#pragma once

#include <atomic>
#include <cstdint>
#include <new>
#include <string_view>

#include "agent/config/level.hpp"
#include "agent/hooks/arena.hpp"
#include "agent/hooks/pool.hpp"
#include "agent/hooks/thread_state.hpp"
#include "agent/hooks/work_queue.hpp"

namespace inlens::hooks {

// The switch: a Level, or kGateForked in a child that has not started yet.
inline constexpr std::uint8_t kGateForked = 0xFF;
extern std::atomic<std::uint8_t> g_gate __attribute__((visibility("hidden")));

// Per-request caps; read at every use, changed while running, relaxed.
struct Limits {
  std::atomic<std::uint32_t> string_bytes{2000};
  std::atomic<std::uint32_t> statements{200};
  std::atomic<std::uint32_t> spans{300};
  std::atomic<std::uint32_t> errors{50};
  std::atomic<std::uint32_t> messages{200};
};

// Which statement texts the worker knows. The worker writes a hash once it has learned its text and takes it
// out when it forgets it; until then every thread sends the text along. A record that is still on its way
// when its text is forgotten may carry the hash alone, so the worker keeps a forgotten text for one more
// generation.
class KnownTexts {
 public:
  bool knows(std::uint64_t hash) const {
    return slots_[hash % kSlots].load(std::memory_order_relaxed) == hash;
  }
  void learn(std::uint64_t hash) { slots_[hash % kSlots].store(hash, std::memory_order_relaxed); }
  void forget(std::uint64_t hash) {
    if (knows(hash)) slots_[hash % kSlots].store(0, std::memory_order_relaxed);
  }
  // By a worker that starts, which knows nothing yet.
  void clear() {
    for (auto& slot : slots_) slot.store(0, std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t kSlots = 8192;
  std::atomic<std::uint64_t> slots_[kSlots] = {};
};

inline constexpr std::uint32_t kMaxThreads = 4096;
inline constexpr std::uint32_t kMaxBlocksPerRecord = 128;  // 288 KB
inline constexpr std::size_t kQueueCapacity = 8192;

class Core {
 public:
  // Returns nullptr when memory or the one pthread key is refused. `seed` differs per process generation.
  static Core* make(std::size_t pool_bytes, std::uint32_t seed) noexcept;

  Pool& pool() { return pool_; }
  const Pool& pool() const { return pool_; }
  WorkQueue& queue() { return queue_; }
  Limits& limits() { return limits_; }
  Arena& arena() { return arena_; }

  // The calling thread's state, registered at its first call; nullptr when the thread's storage is already
  // gone or no state is left. Such calls are counted.
  ThreadState* this_thread() noexcept;

  std::uint32_t thread_count() const { return thread_count_.load(std::memory_order_acquire); }
  ThreadState* thread(std::uint32_t number) const;  // 1 … thread_count()

  // Marks this core's handles of connections.
  std::uint32_t seed() const { return pool_.seed(); }
  Connections connections;

  // Statement texts that the worker has by heart, by hash: hooks then send the hash alone.
  KnownTexts known_texts;
  // A hint: the guard would drop an error now, so expensive capture may be skipped. Written by the worker.
  std::atomic<bool> guard_closed{false};
  // Whether outgoing calls send the trace context along (`calls.propagate`).
  std::atomic<bool> propagates{false};
  // Losses on threads that have no state.
  std::atomic<std::uint64_t> lost_without_thread{0};
  std::atomic<std::uint64_t> guarded_exceptions{0};
  // Asks the worker to come earlier than its next poll; set by a hook whose pool ran low, at most once per
  // drain.
  std::atomic<std::uint32_t> hurry{0};
  void hurry_worker() noexcept;

  void retire(ThreadState* state) noexcept;  // its thread ends

 private:
  Core(std::size_t pool_bytes, std::uint32_t seed);
  ThreadState* register_thread() noexcept;

  Arena arena_;
  Pool pool_;
  WorkQueue queue_;
  Limits limits_;
  std::atomic<std::uint32_t> thread_count_{0};
  std::atomic<std::uint64_t> unused_threads_;  // tag << 32 | number; states of ended threads
  std::atomic<ThreadState*> threads_[kMaxThreads + 1];
};

extern std::atomic<Core*> g_core __attribute__((visibility("hidden")));

// Makes `core` the process's; nullptr in a forked child before its start. Also forgets the calling thread's
// state.
void install_core(Core* core) noexcept;

// Block supply of a thread.
std::uint32_t refill_blocks(Core& core, ThreadState& state) noexcept;  // cold; its first block, or kNoBlock

inline std::uint32_t take_block(Core& core, ThreadState& state) noexcept {
  std::uint32_t index = state.free_first;
  if (index == kNoBlock) [[unlikely]] {
    index = refill_blocks(core, state);
    if (index == kNoBlock) return kNoBlock;
  }
  BlockHead& head = core.pool()[index].head.block;
  const std::uint32_t next = head.next_free.load(std::memory_order_relaxed);
  state.free_first = next;
  --state.free_count;
  head.owner = &state;
  if (next != kNoBlock) {
    // The worker had it last: bring the lines that the next request writes first over here meanwhile.
    const char* block = reinterpret_cast<const char*>(&core.pool()[next]);
    for (std::size_t line = 0; line < 6; ++line) __builtin_prefetch(block + line * 64, 1);
  }
  return index;
}
void give_block(Core& core, ThreadState& state, std::uint32_t index) noexcept;

// The record's side of the hand-over: what was written before hand_over() is seen after take_over(). The
// queue orders the two as well, but by fences, which the thread sanitizer does not follow.
inline void hand_over(Block& block) noexcept {
  std::atomic<BlockUse>& use = block.head.block.use;
  use.store(use.load(std::memory_order_relaxed), std::memory_order_release);
}
inline void take_over(const Block& block) noexcept {
  block.head.block.use.load(std::memory_order_acquire);
}

// Gives a whole record back to the threads its blocks came from. Worker only.
void give_record(Core& core, std::uint32_t first) noexcept;
// Takes back what idle threads have not collected. Worker only.
void reclaim_returned(Core& core) noexcept;

}  // namespace inlens::hooks
