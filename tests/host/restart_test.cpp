// Starting, stopping and starting again, under load, with clients on the console, beside another server.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <catch2/catch.hpp>
#include <chrono>
#include <thread>
#include <vector>

#include "tests/host/agent.hpp"
#include "tests/host/console.hpp"
#include "tests/host/process.hpp"
#include "tests/host/sanitized.hpp"

using host_test::make_request;
using host_test::RawClient;
using host_test::Running;
using std::chrono::milliseconds;

namespace {

constexpr int kThreads = 4;
constexpr int kRequests = 1'000;

milliseconds timed_stop() {
  const auto before = std::chrono::steady_clock::now();
  const inlens_status status = inlens::stop();
  CHECK((status == INLENS_OK || status == INLENS_E_TIMEOUT));
  return std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - before);
}

// The promise is 200 ms. A busy machine may now and then give this thread no time for longer than that, but
// not most times.
void check_bound(std::vector<milliseconds> stops) {
  std::sort(stops.begin(), stops.end());
  CHECK(stops[stops.size() / 2] <= milliseconds(200));
}

// Clients that are in the middle of something, each in its own way.
std::vector<RawClient> slow_clients(std::uint16_t port) {
  std::vector<RawClient> clients;
  for (int i = 0; i < 12; ++i) {
    RawClient client(port, 1024);
    switch (i % 4) {
      case 0:
        break;  // says nothing
      case 1:
        client.send("GET /~inlens/api/overview HTTP/1.1\r\nHost: loc");
        break;
      case 2:
        client.send(
            "POST /~inlens/api/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nhalf");
        break;
      default:
        for (int j = 0; j < 50; ++j) client.send(host_test::api_request("openapi.json"));  // never reads
    }
    clients.push_back(std::move(client));
  }
  return clients;
}

// A server of its own, beside this program.
class SampleServer {
 public:
  explicit SampleServer(std::uint16_t port) {
    int to[2], from[2];
    REQUIRE(::pipe2(to, O_CLOEXEC) == 0);
    REQUIRE(::pipe2(from, O_CLOEXEC) == 0);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
    const std::string number = std::to_string(port);
    const char* arguments[] = {SAMPLE_HOST, "serve", "on", number.c_str(), nullptr};
    REQUIRE(::posix_spawn(&child_, SAMPLE_HOST, &actions, nullptr, const_cast<char**>(arguments), environ) ==
            0);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(to[0]);
    ::close(from[1]);
    input_ = to[1];
    url_ = host_test::read_line(from[0]);
    for (std::string line; (line = host_test::read_line(from[0])) != "." && !line.empty();)
      log_.push_back(line);
    ::close(from[0]);
  }
  ~SampleServer() {
    ::close(input_);
    CHECK(host_test::wait_for(child_).exit_code == 0);
  }
  SampleServer(const SampleServer&) = delete;
  SampleServer& operator=(const SampleServer&) = delete;

  std::uint16_t port() const { return host_test::port_of(url_); }
  const std::string& url() const { return url_; }
  const std::vector<std::string>& log() const { return log_; }
  pid_t pid() const { return child_; }

 private:
  pid_t child_ = -1;
  int input_ = -1;
  std::string url_;
  std::vector<std::string> log_;
};

}  // namespace

TEST_CASE("Twenty starts and stops under load: each period counts exactly its own requests") {
  enum class Phase { kExact, kUnderStop, kEnd };
  std::atomic<Phase> phase{Phase::kExact};
  std::barrier meeting(kThreads + 1);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (;;) {
        meeting.arrive_and_wait();
        if (phase == Phase::kEnd) return;
        if (phase == Phase::kExact) {
          for (int request = 0; request < kRequests; ++request) make_request();
        } else {
          while (phase == Phase::kUnderStop) make_request();
        }
        meeting.arrive_and_wait();
      }
    });
  }
  std::vector<milliseconds> stops;
  for (int cycle = 0; cycle < 20; ++cycle) {
    INFO("cycle " << cycle);
    REQUIRE(host_test::start() == INLENS_OK);
    CHECK(inlens::figures().requests == 0);
    phase = Phase::kExact;
    meeting.arrive_and_wait();
    meeting.arrive_and_wait();
    CHECK(inlens::figures().requests == kThreads * kRequests);
    CHECK(inlens::figures().in_flight == 0);
    phase = Phase::kUnderStop;
    meeting.arrive_and_wait();
    stops.push_back(timed_stop());
    phase = Phase::kExact;
    meeting.arrive_and_wait();
    CHECK(inlens::level() == inlens::Level::kOff);
    CHECK(inlens::console_url().empty());
  }
  phase = Phase::kEnd;
  meeting.arrive_and_wait();
  for (std::thread& thread : threads) thread.join();
  check_bound(stops);
}

TEST_CASE("A stop does not wait for the console's clients, and its port is free at once") {
  std::vector<milliseconds> stops;
  std::uint16_t port = 0;
  for (int cycle = 0; cycle < 10; ++cycle) {
    const std::string json =
        R"({"console": {"port": )" + std::to_string(port) + R"(, "token": ")" + host_test::kToken + R"("}})";
    REQUIRE(host_test::start(json) == INLENS_OK);
    if (port != 0) CHECK(host_test::console_port() == port);
    port = host_test::console_port();
    std::vector<RawClient> clients = slow_clients(port);
    CHECK(host_test::ask(port, "agent").status == 200);
    stops.push_back(timed_stop());
    for (RawClient& client : clients) client.read_to_end();  // closed, not left waiting
  }
  check_bound(stops);
}

TEST_CASE("A stop leaves no thread and no descriptor behind") {
  const auto once = [] {
    const Running agent;
    host_test::ask(host_test::console_port(), "overview");
  };
  const auto alone = [] { return host_test::agent_threads() == 0; };
  once();
  host_test::wait_until(alone);
  const std::size_t descriptors = host_test::open_descriptors();
  for (int i = 0; i < 20; ++i) once();
  host_test::wait_until(alone);
  CHECK(host_test::open_descriptors() == descriptors);
}

TEST_CASE("Starts and stops on many threads at once leave one agent or none") {
  std::vector<std::thread> threads;
  std::atomic<int> started{0}, stopped{0};
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 10; ++round) {
        if (host_test::start() == INLENS_OK) ++started;
        make_request();
        (void)inlens::figures();
        if (i % 2 == 0 && inlens::stop() != INLENS_ALREADY) ++stopped;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (inlens::stop() != INLENS_ALREADY) ++stopped;
  CHECK(started == stopped);
}

TEST_CASE("Two servers with one console port both serve, and the second says where its console is") {
  const SampleServer first(0);
  REQUIRE(first.port() != 0);
  const SampleServer second(first.port());
  REQUIRE(second.port() != 0);
  CHECK(second.port() != first.port());
  CHECK(host_test::ask_json(first.port(), "overview")["server"]["pid"] == first.pid());
  CHECK(host_test::ask_json(second.port(), "overview")["server"]["pid"] == second.pid());
  CHECK(first.log().empty());
  REQUIRE(second.log().size() == 1);
  CHECK(second.log()[0].find(std::to_string(first.port()) + " is busy") != std::string::npos);
  CHECK(second.log()[0].find(second.url()) != std::string::npos);
}

// To check an object's type the undefined-behaviour sanitizer opens a pipe; without one it takes the object
// for broken.
#if !defined(__SANITIZE_ADDRESS__)
TEST_CASE("Without any descriptor left the agent starts without console, and the host goes on") {
  host_test::LogLines log;
  std::vector<int> taken;
  for (int fd; (fd = ::open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0;) taken.push_back(fd);
  const inlens_status status = host_test::start(host_test::settings(), &log);
  for (const int fd : taken) ::close(fd);
  CHECK(status == INLENS_OK);
  make_request();
  CHECK(inlens::figures().requests == 1);
  CHECK(inlens::console_url().empty());
  CHECK(log.lines().size() == 1);
  CHECK(host_test::stop());
}
#endif
