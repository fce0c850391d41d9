// What the hooks keep per host thread: its free blocks, its current request, and the totals that are never
// lost. Lives in the arena for ever; when its thread ends another one takes it over, totals and
// all, so sums over all states stay exact.
//
// Threads: everything is the owner's, except what is atomic: totals are read by worker and console (single
// writer, relaxed), `returned` is filled by the worker.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "agent/hooks/connections.hpp"
#include "agent/hooks/record.hpp"
#include "agent/hooks/work_queue.hpp"
#include "agent/platform/log_linear.hpp"

namespace inlens::hooks {

// A counter with one writer: readers on other threads see some recent value.
class Count {
 public:
  void add(std::uint64_t by = 1) {
    value_.store(value_.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
  }
  void raise_to(std::uint64_t value) {
    if (value > get()) value_.store(value, std::memory_order_relaxed);
  }
  std::uint64_t get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

enum class LossReason : std::uint8_t {
  kPoolEmpty,
  kQueueFull,
  kRecordFull,
  kStringCut,
  kLimit,
  kUnpaired,
  kThreadExit,
  kStopped,
  kTextUnknown,
  kCount_
};
enum class LossKind : std::uint8_t {
  kRequests,
  kStatements,
  kSpans,
  kErrors,
  kMessages,
  kPanels,
  kHeaders,
  kCount_
};

inline constexpr std::size_t kLossReasons = static_cast<std::size_t>(LossReason::kCount_);
inline constexpr std::size_t kLossKinds = static_cast<std::size_t>(LossKind::kCount_);

struct ThreadTotals {
  Count begun;
  std::array<Count, 6> status_classes;  // of ended requests; [0]: no status
  Count errors, statements, statements_failed, statement_ticks, calls, messages, bytes_in, bytes_out;
  std::array<Count, kHistogramBuckets> latency;
  Count latency_total_ns, latency_max_ns;
  std::array<Count, kLossReasons> lost_by_reason;
  std::array<Count, kLossKinds> lost_by_kind;
  // Connections taken into use minus those put down, per row; a thread may put down what another took.
  std::array<Count, kConnectionTargets + 1> in_use;
  Count bars_inserted;
  std::array<Count, 32> pages_skipped;  // by bar::Skip

  std::uint64_t ended() const {
    std::uint64_t sum = 0;
    for (const Count& count : status_classes) sum += count.get();
    return sum;
  }
  void lose(LossReason reason) { lost_by_reason[static_cast<std::size_t>(reason)].add(); }
  void lose(LossReason reason, LossKind kind, std::uint64_t by = 1) {
    lost_by_reason[static_cast<std::size_t>(reason)].add(by);
    lost_by_kind[static_cast<std::size_t>(kind)].add(by);
  }
};

struct ThreadState {
  explicit ThreadState(WorkQueue& queue) : token(queue) {}

  // Owner thread only.
  std::uint32_t free_first = kNoBlock;
  std::uint32_t free_count = 0;
  std::uint64_t current = 0;  // request handle, see inlens_request_attach
  std::uint64_t random[2] = {};
  // The background record that this thread is writing, and by how many pieces of work; see background.hpp.
  std::uint64_t background_written = 0;
  std::uint32_t background_pieces = 0;
  std::uint64_t background_began_ticks = 0;  // of the one begun last
  std::uint32_t number = 0;                  // 1, 2, 3 … in order of registration
  ProducerToken token;

  alignas(64) ThreadTotals totals;

  alignas(64) std::atomic<std::uint32_t> returned{kNoBlock};  // chain of blocks given back by the worker
  std::atomic<std::uint64_t> background{0};                   // the background record while nobody writes it
  std::atomic<std::int32_t> thread_id{0};            // kernel's, for names and CPU time; 0 when unused
  std::atomic<std::uint32_t> next_unused{kNoBlock};  // registry's free list
  std::atomic<std::uint64_t> name[2] = {};           // 16 bytes, at registration
};

}  // namespace inlens::hooks
