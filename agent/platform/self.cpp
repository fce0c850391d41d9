#include "agent/platform/self.hpp"

#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <fstream>

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

std::uint64_t named_thread_cpu_ns(std::string_view name) {
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
    std::ifstream comm(task.path() / "comm");
    std::string found;
    if (!std::getline(comm, found) || found != name) continue;
    std::ifstream schedstat(task.path() / "schedstat");
    std::uint64_t on_cpu_ns = 0;
    return schedstat >> on_cpu_ns ? on_cpu_ns : 0;
  }
  return 0;
}

std::string program_name() {
  std::ifstream comm("/proc/self/comm");
  std::string name;
  std::getline(comm, name);
  return name;
}

}  // namespace inlens
