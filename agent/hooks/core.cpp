#include "agent/hooks/core.hpp"

#include <linux/futex.h>
#include <pthread.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "agent/hooks/background.hpp"
#include "agent/hooks/this_thread.hpp"
#include "agent/platform/clock.hpp"

namespace inlens::hooks {

std::atomic<std::uint8_t> g_gate{0};
std::atomic<Core*> g_core{nullptr};
__thread ThreadState* t_state = nullptr;

namespace {

constexpr std::size_t kArenaBytes = std::size_t{160}
                                    << 20;  // address space; pages are touched as threads come
constexpr std::uint32_t kLocalBlocks = 64;  // a thread keeps at most this many free blocks to itself
constexpr std::uint32_t kLowShare = 4;

std::atomic<Arena*> g_queue_arena{nullptr};

// Tells when a thread ends: the one pthread key of the library, made once per process. A thread_local
// destructor would do the same, but registering one ends the process when memory is refused.
pthread_key_t g_end_of_thread;

void leave(void* value) {
  Core* core = g_core.load(std::memory_order_acquire);
  auto* state = static_cast<ThreadState*>(value);
  const bool ours = core != nullptr && core->thread(state->number) == state;
  if (ours) end_background(*core, *state);
  t_state = kGoneThread;
  if (ours) core->retire(state);
}

// Asked again by each start, as a host may have given keys back meanwhile; starts are serialised.
bool make_key() noexcept {
  static bool made = false;
  if (!made) made = pthread_key_create(&g_end_of_thread, leave) == 0;
  return made;
}

// Hooks leave the host's errno as it was.
class KeptErrno {
 public:
  KeptErrno() noexcept : error_(errno) {}
  ~KeptErrno() { errno = error_; }
  KeptErrno(const KeptErrno&) = delete;
  KeptErrno& operator=(const KeptErrno&) = delete;

 private:
  int error_;
};

void futex_wake(std::atomic<std::uint32_t>& word) noexcept {
  const KeptErrno kept;
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

// Not getrandom(): that is a point of cancellation.
void seed_random(std::uint64_t (&random)[2]) noexcept {
  if (syscall(SYS_getrandom, random, sizeof(random), GRND_NONBLOCK) != long{sizeof(random)}) {
    random[0] ^= monotonic_ns();
    random[1] ^= reinterpret_cast<std::uintptr_t>(&random) ^ static_cast<std::uint64_t>(gettid());
  }
  random[0] |= 1;  // never all zero
}

}  // namespace

Arena* queue_arena() noexcept {
  return g_queue_arena.load(std::memory_order_acquire);
}
void set_queue_arena(Arena* arena) noexcept {
  g_queue_arena.store(arena, std::memory_order_release);
}

Core::Core(std::size_t pool_bytes, std::uint32_t seed)
    : arena_(kArenaBytes),
      pool_(pool_bytes, seed),
      queue_((set_queue_arena(&arena_), kQueueCapacity), 0, 0),
      unused_threads_(kNoBlock) {}

Core* Core::make(std::size_t pool_bytes, std::uint32_t seed) noexcept {
  try {
    if (!make_key()) return nullptr;
    auto* core = new (std::nothrow) Core(pool_bytes, seed);
    if (core != nullptr && core->arena_.valid() && core->pool_.valid()) return core;
    delete core;
  } catch (...) {
  }
  return nullptr;
}

ThreadState* Core::thread(std::uint32_t number) const {
  return number <= kMaxThreads ? threads_[number].load(std::memory_order_acquire) : nullptr;
}

ThreadState* Core::this_thread() noexcept {
  ThreadState* state = t_state;
  if (state == nullptr) state = register_thread();
  if (state != kGoneThread) [[likely]]
    return state;
  lost_without_thread.fetch_add(1, std::memory_order_relaxed);
  return nullptr;
}

ThreadState* Core::register_thread() noexcept {
  const KeptErrno kept;
  ThreadState* state = nullptr;
  std::uint64_t top = unused_threads_.load(std::memory_order_acquire);
  while (static_cast<std::uint32_t>(top) != kNoBlock) {
    ThreadState* candidate = threads_[static_cast<std::uint32_t>(top)].load(std::memory_order_acquire);
    const std::uint64_t next = candidate->next_unused.load(std::memory_order_relaxed);
    if (unused_threads_.compare_exchange_weak(top, ((top >> 32) + 1) << 32 | next,
                                              std::memory_order_acquire)) {
      state = candidate;
      break;
    }
  }
  if (state == nullptr) {
    void* memory = arena_.allocate(sizeof(ThreadState));
    if (memory == nullptr) return t_state = kGoneThread;
    state = new (memory) ThreadState(queue_);
    if (!state->token.valid()) return t_state = kGoneThread;
    std::uint32_t number = thread_count_.load(std::memory_order_relaxed);
    do {
      if (number >= kMaxThreads) return t_state = kGoneThread;
    } while (!thread_count_.compare_exchange_weak(number, number + 1, std::memory_order_acq_rel));
    state->number = number + 1;
    seed_random(state->random);
    threads_[state->number].store(state, std::memory_order_release);
  }
  char name[16] = {};
  pthread_getname_np(pthread_self(), name, sizeof(name));
  std::uint64_t words[2];
  std::memcpy(words, name, sizeof(words));
  state->name[0].store(words[0], std::memory_order_relaxed);
  state->name[1].store(words[1], std::memory_order_relaxed);
  state->thread_id.store(gettid(), std::memory_order_relaxed);
  state->current = 0;
  if (pthread_setspecific(g_end_of_thread, state) != 0) {
    retire(state);
    return t_state = kGoneThread;
  }
  return t_state = state;
}

void Core::retire(ThreadState* state) noexcept {
  state->thread_id.store(0, std::memory_order_relaxed);
  pool_.give(state->free_first);
  state->free_first = kNoBlock;
  state->free_count = 0;
  std::uint64_t top = unused_threads_.load(std::memory_order_relaxed);
  do {
    state->next_unused.store(static_cast<std::uint32_t>(top), std::memory_order_relaxed);
  } while (!unused_threads_.compare_exchange_weak(top, ((top >> 32) + 1) << 32 | state->number,
                                                  std::memory_order_release, std::memory_order_relaxed));
}

void Core::hurry_worker() noexcept {
  if (hurry.load(std::memory_order_relaxed) != 0) return;
  if (hurry.exchange(1, std::memory_order_acq_rel) == 0) futex_wake(hurry);
}

void install_core(Core* core) noexcept {
  if (t_state != nullptr && t_state != kGoneThread) pthread_setspecific(g_end_of_thread, nullptr);
  t_state = nullptr;
  g_core.store(core, std::memory_order_release);
}

namespace {

// Moves what the worker gave back into the thread's own list; what is too much goes to the common stock.
void collect_returned(Core& core, ThreadState& state) noexcept {
  std::uint32_t first = state.returned.exchange(kNoBlock, std::memory_order_acquire);
  Pool& pool = core.pool();
  while (first != kNoBlock && state.free_count < kLocalBlocks) {
    BlockHead& head = pool[first].head.block;
    const std::uint32_t next = head.next_free.load(std::memory_order_relaxed);
    head.next_free.store(state.free_first, std::memory_order_relaxed);
    state.free_first = first;
    ++state.free_count;
    first = next;
  }
  pool.give(first);
}

}  // namespace

std::uint32_t refill_blocks(Core& core, ThreadState& state) noexcept {
  if (state.returned.load(std::memory_order_relaxed) != kNoBlock) collect_returned(core, state);
  if (state.free_first == kNoBlock) {
    Pool& pool = core.pool();
    state.free_first = pool.take(state.free_count);
    const std::uint32_t left = pool.capacity() - pool.touched() + pool.stocked();
    if (state.free_first == kNoBlock || left < pool.capacity() / kLowShare) core.hurry_worker();
  }
  return state.free_first;
}

void give_block(Core& core, ThreadState& state, std::uint32_t index) noexcept {
  BlockHead& head = core.pool()[index].head.block;
  head.use.store(BlockUse::kFree, std::memory_order_relaxed);
  head.next_free.store(state.free_first, std::memory_order_relaxed);
  state.free_first = index;
  ++state.free_count;
}

void give_record(Core& core, std::uint32_t first) noexcept {
  Pool& pool = core.pool();
  std::uint32_t index = first;
  for (std::uint32_t steps = 0; steps < kMaxBlocksPerRecord; ++steps) {
    Block* block = pool.at(index);
    if (block == nullptr) return;
    BlockHead& head = block->head.block;
    const std::uint32_t next = head.next.load(std::memory_order_relaxed);
    head.use.store(BlockUse::kFree, std::memory_order_relaxed);
    ThreadState* owner = head.owner;
    std::uint32_t top = owner->returned.load(std::memory_order_relaxed);
    do {
      head.next_free.store(top, std::memory_order_relaxed);
      // Partner: the exchange in collect_returned and reclaim_returned.
    } while (!owner->returned.compare_exchange_weak(top, index, std::memory_order_release,
                                                    std::memory_order_relaxed));
    index = next;
  }
}

void reclaim_returned(Core& core) noexcept {
  Pool& pool = core.pool();
  const std::uint32_t threads = core.thread_count();
  for (std::uint32_t number = 1; number <= threads; ++number) {
    ThreadState* state = core.thread(number);
    if (state == nullptr || state->returned.load(std::memory_order_relaxed) == kNoBlock) continue;
    pool.give(state->returned.exchange(kNoBlock, std::memory_order_acquire));
  }
}

}  // namespace inlens::hooks
