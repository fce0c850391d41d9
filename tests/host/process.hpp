// Children of a test and what /proc says of this process. No wait is longer than kPatience: a child that
// hangs is killed and reported, so that the test fails instead of hanging.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace host_test {

inline constexpr std::chrono::seconds kPatience{60};

struct Ended {
  bool hung = false;  // it had to be killed
  int exit_code = -1;
  int signal = 0;
  std::string out;
  std::string err;
};

// Waits for a child of this process.
Ended wait_for(pid_t child);

// Runs a program, its output captured.
Ended run(const std::vector<std::string>& arguments);

// A line from a pipe, without its end; empty at the end of the pipe or after kPatience.
std::string read_line(int fd);

// The descriptors that this process has open.
std::size_t open_descriptors();

// This process's threads that are the agent's, by their names.
std::size_t agent_threads();

// Returns after a moment at which all of the agent's threads, worker and console at least, were asleep.
void wait_until_agent_sleeps();

std::size_t resident_bytes();

}  // namespace host_test
