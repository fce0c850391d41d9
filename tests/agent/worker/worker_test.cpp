#include "agent/worker/worker.hpp"

#include <dirent.h>
#include <signal.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "agent/platform/clock.hpp"
#include "tests/agent/worker/record_builder.hpp"

using namespace inlens;
using namespace inlens::worker;
using namespace std::chrono_literals;

namespace {

constexpr auto kPatience = 30s;  // never reached unless something is broken

// Polls so seldom that only being asked makes it move.
Config lazy() {
  Config config;
  config.worker.poll_ms = 60'000;
  return config;
}

struct Running {
  explicit Running(const Config& config = lazy()) : worker(*core, config, nullptr) {
    REQUIRE(worker.start());
  }
  ~Running() { REQUIRE(worker.stop(std::chrono::milliseconds(kPatience))); }

  void push(std::uint64_t id) {
    RecordBuilder record(core);
    record.id(id).times(ticks(), ticks()).push();
  }
  void push_error() {
    RecordBuilder record(core, hooks::BlockUse::kEvent);
    record.times(0, ticks()).error({});
    record.push();
  }
  std::shared_ptr<const store::Snapshot> snapshot() { return worker.snapshot(kPatience); }

  TestCore core;
  Worker worker;
};

// The line of /proc/self/task/…/status that begins with `key`, of the thread of that name.
std::string status_of_thread(const std::string& name, const std::string& key) {
  DIR* tasks = opendir("/proc/self/task");
  std::string found;
  while (const dirent* entry = readdir(tasks)) {
    std::ifstream file(std::string("/proc/self/task/") + entry->d_name + "/status");
    std::string line, value;
    bool named = false;
    while (std::getline(file, line)) {
      named = named || line == "Name:\t" + name;
      if (line.rfind(key + ":", 0) == 0) value = line.substr(key.size() + 2);
    }
    if (named) found = value;
  }
  closedir(tasks);
  return found;
}

}  // namespace

TEST_CASE("A snapshot that was asked for holds everything that was pushed before") {
  Running running;
  for (std::uint64_t id = 1; id <= 300; ++id) {
    running.push(id);
    const auto snapshot = running.snapshot();
    REQUIRE(snapshot->requests_seen == id);
    REQUIRE(snapshot->requests.front()->id.low == id);
  }
}

TEST_CASE("Whoever does not want to wait gets the last snapshot there is, never nothing") {
  Running running;
  REQUIRE(running.worker.snapshot(0ms) != nullptr);
  const auto first = running.snapshot();
  CHECK(running.worker.snapshot(0ms) == first);
}

TEST_CASE("Many askers at once all get a snapshot that is new enough") {
  Running running;
  running.push(1);
  std::vector<std::future<std::uint64_t>> askers;
  for (int i = 0; i < 16; ++i) {
    askers.push_back(std::async(std::launch::async, [&running] {
      std::uint64_t least = UINT64_MAX;
      for (int k = 0; k < 20; ++k) least = std::min(least, running.snapshot()->requests_seen);
      return least;
    }));
  }
  for (auto& asker : askers) CHECK(asker.get() == 1);
  CHECK(running.snapshot()->sequence <= 16 * 20 + 1);
}

TEST_CASE("Snapshots stay as they were while the worker goes on") {
  Running running;
  running.push(1);
  const auto first = running.snapshot();
  running.push(2);
  running.snapshot();
  CHECK(first->requests_seen == 1);
  CHECK(first->requests.size() == 1);
}

TEST_CASE("The worker has a name and blocks every signal") {
  Running running;
  running.snapshot();
  const std::string blocked = status_of_thread("inlens-worker", "SigBlk");
  REQUIRE(blocked.size() >= 16);
  const unsigned long long mask = std::stoull(blocked, nullptr, 16);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGCHLD, SIGALRM, SIGPIPE, SIGPROF}) {
    CHECK((mask >> (signal - 1) & 1) == 1);
  }
}

TEST_CASE("Stopping drains what was pushed, and the store stays readable") {
  TestCore core;
  Worker worker(*core, lazy(), nullptr);
  REQUIRE(worker.start());
  for (std::uint64_t id = 1; id <= 1000; ++id) {
    RecordBuilder record(core);
    record.id(id).times(ticks(), ticks()).push();
  }
  REQUIRE(worker.stop(std::chrono::milliseconds(kPatience)));
  CHECK(worker.snapshot(0ms)->requests_seen == 1000);
  CHECK(worker.snapshot(kPatience)->requests_seen == 1000);
  CHECK_FALSE(worker.resolve_issue(1, kPatience));
  CHECK(worker.stop(0ms));
  CHECK(core.blocks_out() == 0);
}

TEST_CASE("Starting and stopping again and again leaves nothing behind") {
  TestCore core;
  for (std::uint64_t round = 1; round <= 20; ++round) {
    Worker worker(*core, lazy(), nullptr);
    REQUIRE(worker.start());
    for (int i = 0; i < 10; ++i) {
      RecordBuilder record(core);
      record.id(round).times(ticks(), ticks()).statement({.from = 1, .to = 2});
      record.push();
    }
    const auto snapshot = worker.snapshot(kPatience);
    REQUIRE(snapshot->requests_seen == 10);
    REQUIRE(worker.exact().lost.total() == 0);
    REQUIRE(worker.stop(std::chrono::milliseconds(kPatience)));
    REQUIRE(core.blocks_out() == 0);
  }
}

TEST_CASE("A worker that was never started can be asked, stopped and destroyed") {
  TestCore core;
  Worker worker(*core, lazy(), nullptr);
  CHECK(worker.snapshot(kPatience)->requests.empty());
  CHECK_FALSE(worker.resolve_issue(1, kPatience));
  CHECK(worker.stop(0ms));
}

TEST_CASE("An issue is resolved from another thread, once") {
  Running running;
  running.push_error();
  const auto before = running.snapshot();
  REQUIRE(before->issues.size() == 1);
  const std::uint32_t id = before->issues[0].id;
  CHECK_FALSE(running.worker.resolve_issue(id + 1, kPatience));
  CHECK(running.worker.resolve_issue(id, kPatience));
  CHECK_FALSE(running.worker.resolve_issue(id, kPatience));
  CHECK(running.snapshot()->issues.empty());
}

TEST_CASE("Two people who resolve the same issue at once get one yes") {
  Running running;
  for (int round = 0; round < 20; ++round) {
    running.push_error();
    const std::uint32_t id = running.snapshot()->issues.at(0).id;
    const auto resolve = [&] { return running.worker.resolve_issue(id, kPatience) ? 1 : 0; };
    auto other = std::async(std::launch::async, resolve);
    const int mine = resolve();
    REQUIRE(mine + other.get() == 1);
  }
}

TEST_CASE("New limits take effect while running") {
  Running running;
  Config config = lazy();
  config.guard.events_per_second = 1;
  running.worker.set_config(config);
  for (int i = 0; i < 5; ++i) running.push_error();
  const auto snapshot = running.snapshot();
  CHECK(snapshot->guard.seen == 5);
  CHECK(snapshot->guard.counted < 5);
  CHECK(snapshot->guard.dropped >= 1);
}

TEST_CASE("A hook whose pool runs low brings the worker before its time") {
  Running running;
  running.snapshot();
  running.push(1);
  running.core->hurry_worker();
  while (running.worker.figures().records_drained == 0) std::this_thread::yield();
  CHECK(running.worker.figures().records_drained == 1);
}

TEST_CASE("The worker tells its rounds, records and processor time") {
  Running running;
  running.push(1);
  running.snapshot();
  running.snapshot();
  const WorkerFigures figures = running.worker.figures();
  CHECK(figures.drains >= 1);
  CHECK(figures.records_drained == 1);
  CHECK(figures.records_damaged == 0);
  CHECK(figures.cpu_ns > 0);
  CHECK(figures.store_bytes > 0);
}
