#include "tests/host/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <utility>

namespace host_test {

namespace {

namespace fs = std::filesystem;
using SteadyClock = std::chrono::steady_clock;

int milliseconds_until(SteadyClock::time_point then) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(then - SteadyClock::now()).count();
  return static_cast<int>(std::max<long>(left, 0));
}

struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (::pipe2(ends, O_CLOEXEC) != 0) ends[0] = ends[1] = -1;
  }
  ~Pipe() {
    ::close(ends[0]);
    if (ends[1] >= 0) ::close(ends[1]);
  }
  void close_writing() { ::close(std::exchange(ends[1], -1)); }
};

// Reads both pipes until the child has closed them.
void read_all(Pipe (&pipes)[2], std::string* (&to)[2], SteadyClock::time_point until) {
  pollfd waits[2] = {{pipes[0].ends[0], POLLIN, 0}, {pipes[1].ends[0], POLLIN, 0}};
  while (waits[0].fd >= 0 || waits[1].fd >= 0) {
    if (::poll(waits, 2, milliseconds_until(until)) <= 0) return;
    for (int i = 0; i < 2; ++i) {
      if (waits[i].fd < 0 || waits[i].revents == 0) continue;
      char bytes[4096];
      const ssize_t got = ::read(waits[i].fd, bytes, sizeof bytes);
      if (got > 0)
        to[i]->append(bytes, static_cast<std::size_t>(got));
      else
        waits[i].fd = -1;
    }
  }
}

// Of each of the agent's threads its number, its state and how often it was switched.
std::vector<std::string> agent_tasks() {
  std::vector<std::string> tasks;
  for (const auto& task : fs::directory_iterator("/proc/self/task")) {
    std::ifstream status(task.path() / "status");
    std::string line;
    if (!std::getline(status, line) || !line.starts_with("Name:\tinlens-")) continue;
    std::string& text = tasks.emplace_back(task.path().filename());
    while (std::getline(status, line))
      if (line.starts_with("State:") || line.find("_ctxt_switches:") != std::string::npos)
        text += '\n' + line;
  }
  return tasks;
}

}  // namespace

Ended wait_for(pid_t child) {
  Ended ended;
  const int fd = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  pollfd wait{fd, POLLIN, 0};
  if (::poll(&wait, 1, milliseconds_until(SteadyClock::now() + kPatience)) == 0) {
    ended.hung = true;
    ::kill(child, SIGKILL);
  }
  ::close(fd);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) ended.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
  return ended;
}

Ended run(const std::vector<std::string>& arguments) {
  Pipe pipes[2];
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, pipes[0].ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, pipes[1].ends[1], STDERR_FILENO);
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t child = -1;
  const int problem = ::posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  Ended ended;
  if (problem != 0) return ended;
  for (Pipe& pipe : pipes) pipe.close_writing();
  std::string out, err;
  std::string* to[2] = {&out, &err};
  read_all(pipes, to, SteadyClock::now() + kPatience);
  ended = wait_for(child);
  ended.out = std::move(out);
  ended.err = std::move(err);
  return ended;
}

std::string read_line(int fd) {
  std::string line;
  const auto until = SteadyClock::now() + kPatience;
  pollfd wait{fd, POLLIN, 0};
  for (char byte; ::poll(&wait, 1, milliseconds_until(until)) > 0 && ::read(fd, &byte, 1) == 1;) {
    if (byte == '\n') return line;
    line.push_back(byte);
  }
  return line;
}

std::size_t open_descriptors() {
  const fs::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all))) - 1;  // without the iterator's own
}

std::size_t agent_threads() {
  return agent_tasks().size();
}

void wait_until_agent_sleeps() {
  // Who sleeps and has not been switched since the last look slept all the time between.
  const auto sleeping = [](const std::string& task) { return task.find("State:\tS") != std::string::npos; };
  std::vector<std::string> before;
  for (;;) {
    std::vector<std::string> now = agent_tasks();
    if (now.size() >= 2 && now == before && std::all_of(now.begin(), now.end(), sleeping)) return;
    before = std::move(now);
    std::this_thread::yield();
  }
}

std::size_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  statm >> all >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace host_test
