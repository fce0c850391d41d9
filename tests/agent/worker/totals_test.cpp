#include "agent/worker/totals.hpp"

#include <catch2/catch.hpp>
#include <thread>

#include "tests/agent/worker/record_builder.hpp"

using namespace inlens;
using namespace inlens::worker;
using hooks::LossKind;
using hooks::LossReason;

namespace {

void count(hooks::ThreadTotals& totals, std::uint64_t latency_ns) {
  totals.begun.add();
  totals.status_classes[2].add();
  totals.latency[bucket_of(latency_ns)].add();
  totals.latency_total_ns.add(latency_ns);
  if (latency_ns > totals.latency_max_ns.get())
    totals.latency_max_ns.add(latency_ns - totals.latency_max_ns.get());
  totals.statement_ticks.add(7);
}

}  // namespace

TEST_CASE("Totals are the sums over all threads, also of those that have ended") {
  TestCore core;
  count(core.thread().totals, 100);
  std::thread([&] {
    count(core.thread().totals, 300);
    core.thread().totals.lose(LossReason::kLimit, LossKind::kSpans, 4);
  }).join();
  core->lost_without_thread.store(2);
  const ExactFigures figures = sum_figures(*core);
  CHECK(figures.hook_threads == 2);
  CHECK(figures.totals.requests == 2);
  CHECK(figures.totals.status_classes[2] == 2);
  CHECK(figures.totals.statement_ns == 14);
  CHECK(figures.totals.latency.count == 2);
  CHECK(figures.totals.latency.total_ns == 400);
  CHECK(figures.totals.latency.max_ns == 300);
  CHECK(figures.totals.latency.percentile(0.5) == Approx(100).epsilon(0.07));
  CHECK(figures.lost.limit == 4);
  CHECK(figures.lost.thread_exit == 2);
  CHECK(figures.lost_by_kind.spans == 4);
}

TEST_CASE("Figures since a moment leave out what was counted before it") {
  TestCore core;
  count(core.thread().totals, 5'000'000);
  core.thread().totals.lose(LossReason::kUnpaired);
  const ExactFigures before = sum_figures(*core);
  count(core.thread().totals, 1'000);
  const ExactFigures figures = since(sum_figures(*core), before);
  CHECK(figures.totals.requests == 1);
  CHECK(figures.totals.latency.count == 1);
  CHECK(figures.totals.latency.total_ns == 1'000);
  CHECK(figures.totals.latency.max_ns == Approx(1'000).epsilon(0.07));
  CHECK(figures.lost.unpaired == 0);
  count(core.thread().totals, 9'000'000);
  CHECK(since(sum_figures(*core), before).totals.latency.max_ns == 9'000'000);
}
