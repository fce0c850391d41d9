// The worker: the one thread that empties the work queue and fills the store. Made and started by
// inlens_start or by a forked child, stopped by inlens_stop; asked by console threads for snapshots.
//
// The thread is named "inlens-worker" and has all signals blocked. It polls (50 ms by default, sooner after a
// large drain) and sleeps on a futex that a hook whose pool runs low, an asker and stop() may wake; no hook
// ever waits for it. Nothing is thrown out of its loop. It owns the store; other threads get immutable
// snapshots, whose pointer changes hands under a mutex that is held for the swap alone.
#pragma once

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "agent/config/config.hpp"
#include "agent/hooks/core.hpp"
#include "agent/store/snapshot.hpp"
#include "agent/worker/drain.hpp"
#include "agent/worker/totals.hpp"

namespace inlens::worker {

struct WorkerFigures {
  std::uint64_t drains = 0;
  std::uint64_t records_drained = 0;
  std::uint64_t records_damaged = 0;
  std::uint64_t tasks_given_up = 0;
  std::uint64_t cpu_ns = 0;       // of the thread, as of its last drain
  std::uint64_t store_bytes = 0;  // as of the last snapshot
};

class Worker {
 public:
  // `skip_reason` may be nullptr. May throw std::bad_alloc.
  Worker(hooks::Core& core, const Config& config, SkipReasonName skip_reason);
  // Waits for the thread if it is still running: whoever got `false` from stop() must keep the worker for
  // ever. In a forked child, where the thread does not exist, call abandon_in_child() before.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // False when the thread was refused. At most once.
  bool start();

  // Drains what is queued and ends the thread. Blocks: up to `limit`. False when it was still busy then; it
  // ends by itself. The store stays readable.
  bool stop(std::chrono::milliseconds limit);

  // Async-signal-safe.
  void abandon_in_child() noexcept { started_ = false; }

  // Asks for a drain and a new snapshot and waits up to `wait`, then gives the last one there is; never
  // nullptr. Askers at the same time share one. Threads: any but hooks.
  std::shared_ptr<const store::Snapshot> snapshot(std::chrono::milliseconds wait);

  // False when no such issue is listed, or when the worker did not answer within `wait`.
  bool resolve_issue(std::uint32_t id, std::chrono::milliseconds wait = std::chrono::milliseconds(500));

  // Thresholds and the guard's limits, from the next drain on.
  void set_config(const Config& config);

  // Exact at the moment of the call, since the start. Threads: any.
  ExactFigures exact() const { return drain_.figures(); }
  WorkerFigures figures() const;

 private:
  struct Resolution {
    std::uint32_t id = 0;
    std::uint64_t number = 0;
  };

  // What other threads leave for the worker, and what it answers. Under `mutex_`.
  struct Mail {
    std::optional<Settings> settings;
    std::vector<Resolution> resolutions;
    std::vector<Resolution> resolved;  // answers with yes that nobody has fetched yet
    std::uint64_t resolutions_asked = 0;
    std::uint64_t resolutions_answered = 0;
    std::uint64_t snapshots_asked = 0;
    std::uint64_t snapshots_answered = 0;
    std::shared_ptr<const store::Snapshot> snapshot;
    bool stopping = false;
    std::chrono::steady_clock::time_point drain_until{};  // when stopping
    bool ended = true;                                    // no thread: not started yet, or gone
  };

  // What one round has to do besides draining.
  struct Orders {
    bool stopping = false;
    std::chrono::steady_clock::time_point drain_until{};
    bool snapshot = false;
    std::uint64_t snapshots_asked = 0;
  };

  static void* enter(void* self);
  void run() noexcept;
  Orders take_orders() noexcept;
  void resolve(std::vector<Resolution>& resolutions);
  std::size_t drain() noexcept;
  void publish(std::uint64_t asked) noexcept;
  void sleep(std::size_t drained) noexcept;

  hooks::Core& core_;
  const std::chrono::milliseconds poll_;
  std::uint32_t idle_rounds_ = 0;  // worker thread only
  Drain drain_;
  mutable std::mutex mutex_;
  std::condition_variable answered_;
  Mail mail_;
  pthread_t thread_{};
  bool started_ = false;
  std::atomic<std::uint64_t> drains_{0};
  std::atomic<std::uint64_t> cpu_ns_{0};
};

}  // namespace inlens::worker
