// Children of a fork that start an agent of their own.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "tests/host/agent.hpp"
#include "tests/host/console.hpp"
#include "tests/host/process.hpp"
#include "tests/host/sanitized.hpp"

using host_test::make_request;
using host_test::Running;

namespace {

struct Pipe {
  int read_end = -1;
  int write_end = -1;
  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) == 0) read_end = ends[0], write_end = ends[1];
  }
  ~Pipe() {
    ::close(read_end);
    ::close(write_end);
  }
};

// A worker that wakes every second, so that a fork can take place while it sleeps.
std::string seldom_awake() {
  return host_test::settings("light", R"("worker": {"pollMs": 1000})");
}

// Forks while the agent runs. The address sanitizer's allocator does not survive a fork while another thread
// is inside it; the C library's does.
pid_t fork_beside_agent() {
  std::fflush(nullptr);
  if (host_test::kSanitized) {
    host_test::wait_until([] { return inlens::figures().queue_depth == 0; });
    host_test::wait_until_agent_sleeps();
  }
  return ::fork();
}

// In a child: makes a request, tells where its console is, and serves until the other end of `until` closes.
[[noreturn]] void serve_console(Pipe& told, Pipe& until) {
  ::close(until.write_end);
  make_request("/from-the-child");
  const std::string line = std::to_string(::getpid()) + " " + std::string(inlens::console_url()) + "\n";
  if (::write(told.write_end, line.data(), line.size()) < 0) ::_exit(5);
  char byte;
  while (::read(until.read_end, &byte, 1) > 0) {
  }
  std::exit(0);
}

void check_console_of(const std::string& line, std::uint16_t parent_port) {
  INFO(line);
  const auto space = line.find(' ');
  REQUIRE(space != std::string::npos);
  const std::uint16_t port = host_test::port_of(line.substr(space + 1));
  CHECK(port != 0);
  CHECK(port != parent_port);
  const auto overview = host_test::ask_json(port, "overview");
  REQUIRE(overview.is_object());
  CHECK(overview["server"]["pid"] == std::atoi(line.c_str()));
  CHECK(overview["requests"]["total"] == 1);
  CHECK(host_test::ask_json(port, "requests")["items"][0]["target"] == "/from-the-child");
}

}  // namespace

TEST_CASE("A child has a console of its own beside its parent's") {
  const Running agent(seldom_awake());
  make_request("/of-the-parent");
  Pipe told, until;
  const pid_t child = fork_beside_agent();
  if (child == 0) serve_console(told, until);
  check_console_of(host_test::read_line(told.read_end), host_test::console_port());
  const auto overview = host_test::ask_json(host_test::console_port(), "overview");
  CHECK(overview["server"]["pid"] == ::getpid());
  CHECK(overview["requests"]["total"] == 1);
  ::close(std::exchange(until.write_end, -1));
  CHECK(host_test::wait_for(child).exit_code == 0);
}

TEST_CASE("A host that becomes a daemon after the start has its console in the daemon") {
  std::fflush(nullptr);
  Pipe told, until;
  const pid_t starter = ::fork();
  if (starter == 0) {
    // What daemon() does: fork, end the parent, leave the terminal; here twice, as daemons used to.
    if (host_test::start(seldom_awake()) != INLENS_OK) ::_exit(6);
    if (fork_beside_agent() != 0) ::_exit(0);
    ::setsid();
    if (::fork() != 0) ::_exit(0);
    serve_console(told, until);
  }
  const std::string line = host_test::read_line(told.read_end);
  CHECK(host_test::wait_for(starter).exit_code == 0);
  check_console_of(line, 0);
}

TEST_CASE("A child may start and stop the agent itself, as servers do that fork their workers") {
  const Running agent(seldom_awake());
  make_request();
  const pid_t child = fork_beside_agent();
  if (child == 0) {
    if (host_test::start() != INLENS_OK) ::_exit(6);
    make_request();
    if (inlens::figures().requests != 1) ::_exit(7);
    if (!host_test::stop()) ::_exit(8);
    make_request();
    ::_exit(inlens::figures().running ? 9 : 0);
  }
  CHECK(host_test::wait_for(child).exit_code == 0);
  CHECK(inlens::figures().requests == 1);
}

TEST_CASE("Handles of the parent are stale in its child") {
  const Running agent(seldom_awake());
  inlens::Request request(host_test::page_info());
  const inlens::Attach attach(request);
  const inlens::Span span("open over the fork");
  const pid_t child = fork_beside_agent();
  if (child == 0) {
    inlens::message("nobody's");
    request.end(200);
    make_request();
    ::_exit(inlens::figures().requests == 1 ? 0 : 6);
  }
  CHECK(host_test::wait_for(child).exit_code == 0);
  request.end(200);
  CHECK(inlens::figures().requests == 1);
  CHECK(inlens::figures().unpaired == 0);
}
