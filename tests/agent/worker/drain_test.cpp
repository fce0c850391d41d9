#include "agent/worker/drain.hpp"

#include <catch2/catch.hpp>
#include <latch>
#include <string>
#include <thread>

#include "tests/agent/worker/record_builder.hpp"

using namespace inlens;
using namespace inlens::worker;
using hooks::BlockUse;

namespace {

constexpr std::uint64_t kStart = 100 * kSecond;

void push_request(TestCore& core, std::uint64_t id, std::uint64_t end = kStart + kSecond) {
  RecordBuilder record(core);
  record.id(id).times(end - kMs, end).statement({.from = end - kMs, .to = end});
  record.push();
}

std::size_t drain_all(Drain& drain, const Moment& now) {
  std::size_t all = 0;
  while (const std::size_t batch = drain.take_batch(now)) all += batch;
  return all;
}

}  // namespace

TEST_CASE("Every record that was pushed is taken once and all of its blocks come back") {
  TestCore core;
  Drain drain(*core, Settings{}, nullptr, moment(kStart));
  for (std::uint64_t id = 1; id <= 700; ++id) push_request(core, id);
  CHECK(core.blocks_out() >= 700);
  CHECK(drain_all(drain, moment(kStart + kSecond)) == 700);
  CHECK(drain.own_figures().records == 700);
  CHECK(core.blocks_out() == 0);
  const auto snapshot = drain.snapshot(moment(kStart + kSecond));
  CHECK(snapshot->requests_seen == 700);
  CHECK(snapshot->requests.size() == 200);
  CHECK(snapshot->requests.front()->id.low == 700);
  CHECK(snapshot->statements.at(0).latency.count == 700);
}

TEST_CASE("Records from many threads all arrive") {
  TestCore core(std::size_t{16} << 20);
  Drain drain(*core, Settings{}, nullptr, moment(kStart));
  std::vector<std::thread> threads;
  for (std::uint64_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&core, thread] {
      for (std::uint64_t i = 0; i < 300; ++i) push_request(core, thread * 1000 + i);
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(drain_all(drain, moment(kStart + kSecond)) == 1200);
}

TEST_CASE("The history keeps the requests that ended last, whichever thread the worker empties first") {
  constexpr std::uint64_t kThreads = 8;
  constexpr std::uint64_t kEach = 500;
  TestCore core(std::size_t{16} << 20);
  Drain drain(*core, Settings{}, nullptr, moment(kStart));
  std::latch all_have_begun(kThreads);  // a thread that has ended leaves its place in the queue to the next
  std::vector<std::thread> threads;
  for (std::uint64_t thread = 1; thread <= kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      core.thread();
      all_have_begun.arrive_and_wait();
      for (std::uint64_t i = 0; i < kEach; ++i) {
        const std::uint64_t id = i * kThreads + thread;  // in the order of the ends
        push_request(core, id, kStart + id * kMs);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const Moment now = moment(kStart + 5 * kSecond);
  REQUIRE(drain_all(drain, now) == kThreads * kEach);

  const auto listed = drain.snapshot(now)->requests;
  REQUIRE(listed.size() == 200);
  for (std::uint64_t i = 0; i < listed.size(); ++i) CHECK(listed[i]->id.low == kThreads * kEach - i);
}

TEST_CASE("A request whose end lies in the future does not stay the newest for ever") {
  TestCore core;
  Settings settings;
  settings.history.recent = 2;
  Drain drain(*core, settings, nullptr, moment(kStart));
  push_request(core, 1, kStart + 1'000'000 * kSecond);
  drain_all(drain, moment(kStart + kSecond));
  for (std::uint64_t id = 2; id <= 3; ++id) push_request(core, id, kStart + 10 * kSecond);
  drain_all(drain, moment(kStart + 10 * kSecond));
  const auto listed = drain.snapshot(moment(kStart + 10 * kSecond))->requests;
  REQUIRE(listed.size() == 2);
  CHECK(listed[0]->id.low == 3);
  CHECK(listed[1]->id.low == 2);
}

TEST_CASE("Records that ended before the start are given back uncounted") {
  TestCore core;
  push_request(core, 1, kStart - 1);
  Drain drain(*core, Settings{}, nullptr, moment(kStart));
  push_request(core, 2, kStart - 1);
  push_request(core, 3, kStart + 1);
  CHECK(drain_all(drain, moment(kStart + kSecond)) == 3);
  const auto snapshot = drain.snapshot(moment(kStart + kSecond));
  REQUIRE(snapshot->requests.size() == 1);
  CHECK(snapshot->requests[0]->id.low == 3);
  CHECK(drain.figures().lost.stopped == 2);
  CHECK(drain.figures().lost_by_kind.requests == 2);
  CHECK(core.blocks_out() == 0);
}

TEST_CASE("An index that is none and a block that holds no record do no harm") {
  TestCore core;
  Drain drain(*core, Settings{}, nullptr, moment(kStart));
  core->queue().enqueue(core.thread().token, 0xFFFFFF);
  RecordBuilder record(core);
  record.times(kStart, kStart + 1);
  record.head().block.use = BlockUse::kResponse;
  record.push();
  CHECK(drain_all(drain, moment(kStart + kSecond)) == 2);
  CHECK(drain.own_figures().damaged == 1);
}

TEST_CASE("Tasks that gave way before their request came are counted") {
  TestCore core;
  Drain drain(*core, Settings{}, nullptr, moment(kStart));
  for (std::uint64_t request = 1; request <= PendingTasks::kTasks + 3; ++request) {
    RecordBuilder record(core, BlockUse::kTask);
    record.parent(request, kStart).times(kStart, kStart + kMs);
    record.push();
  }
  drain_all(drain, moment(kStart + kSecond));
  CHECK(drain.own_figures().tasks_given_up == 3);
}

TEST_CASE("A text that never came is lost and counted by reason and kind") {
  TestCore core;
  Drain drain(*core, Settings{}, nullptr, moment(kStart));
  RecordBuilder record(core);
  record.times(kStart, kStart + 1).statement({.from = 0, .to = 1, .hash_only = true});
  record.push();
  drain_all(drain, moment(kStart + kSecond));
  CHECK(drain.figures().lost.text_unknown == 1);
  CHECK(drain.figures().lost_by_kind.statements == 1);
  CHECK(drain.figures().lost.total() == 1);
}

TEST_CASE("The minutes follow the exact totals, with and without records") {
  TestCore core;
  Drain drain(*core, Settings{}, nullptr, moment(kStart));
  hooks::ThreadTotals& totals = core.thread().totals;
  totals.status_classes[2].add(5);
  totals.latency[bucket_of(kMs)].add(5);
  drain.keep_house(moment(kStart + 61 * kSecond));
  totals.status_classes[2].add(2);
  const auto snapshot = drain.snapshot(moment(kStart + 62 * kSecond));
  REQUIRE(snapshot->minutes.size() == 2);
  CHECK(snapshot->minutes[0].requests == 5);
  CHECK(snapshot->minutes[0].p50_ns == Approx(kMs).epsilon(0.05));
  CHECK(snapshot->minutes[1].requests == 2);
}

TEST_CASE("Hooks are told while errors are being dropped, and that it is over") {
  TestCore core;
  Settings settings;
  settings.guard.events_per_second = 2;
  Drain drain(*core, settings, nullptr, moment(kStart));
  const auto push_error = [&] {
    RecordBuilder record(core, BlockUse::kEvent);
    record.times(0, kStart + kMs).error({});
    record.push();
  };
  push_error();
  drain_all(drain, moment(kStart + kMs));
  drain.keep_house(moment(kStart + kMs));
  CHECK_FALSE(core->guard_closed);
  push_error();
  drain_all(drain, moment(kStart + kMs));
  drain.keep_house(moment(kStart + kMs));
  CHECK(core->guard_closed);
  drain.keep_house(moment(kStart + 2 * kSecond));
  CHECK_FALSE(core->guard_closed);
}

TEST_CASE("An issue that nobody has seen for its retention time leaves the list by itself") {
  TestCore core;
  Settings settings;
  settings.guard.retention_ns = 3600 * kSecond;
  Drain drain(*core, settings, nullptr, moment(kStart));
  RecordBuilder record(core, BlockUse::kEvent);
  record.times(0, kStart + kMs).error({});
  record.push();
  drain_all(drain, moment(kStart + kMs));
  drain.keep_house(moment(kStart + 1800 * kSecond));
  CHECK(drain.snapshot(moment(kStart + 1800 * kSecond))->issues.size() == 1);
  drain.keep_house(moment(kStart + 3700 * kSecond));
  const auto snapshot = drain.snapshot(moment(kStart + 3700 * kSecond));
  CHECK(snapshot->issues.empty());
  CHECK(snapshot->guard.retired == 1);
}

TEST_CASE("Blocks that a sleeping thread does not collect go back to the common stock") {
  TestCore core;
  Drain drain(*core, Settings{}, nullptr, moment(kStart));
  for (std::uint64_t id = 1; id <= 100; ++id) push_request(core, id);
  drain_all(drain, moment(kStart + kSecond));
  const std::uint32_t before = core->pool().stocked();
  drain.keep_house(moment(kStart + 2 * kSecond));
  CHECK(core->pool().stocked() >= before + 100);
}
