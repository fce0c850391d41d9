// The host's signals: the agent's threads take none, and no system call of the host is interrupted more
// often.
#include <poll.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

#include "tests/host/agent.hpp"
#include "tests/host/console.hpp"
#include "tests/host/process.hpp"

using host_test::make_request;
using host_test::Running;

namespace {

constexpr int kSignals = 300;

std::atomic<int> g_handled{0};
std::atomic<int> g_handled_elsewhere{0};
pid_t g_host_thread = 0;

void on_signal(int) {
  g_handled.fetch_add(1);
  if (::gettid() != g_host_thread) g_handled_elsewhere.fetch_add(1);
}

// A handler for one signal, for a scope, without SA_RESTART.
class Handler {
 public:
  explicit Handler(int signal) : signal_(signal) {
    struct sigaction action {};
    action.sa_handler = on_signal;
    ::sigaction(signal_, &action, &before_);
    g_handled = 0;
    g_handled_elsewhere = 0;
    g_host_thread = ::gettid();
  }
  ~Handler() { ::sigaction(signal_, &before_, nullptr); }

 private:
  int signal_;
  struct sigaction before_ {};
};

// Sends signals to the process as a whole while this thread takes them in a system call only; the count is of
// calls that were interrupted. Any other thread that takes one makes this wait for ever, or the count differ.
int interrupted_calls(int signal) {
  sigset_t blocked, outside;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, signal);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &outside);
  ::sigdelset(&outside, signal);
  int interrupted = 0;
  for (int i = 0; i < kSignals; ++i) {
    make_request();
    ::kill(::getpid(), signal);
    if (::ppoll(nullptr, 0, nullptr, &outside) < 0 && errno == EINTR) ++interrupted;
  }
  ::pthread_sigmask(SIG_UNBLOCK, &blocked, nullptr);
  return interrupted;
}

// The signals that each of the agent's threads blocks, as in /proc.
std::map<std::string, std::uint64_t> masks_of_agent_threads() {
  std::map<std::string, std::uint64_t> masks;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream status(task.path() / "status");
    std::string name, line;
    while (std::getline(status, line)) {
      if (line.starts_with("Name:\t")) name = line.substr(6);
      if (line.starts_with("SigBlk:\t") && name.starts_with("inlens-"))
        masks[name] = std::stoull(line.substr(8), nullptr, 16);
    }
  }
  return masks;
}

}  // namespace

TEST_CASE("The agent's threads are named and block every signal that can be blocked") {
  const Running agent;
  // All 64, without SIGKILL and SIGSTOP, which the kernel refuses, and the two that the C library keeps.
  constexpr std::uint64_t all = ~((1ULL << (SIGKILL - 1)) | (1ULL << (SIGSTOP - 1)) | (3ULL << 31));
  host_test::wait_until([] { return masks_of_agent_threads().size() == 2; });
  for (const auto& [name, mask] : masks_of_agent_threads()) {
    INFO(name << " " << std::hex << mask);
    CHECK((mask & all) == all);
  }
}

TEST_CASE("Starting and stopping leave the host's signal mask and handlers alone") {
  sigset_t before, after;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &before);
  struct sigaction pipe_before {
  }, pipe_after{};
  ::sigaction(SIGPIPE, nullptr, &pipe_before);
  {
    const Running agent;
    make_request();
    ::sigaction(SIGPIPE, nullptr, &pipe_after);
    ::pthread_sigmask(SIG_SETMASK, nullptr, &after);
    CHECK(pipe_after.sa_handler == pipe_before.sa_handler);
  }
  for (int signal = 1; signal < NSIG; ++signal)
    CHECK(::sigismember(&before, signal) == ::sigismember(&after, signal));
}

TEST_CASE(
    "Signals of the process reach the host's thread and interrupt the same calls as without the agent") {
  for (const int signal : {SIGALRM, SIGUSR1, SIGCHLD, SIGTERM, SIGHUP, SIGPROF}) {
    const Handler handler(signal);
    INFO("signal " << signal);
    CHECK(interrupted_calls(signal) == kSignals);
    const Running agent;
    CHECK(interrupted_calls(signal) == kSignals);
    CHECK(g_handled == 2 * kSignals);
    CHECK(g_handled_elsewhere == 0);
  }
}

TEST_CASE("A timer of the host's keeps its pace through starts, requests and stops") {
  const Handler handler(SIGALRM);
  const itimerval often{{0, 500}, {0, 500}};
  ::setitimer(ITIMER_REAL, &often, nullptr);
  std::uint64_t made = 0;
  for (int i = 0; i < 5; ++i) {
    const Running agent;
    REQUIRE(agent.status() == INLENS_OK);
    const int before = g_handled;
    host_test::wait_until([&] {
      make_request();
      ++made;
      return g_handled > before + 20;
    });
    CHECK(inlens::figures().requests == std::exchange(made, 0));
  }
  const itimerval never{};
  ::setitimer(ITIMER_REAL, &never, nullptr);
  CHECK(g_handled_elsewhere == 0);
}

TEST_CASE("A signal handler of the host's may call hooks") {
  const Running agent;
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = [](int) { make_request("/from-a-handler"); };
  ::sigaction(SIGUSR1, &action, &before);
  for (int i = 0; i < 100; ++i) ::raise(SIGUSR1);
  ::sigaction(SIGUSR1, &before, nullptr);
  CHECK(inlens::figures().requests == 100);
}

TEST_CASE("A console client that goes away sends the host no SIGPIPE") {
  struct sigaction before {};
  ::sigaction(SIGPIPE, nullptr, &before);
  REQUIRE(before.sa_handler == SIG_DFL);  // so that one would end this program
  const Running agent;
  for (int i = 0; i < 50; ++i) {
    host_test::RawClient client(host_test::console_port());
    for (int request = 0; request < 20; ++request) client.send(host_test::api_request("settings"));
  }
  CHECK(host_test::ask(host_test::console_port(), "agent").status == 200);
}
