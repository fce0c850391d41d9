#include "agent/platform/self.hpp"

#include <unistd.h>

#include <ctime>
#include <fstream>
#include <sstream>

namespace inlens {

std::uint64_t process_cpu_ns() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<std::uint64_t>(used.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(used.tv_nsec);
}

std::uint64_t process_rss_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t all = 0, resident = 0;
  if (!(statm >> all >> resident)) return 0;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t thread_cpu_ns(std::int32_t thread_id) {
  std::ifstream schedstat("/proc/self/task/" + std::to_string(thread_id) + "/schedstat");
  std::uint64_t on_cpu_ns = 0;
  return schedstat >> on_cpu_ns ? on_cpu_ns : 0;
}

std::string program_name() {
  std::ifstream comm("/proc/self/comm");
  std::string name;
  std::getline(comm, name);
  return name;
}

}  // namespace inlens
