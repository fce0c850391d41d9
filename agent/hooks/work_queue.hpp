// The work queue between hooks and worker: one block index per finished request, on moodycamel's lock-free
// queue with one producer token per host thread. Its blocks come from the hooks' arena, so a push never calls
// malloc. A token keeps the queue blocks it once used; as every entry names a different pool block, the pool
// bounds the queue. Threads: push on the token's own thread, pop on the worker.
#pragma once

#include <concurrentqueue/concurrentqueue.h>

#include <cstddef>
#include <cstdint>

#include "agent/hooks/arena.hpp"

namespace inlens::hooks {

// moodycamel asks its traits, which are static, for memory; the arena in use is therefore a process-wide
// pointer. A request that it cannot serve makes the push fail, which is counted.
Arena* queue_arena() noexcept;
void set_queue_arena(Arena* arena) noexcept;

struct QueueTraits : moodycamel::ConcurrentQueueDefaultTraits {
  static void* malloc(std::size_t size) {
    Arena* arena = queue_arena();
    return arena == nullptr ? nullptr : arena->allocate(size);
  }
  static void free(void*) {}
};

using WorkQueue = moodycamel::ConcurrentQueue<std::uint32_t, QueueTraits>;
using ProducerToken = moodycamel::ProducerToken;

}  // namespace inlens::hooks
