#include "agent/worker/drain.hpp"

#include <algorithm>

#include "agent/worker/server_findings.hpp"

namespace inlens::worker {

using namespace hooks;

namespace {

constexpr std::int64_t kExpireMs = 60'000;
constexpr std::int64_t kReclaimMs = 1'000;
constexpr std::size_t kPrefetchBytes = 512;

// The record after the one at hand: its head and the first of its log come from another core's cache.
void prefetch(const Pool& pool, std::uint32_t index) {
  const auto* at = reinterpret_cast<const char*>(pool.at(index));
  if (at == nullptr) return;
  for (std::size_t line = 0; line < sizeof(RecordHead) + kPrefetchBytes; line += 64)
    __builtin_prefetch(at + line);
}

bool is_low(const Pool& pool) {
  return std::uint64_t{pool.capacity() - pool.touched()} + pool.stocked() < pool.capacity() / 4;
}

}  // namespace

Drain::Drain(Core& core, const Settings& settings, SkipReasonName skip_reason, const Moment& start)
    : core_(core),
      token_(core.queue()),
      start_ticks_(start.ticks),
      before_start_(sum_figures(core)),
      aggregate_(core, settings, skip_reason),
      minutes_(start.steady_ms, start.unix_ms(), store::Totals{}),
      expired_ms_(start.steady_ms),
      reclaimed_ms_(start.steady_ms) {}

std::size_t Drain::take_batch(const Moment& now) noexcept {
  std::uint32_t batch[kBatch];
  const std::size_t size = core_.queue().try_dequeue_bulk(token_, batch, kBatch);
  if (size == 0) return 0;
  prefetch(core_.pool(), batch[0]);
  for (std::size_t i = 0; i < size; ++i) {
    if (i + 1 < size) prefetch(core_.pool(), batch[i + 1]);
    take(batch[i], now);
  }
  own_.records.store(own_.records.load(std::memory_order_relaxed) + size, std::memory_order_relaxed);
  publish_figures();
  return size;
}

void Drain::take(std::uint32_t index, const Moment& now) noexcept {
  const Block* block = core_.pool().at(index);
  if (block == nullptr) return;
  take_over(*block);
  if (block->head.end_ticks < start_ticks_) {
    own_.stopped.fetch_add(1, std::memory_order_relaxed);
  } else {
    try {
      aggregate_.take(*block, now);
      if (block->head.block.use.load(std::memory_order_relaxed) == BlockUse::kRequest &&
          (block->head.flags & kFlagUncounted) == 0) {
        minutes_.note_duration(ticks_to_ns(ticks_between(block->head.start_ticks, block->head.end_ticks)));
      }
    } catch (...) {
      own_.not_kept.fetch_add(1, std::memory_order_relaxed);
    }
  }
  give_record(core_, index);
}

void Drain::publish_figures() noexcept {
  own_.damaged.store(aggregate_.shortfalls().damaged, std::memory_order_relaxed);
  own_.text_unknown.store(aggregate_.shortfalls().text_unknown, std::memory_order_relaxed);
  own_.tasks_given_up.store(aggregate_.pending_tasks().given_up(), std::memory_order_relaxed);
}

void Drain::keep_house(const Moment& now) noexcept {
  try {
    if (minutes_.due(now.steady_ms, now.unix_ms())) {
      minutes_.advance(now.steady_ms, now.unix_ms(), figures().totals);
    }
    if (now.steady_ms - expired_ms_ >= kExpireMs) {
      expired_ms_ = now.steady_ms;
      aggregate_.errors().expire(now.now_ns());
    }
  } catch (...) {
    // Memory was refused; the next round tries again.
  }
  connection_rates_.sample(core_, now.steady_ms);
  if (now.steady_ms - reclaimed_ms_ >= kReclaimMs || is_low(core_.pool())) {
    reclaimed_ms_ = now.steady_ms;
    reclaim_returned(core_);
  }
  core_.guard_closed.store(aggregate_.errors().closed(now.now_ns()), std::memory_order_relaxed);
}

std::shared_ptr<const store::Snapshot> Drain::snapshot(const Moment& now) {
  auto snapshot = std::make_shared<store::Snapshot>();
  snapshot->sequence = ++sequence_;
  snapshot->taken_unix_ms = now.unix_ms();
  snapshot->minutes = minutes_.list(figures().totals);
  snapshot->routes = aggregate_.routes().list();
  snapshot->statements = aggregate_.statements().list();
  snapshot->issues = aggregate_.errors().list();
  snapshot->guard = aggregate_.errors().figures();
  snapshot->calls = aggregate_.calls().list();
  snapshot->calls_distinct = aggregate_.calls().distinct();
  snapshot->requests = aggregate_.history().list();
  snapshot->requests_seen = aggregate_.requests_seen();
  snapshot->statements_distinct = aggregate_.statements().distinct();
  snapshot->routes_distinct = aggregate_.routes().distinct();
  snapshot->findings = server_findings(*snapshot);
  own_.store_bytes.store(aggregate_.routes().bytes() + aggregate_.statements().bytes() +
                             aggregate_.calls().bytes() + aggregate_.history().bytes(),
                         std::memory_order_relaxed);
  return snapshot;
}

ExactFigures Drain::figures() const {
  ExactFigures figures = since(sum_figures(core_), before_start_);
  const auto own = [](const std::atomic<std::uint64_t>& figure) {
    return figure.load(std::memory_order_relaxed);
  };
  figures.lost.stopped += own(own_.stopped);
  figures.lost.text_unknown += own(own_.text_unknown);
  figures.lost.record_full += own(own_.not_kept);  // no room for it either
  figures.lost_by_kind.statements += own(own_.text_unknown);
  figures.lost_by_kind.requests += own(own_.stopped) + own(own_.not_kept);
  return figures;
}

}  // namespace inlens::worker
