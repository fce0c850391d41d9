// A host that forks while the agent runs.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <thread>
#include <vector>

#include "tests/host/agent.hpp"
#include "tests/host/console.hpp"
#include "tests/host/process.hpp"
#include "tests/host/sanitized.hpp"

using host_test::make_request;
using host_test::Running;

namespace {

constexpr int kThreads = 8;

// Threads that make requests until the end of the scope.
class Load {
 public:
  Load() {
    for (int i = 0; i < kThreads; ++i) {
      threads_.emplace_back([this] {
        while (!stop_) {
          make_request();
          made_.fetch_add(1);
        }
      });
    }
  }
  ~Load() { stop(); }
  // Ends the threads and says how many requests they made.
  std::uint64_t stop() {
    stop_ = true;
    for (std::thread& thread : threads_)
      if (thread.joinable()) thread.join();
    return made_;
  }

 private:
  std::atomic<bool> stop_{false};
  std::atomic<std::uint64_t> made_{0};
  std::vector<std::thread> threads_;
};

// Asks the console over and over, on one connection and on new ones.
class Clients {
 public:
  explicit Clients(std::uint16_t port) : thread_([this, port] { ask(port); }) {}
  ~Clients() { stop(); }
  void stop() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }
  std::uint64_t whole() const { return whole_; }
  std::uint64_t broken() const { return broken_; }

 private:
  void ask(std::uint16_t port) {
    host_test::RawClient lasting(port);
    while (!stop_) {
      count(lasting.ask(host_test::api_request("agent")));
      count(host_test::ask(port, "overview"));
    }
  }
  void count(const host_test::RawAnswer& answer) {
    const auto json = nlohmann::json::parse(answer.body, nullptr, false);
    ++(answer.status == 200 && json.is_object() ? whole_ : broken_);
  }
  std::atomic<bool> stop_{false};
  std::atomic<std::uint64_t> whole_{0};
  std::atomic<std::uint64_t> broken_{0};
  std::thread thread_;
};

// A child begins with nothing counted, and its first request starts an agent of its own.
bool starts_by_itself() {
  // The address sanitizer's allocator may be locked in the child for ever by a thread that exists in the
  // parent alone; the thread sanitizer supports no new threads there. See fork_children_test.cpp.
  if (host_test::kSanitized) return true;
  for (int i = 0; i < 3; ++i) make_request();
  const inlens_figures figures = inlens::figures();
  return figures.running && figures.requests == 3;
}

[[noreturn]] void leave_child(int way) {
  switch (way % 4) {
    case 0:
      std::exit(starts_by_itself() ? 0 : 3);
    case 1:
      ::_exit(starts_by_itself() ? 0 : 3);
    case 2:
      if (starts_by_itself()) ::execl("/bin/true", "true", nullptr);
      ::_exit(4);
    default:
      ::_exit(0);  // without a request, as a child does that execs at once
  }
}

pid_t fork_child(int way) {
  const pid_t child = ::fork();
  if (child == 0) leave_child(way);
  return child;
}

// Forks children, a few at a time, and counts those that did not end well.
int fork_many(int count) {
  std::fflush(nullptr);
  std::deque<pid_t> running;
  int failed = 0;
  const auto wait_for_first = [&] {
    const host_test::Ended ended = host_test::wait_for(running.front());
    running.pop_front();
    if (ended.hung || ended.exit_code != 0) ++failed;
  };
  for (int i = 0; i < count; ++i) {
    running.push_back(fork_child(i));
    if (running.size() == 4) wait_for_first();
  }
  while (!running.empty()) wait_for_first();
  return failed;
}

}  // namespace

TEST_CASE("Five hundred forks under load hang no child and lose none of the parent's requests") {
  const Running agent;
  Load load;
  CHECK(fork_many(host_test::kSanitized ? 60 : 500) == 0);
  const std::uint64_t made = load.stop();
  CHECK(made > 0);
  CHECK(inlens::figures().requests == made);
  CHECK(inlens::figures().unpaired == 0);
}

TEST_CASE("The parent's console clients get whole answers while it forks") {
  const Running agent;
  Clients clients(host_test::console_port());
  host_test::wait_until([&] { return clients.whole() > 2; });
  CHECK(fork_many(host_test::kSanitized ? 20 : 100) == 0);
  const std::uint64_t whole = clients.whole();
  host_test::wait_until([&] { return clients.whole() > whole; });
  clients.stop();
  CHECK(clients.broken() == 0);
}

TEST_CASE("A child that never makes a request may stop the agent and stays without") {
  const Running agent;
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    if (inlens::stop() != INLENS_ALREADY) ::_exit(6);
    make_request();
    ::_exit(inlens::figures().running ? 7 : 0);
  }
  CHECK(host_test::wait_for(child).exit_code == 0);
}

TEST_CASE("A program that the host executes inherits no descriptor of the agent's") {
  const std::vector<std::string> list = {"/bin/ls", "/proc/self/fd"};
  const std::string without = host_test::run(list).out;
  const std::string file = "/tmp/inlens-host-test-" + std::to_string(::getpid()) + ".log";
  {
    const Running agent(host_test::settings("light", R"("log": {"file": ")" + file + R"("})"));
    Clients clients(host_test::console_port());
    host_test::wait_until([&] { return clients.whole() > 0; });
    CHECK(host_test::run(list).out == without);
  }
  ::unlink(file.c_str());
}
