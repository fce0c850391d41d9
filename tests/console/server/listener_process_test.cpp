// The listener as a guest in its process: thread, signals, descriptors, fork, start and stop.
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <future>
#include <set>
#include <thread>

#include "tests/console/server/listener_fixture.hpp"

using namespace inlens::console;
using namespace inlens::console::test;

namespace {

std::set<int> open_descriptors() {
  std::set<int> found;
  DIR* directory = ::opendir("/proc/self/fd");
  while (const dirent* entry = ::readdir(directory))
    if (entry->d_name[0] != '.') found.insert(std::atoi(entry->d_name));
  found.erase(::dirfd(directory));
  ::closedir(directory);
  return found;
}

// For what another thread does in its own time; 30 s is despair, not a measure.
template <class Check>
bool eventually(Check check) {
  const auto despair = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!check()) {
    if (std::chrono::steady_clock::now() > despair) return false;
    std::this_thread::yield();
  }
  return true;
}

// Runs `check` in a forked child; true when it returned true there.
template <class Check>
bool holds_in_child(Check check) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(check() ? 0 : 1);
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

TEST_CASE("The console's thread has its name and takes no signal") {
  ListenerFixture f({}, [](const Request&) {
    char name[16] = "";
    ::pthread_getname_np(::pthread_self(), name, sizeof name);
    sigset_t blocked;
    ::pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
    int free_signals = 0;
    for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGCHLD, SIGPIPE, SIGALRM, SIGPROF, SIGUSR1})
      free_signals += sigismember(&blocked, number) ? 0 : 1;
    Answer answer;
    answer.body = std::string(name) + " " + std::to_string(free_signals);
    return answer;
  });
  CHECK(f.ask(kGet).body == "inlens-console 0");
}

TEST_CASE("Starting the console leaves the signal mask of its caller alone") {
  sigset_t before, after;
  ::pthread_sigmask(SIG_BLOCK, nullptr, &before);
  ListenerFixture f;
  ::pthread_sigmask(SIG_BLOCK, nullptr, &after);
  for (int number = 1; number < 32; ++number)
    CHECK(sigismember(&before, number) == sigismember(&after, number));
}

TEST_CASE("Every descriptor of a serving console is closed on exec, and none remains after stop") {
  const std::set<int> before = open_descriptors();
  {
    ListenerFixture f;
    RawClient client = f.connect();
    REQUIRE(client.ask(kGet).status == 200);
    int seen = 0;
    for (const int fd : open_descriptors()) {
      if (before.count(fd) != 0) continue;
      ++seen;
      CHECK((::fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
    }
    CHECK(seen >= 3);  // listener, this client, and the server's side of it
    f.listener.stop();
  }
  CHECK(eventually([&] { return open_descriptors() == before; }));
}

TEST_CASE("Stop closes its clients in whatever they are doing") {
  ListenerFixture f;
  RawClient silent = f.connect();
  RawClient in_headers = f.connect();
  RawClient in_body = f.connect();
  RawClient reading(f.port, 4096);
  RawClient idle = f.connect();
  in_headers.send("GET /a HT");
  in_body.send("POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc");
  reading.send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n");
  CHECK(idle.ask(kGet).status == 200);
  f.listener.stop();
  CHECK(silent.is_closed());
  CHECK(in_headers.is_closed());
  CHECK(in_body.is_closed());
  CHECK(idle.is_closed());
  CHECK(reading.read_to_end().size() < 32u * 1024 * 1024);
  CHECK_FALSE(RawClient(f.port).ask(kGet).status == 200);
}

TEST_CASE("Stop does not wait for a handler that is stuck") {
  struct Meeting {
    std::promise<void> entered, go_on;
  };
  const auto meeting = std::make_shared<Meeting>();
  ListenerFixture f({}, [meeting](const Request&) {
    meeting->entered.set_value();
    meeting->go_on.get_future().wait();
    return Answer();
  });
  RawClient client = f.connect();
  client.send(kGet);
  meeting->entered.get_future().wait();
  CHECK_FALSE(f.listener.stop());
  meeting->go_on.set_value();
  client.read_to_end();
  CHECK(client.is_closed());
}

TEST_CASE("A console can be stopped twice, never started, and started again") {
  Listener never(nullptr);
  CHECK(never.stop());
  Listener listener(nullptr);
  for (int i = 0; i < 20; ++i) {
    ListeningSocket socket = open_listening_socket(free_port());
    const std::uint16_t port = socket.port();
    REQUIRE(listener.start(std::move(socket), {}, echo));
    REQUIRE(RawClient(port).ask(kGet).status == 200);
    listener.stop();
    CHECK(listener.stop());
  }
}

TEST_CASE("A second start and a start without a socket are refused with a line in the log") {
  std::vector<std::string> lines;
  Listener listener([&](LogLevel, std::string_view line) { lines.emplace_back(line); });
  BindOptions options;
  options.address = "nonsense";
  CHECK_FALSE(listener.start(open_listening_socket(options), {}, echo));
  CHECK(lines.size() == 1);
  REQUIRE(listener.start(open_listening_socket(free_port()), {}, echo));
  CHECK_FALSE(listener.start(open_listening_socket(free_port()), {}, echo));
  CHECK(lines.size() == 2);
}

TEST_CASE("A forked child closes its copies of the console's sockets and the parent's clients are served") {
  const std::set<int> before = open_descriptors();
  ListenerFixture f;
  RawClient client = f.connect();
  REQUIRE(client.ask(kGet).status == 200);
  CHECK(holds_in_child([&] {
    f.listener.abandon_in_child();
    int sockets = 0;
    for (const int fd : open_descriptors()) {
      struct stat info;
      if (before.count(fd) == 0 && fd != client.fd() && ::fstat(fd, &info) == 0 && S_ISSOCK(info.st_mode))
        ++sockets;
    }
    return sockets == 0 && f.listener.stop();
  }));
  CHECK(client.ask(kGet).status == 200);
  f.listener.stop();
  CHECK(client.is_closed());
}

TEST_CASE("A forked child opens a console of its own beside the parent's") {
  ListenerFixture f;
  REQUIRE(f.ask(kGet).status == 200);
  CHECK(holds_in_child([&] {
    f.listener.abandon_in_child();
    BindOptions options;
    options.port = f.port;
    ListeningSocket socket = open_listening_socket(options);
    const std::uint16_t port = socket.port();
    if (port == f.port || !f.listener.start(std::move(socket), {}, echo)) return false;
    return RawClient(port).ask(kGet).status == 200 && RawClient(f.port).ask(kGet).status == 200;
  }));
}

TEST_CASE("A child that forgets to abandon the console can still stop it") {
  ListenerFixture f;
  REQUIRE(f.ask(kGet).status == 200);
  CHECK(holds_in_child([&] { return f.listener.stop(); }));
  CHECK(f.ask(kGet).status == 200);
}

TEST_CASE("A descriptor that left the list is not closed in a child") {
  Descriptors descriptors;
  const int kept = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int listed = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  REQUIRE(descriptors.add(kept));
  REQUIRE(descriptors.add(listed));
  descriptors.remove(kept);
  CHECK(holds_in_child([&] {
    descriptors.close_all_in_child();
    return ::fcntl(kept, F_GETFD) >= 0 && ::fcntl(listed, F_GETFD) < 0;
  }));
  ::close(kept);
  ::close(listed);
}

TEST_CASE("The list of descriptors refuses what it cannot hold") {
  Descriptors descriptors;
  for (std::size_t i = 0; i < Descriptors::kCapacity; ++i)
    REQUIRE(descriptors.add(100'000 + static_cast<int>(i)));
  CHECK_FALSE(descriptors.add(1));
  descriptors.remove(100'000);
  CHECK(descriptors.add(1));
}
