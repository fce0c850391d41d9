// inlens-micro: what Inlens costs, in nanoseconds, on the thread that pays. Run it with `make bench`.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <string>

#include "collectors/sql/normalise.hpp"
#include "flood_guard/flood_guard.hpp"
#include "perf/micro/load.hpp"

namespace {

using namespace inlens;

// A worker that polls every 50 ms meets this many records of one thread at 10,000 requests a second.
constexpr int kBatch = 500;
constexpr int kBatches = 40;

// Batches of requests with a drain between them, so that records come back from the worker as they do in a
// server.
template <class Request>
void in_batches(benchmark::State& state, inlens_level level, Request request) {
  inlens_level_set(level);
  const auto batch = [&] {
    for (int i = 0; i < kBatch; ++i) request();
  };
  batch();
  micro::drain_now();
  while (state.KeepRunningBatch(kBatch)) {
    batch();
    state.PauseTiming();
    micro::drain_now();
    state.ResumeTiming();
  }
}

// What a record costs the worker, from its own processor time over many records; its polls are in it too.
void worker_record(benchmark::State& state, int statements) {
  constexpr int many = 6000;  // fewer than the pool holds
  inlens_level_set(INLENS_LEVEL_FULL);
  while (state.KeepRunningBatch(many)) {
    micro::await_empty_queue();
    const std::uint64_t before = micro::worker_cpu_ns();
    for (int i = 0; i < many; ++i) micro::one_request(statements);
    micro::await_empty_queue();
    state.SetIterationTime(static_cast<double>(micro::worker_cpu_ns() - before) / 1e9);
  }
}

void guard_known(benchmark::State& state) {
  guard::FloodGuard guard({1'000'000'000, 20, 200, 1});
  std::uint64_t now = 0;
  for (auto _ : state) {
    now += 1000;
    benchmark::DoNotOptimize(guard.decide(7, "E", now));
  }
}

void guard_unique(benchmark::State& state) {
  guard::FloodGuard guard;
  std::uint64_t now = 0;
  for (auto _ : state) {
    now += 10'000;
    benchmark::DoNotOptimize(guard.decide(now, "E", now));
  }
}

void scan(benchmark::State& state, std::string_view text) {
  sql::Normalised out;
  for (auto _ : state) {
    sql::normalise(text, sql::Dialect::kSqlite, out);
    benchmark::DoNotOptimize(out.fingerprint);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (!micro::start_agent(INLENS_LEVEL_LIGHT, 50)) {
    std::fputs("inlens-micro: the agent did not start\n", stderr);
    return 1;
  }
  struct Row {
    const char* name;
    inlens_level level;
  };
  for (const Row& row : {Row{"off", INLENS_LEVEL_OFF}, Row{"light", INLENS_LEVEL_LIGHT},
                         Row{"standard", INLENS_LEVEL_STANDARD}, Row{"full", INLENS_LEVEL_FULL}}) {
    for (const int statements : {0, 5}) {
      benchmark::RegisterBenchmark(
          (std::string("request/") + row.name + "/" + std::to_string(statements)).c_str(),
          [level = row.level, statements](benchmark::State& state) {
            in_batches(state, level, [statements] { micro::one_request(statements); });
          })
          ->Iterations(kBatch * kBatches);
    }
  }
  benchmark::RegisterBenchmark("request/full/5/attached", [](benchmark::State& state) {
    in_batches(state, INLENS_LEVEL_FULL, [] { micro::one_attached_request(5); });
  })->Iterations(kBatch * kBatches);
  for (const int statements : {0, 5}) {
    benchmark::RegisterBenchmark(("worker/record/" + std::to_string(statements)).c_str(),
                                 [statements](benchmark::State& state) { worker_record(state, statements); })
        ->UseManualTime()
        ->Iterations(24'000);
  }
  benchmark::RegisterBenchmark("guard/known", guard_known);
  benchmark::RegisterBenchmark("guard/unique", guard_unique);
  benchmark::RegisterBenchmark("scanner/80-literals",
                               [](benchmark::State& state) { scan(state, micro::kSqlLiterals); });
  benchmark::RegisterBenchmark("scanner/80-placeholders",
                               [](benchmark::State& state) { scan(state, micro::kSqlPlaceholders); });
  benchmark::RegisterBenchmark("scanner/500", [](benchmark::State& state) { scan(state, micro::kSqlLong); });
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  inlens_stop();
  return 0;
}
