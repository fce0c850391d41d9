// One round of the worker's work, without its thread: takes records off the queue, gives each to the
// aggregate and its blocks back to their pools, keeps the minutes, and builds snapshots. Called by Worker's
// loop, on the worker thread only; time is passed in, so tests move it by hand.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "agent/hooks/core.hpp"
#include "agent/store/minutes.hpp"
#include "agent/store/snapshot.hpp"
#include "agent/worker/aggregate.hpp"
#include "agent/worker/connection_rates.hpp"
#include "agent/worker/moment.hpp"
#include "agent/worker/settings.hpp"
#include "agent/worker/totals.hpp"

namespace inlens::worker {

// Written by the worker, read by anybody.
struct DrainFigures {
  std::atomic<std::uint64_t> records{0};   // taken off the queue
  std::atomic<std::uint64_t> stopped{0};   // of an earlier run: given back uncounted
  std::atomic<std::uint64_t> not_kept{0};  // memory was refused while one was taken in
  std::atomic<std::uint64_t> damaged{0};
  std::atomic<std::uint64_t> text_unknown{0};
  std::atomic<std::uint64_t> tasks_given_up{0};
  std::atomic<std::uint64_t> store_bytes{0};
};

class Drain {
 public:
  static constexpr std::size_t kBatch = 256;

  // Records that ended before `start`, and figures counted before it, belong to an earlier run.
  Drain(hooks::Core& core, const Settings& settings, SkipReasonName skip_reason, const Moment& start);

  // Takes one batch; returns its size. Records that cannot be taken in are counted, never thrown for.
  std::size_t take_batch(const Moment& now) noexcept;
  // What is due now and then: minutes, old issues, blocks of idle threads, the hint for the hooks.
  void keep_house(const Moment& now) noexcept;

  void set_limits(const Settings& settings) { aggregate_.set_limits(settings); }
  bool resolve_issue(std::uint32_t id) { return aggregate_.errors().resolve(id); }

  // May throw std::bad_alloc.
  std::shared_ptr<const store::Snapshot> snapshot(const Moment& now);

  // Exact, since the start; any thread.
  ExactFigures figures() const;
  const DrainFigures& own_figures() const { return own_; }
  Aggregate& aggregate() { return aggregate_; }

 private:
  void take(std::uint32_t index, const Moment& now) noexcept;
  void publish_figures() noexcept;

  hooks::Core& core_;
  moodycamel::ConsumerToken token_;
  const std::uint64_t start_ticks_;
  const ExactFigures before_start_;
  Aggregate aggregate_;
  store::Minutes minutes_;
  ConnectionRates connection_rates_;
  DrainFigures own_;
  std::uint64_t sequence_ = 0;
  std::int64_t expired_ms_ = 0;
  std::int64_t reclaimed_ms_ = 0;
};

}  // namespace inlens::worker
