#include "agent/worker/totals.hpp"

#include <algorithm>

#include "agent/platform/clock.hpp"

namespace inlens::worker {

namespace {

using hooks::LossKind;
using hooks::LossReason;
using hooks::ThreadTotals;

template <class E>
std::uint64_t& at(std::array<std::uint64_t, static_cast<std::size_t>(E::kCount_)>& figures, E which) {
  return figures[static_cast<std::size_t>(which)];
}

// The figures of all threads in the order in which the hooks keep them.
struct Sums {
  std::array<std::uint64_t, hooks::kLossReasons> by_reason{};
  std::array<std::uint64_t, hooks::kLossKinds> by_kind{};
  std::uint64_t statement_ticks = 0;
};

void add(const ThreadTotals& thread, ExactFigures& figures, Sums& sums) {
  store::Totals& totals = figures.totals;
  totals.requests += thread.ended();
  totals.begun += thread.begun.get();
  for (std::size_t i = 0; i < totals.status_classes.size(); ++i) {
    totals.status_classes[i] += thread.status_classes[i].get();
  }
  totals.errors += thread.errors.get();
  totals.statements += thread.statements.get();
  totals.statements_failed += thread.statements_failed.get();
  sums.statement_ticks += thread.statement_ticks.get();
  totals.calls += thread.calls.get();
  totals.messages += thread.messages.get();
  totals.bytes_in += thread.bytes_in.get();
  totals.bytes_out += thread.bytes_out.get();
  for (std::size_t i = 0; i < kHistogramBuckets; ++i) {
    const std::uint64_t count = thread.latency[i].get();
    totals.latency.buckets[i] += static_cast<std::uint32_t>(count);
    totals.latency.count += count;
  }
  totals.latency.total_ns += thread.latency_total_ns.get();
  totals.latency.max_ns = std::max(totals.latency.max_ns, thread.latency_max_ns.get());
  for (std::size_t i = 0; i < sums.by_reason.size(); ++i) sums.by_reason[i] += thread.lost_by_reason[i].get();
  for (std::size_t i = 0; i < sums.by_kind.size(); ++i) sums.by_kind[i] += thread.lost_by_kind[i].get();
  figures.bars_inserted += thread.bars_inserted.get();
  for (std::size_t i = 0; i < figures.pages_skipped.size(); ++i) {
    figures.pages_skipped[i] += thread.pages_skipped[i].get();
  }
}

std::uint64_t lowest_value(const store::Histogram& histogram) {
  for (std::size_t i = 0; i < histogram.buckets.size(); ++i) {
    if (histogram.buckets[i] != 0) return bucket_floor(i);
  }
  return store::Histogram().min_ns;
}

std::uint64_t highest_value(const store::Histogram& histogram) {
  for (std::size_t i = histogram.buckets.size(); i-- > 0;) {
    if (histogram.buckets[i] != 0) return bucket_middle(i);
  }
  return 0;
}

// Sums are read while they grow, so a later one may be a little behind in places.
void subtract(std::uint64_t& from, std::uint64_t what) {
  from = from > what ? from - what : 0;
}

void subtract(store::Histogram& from, const store::Histogram& what) {
  for (std::size_t i = 0; i < from.buckets.size(); ++i)
    from.buckets[i] -= std::min(from.buckets[i], what.buckets[i]);
  subtract(from.count, what.count);
  subtract(from.total_ns, what.total_ns);
  from.min_ns = lowest_value(from);
  if (from.max_ns == what.max_ns) from.max_ns = highest_value(from);
}

void subtract(store::Totals& from, const store::Totals& what) {
  subtract(from.requests, what.requests);
  subtract(from.begun, what.begun);
  for (std::size_t i = 0; i < from.status_classes.size(); ++i) {
    subtract(from.status_classes[i], what.status_classes[i]);
  }
  subtract(from.errors, what.errors);
  subtract(from.statements, what.statements);
  subtract(from.statements_failed, what.statements_failed);
  subtract(from.statement_ns, what.statement_ns);
  subtract(from.calls, what.calls);
  subtract(from.messages, what.messages);
  subtract(from.bytes_in, what.bytes_in);
  subtract(from.bytes_out, what.bytes_out);
  subtract(from.latency, what.latency);
}

}  // namespace

ExactFigures sum_figures(const hooks::Core& core) {
  ExactFigures figures;
  Sums sums;
  figures.hook_threads = core.thread_count();
  for (std::uint32_t number = 1; number <= figures.hook_threads; ++number) {
    if (const hooks::ThreadState* thread = core.thread(number); thread != nullptr)
      add(thread->totals, figures, sums);
  }
  figures.totals.statement_ns = ticks_to_ns(sums.statement_ticks);
  figures.totals.latency.min_ns = lowest_value(figures.totals.latency);
  store::Lost& lost = figures.lost;
  lost.pool_empty = at(sums.by_reason, LossReason::kPoolEmpty);
  lost.queue_full = at(sums.by_reason, LossReason::kQueueFull);
  lost.record_full = at(sums.by_reason, LossReason::kRecordFull);
  lost.string_cut = at(sums.by_reason, LossReason::kStringCut);
  lost.limit = at(sums.by_reason, LossReason::kLimit);
  lost.unpaired = at(sums.by_reason, LossReason::kUnpaired);
  lost.thread_exit =
      at(sums.by_reason, LossReason::kThreadExit) + core.lost_without_thread.load(std::memory_order_relaxed);
  lost.stopped = at(sums.by_reason, LossReason::kStopped);
  lost.text_unknown = at(sums.by_reason, LossReason::kTextUnknown);
  store::LostByKind& kinds = figures.lost_by_kind;
  kinds.requests = at(sums.by_kind, LossKind::kRequests);
  kinds.statements = at(sums.by_kind, LossKind::kStatements);
  kinds.spans = at(sums.by_kind, LossKind::kSpans);
  kinds.errors = at(sums.by_kind, LossKind::kErrors);
  kinds.messages = at(sums.by_kind, LossKind::kMessages);
  kinds.panels = at(sums.by_kind, LossKind::kPanels);
  kinds.headers = at(sums.by_kind, LossKind::kHeaders);
  return figures;
}

ExactFigures since(const ExactFigures& now, const ExactFigures& then) {
  ExactFigures figures = now;
  subtract(figures.totals, then.totals);
  store::Lost& lost = figures.lost;
  subtract(lost.pool_empty, then.lost.pool_empty);
  subtract(lost.queue_full, then.lost.queue_full);
  subtract(lost.record_full, then.lost.record_full);
  subtract(lost.string_cut, then.lost.string_cut);
  subtract(lost.limit, then.lost.limit);
  subtract(lost.unpaired, then.lost.unpaired);
  subtract(lost.thread_exit, then.lost.thread_exit);
  subtract(lost.stopped, then.lost.stopped);
  subtract(lost.text_unknown, then.lost.text_unknown);
  store::LostByKind& kinds = figures.lost_by_kind;
  subtract(kinds.requests, then.lost_by_kind.requests);
  subtract(kinds.statements, then.lost_by_kind.statements);
  subtract(kinds.spans, then.lost_by_kind.spans);
  subtract(kinds.errors, then.lost_by_kind.errors);
  subtract(kinds.messages, then.lost_by_kind.messages);
  subtract(kinds.panels, then.lost_by_kind.panels);
  subtract(kinds.headers, then.lost_by_kind.headers);
  subtract(figures.bars_inserted, then.bars_inserted);
  for (std::size_t i = 0; i < figures.pages_skipped.size(); ++i) {
    subtract(figures.pages_skipped[i], then.pages_skipped[i]);
  }
  return figures;
}

}  // namespace inlens::worker
