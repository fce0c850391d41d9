#include "agent/platform/self.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>

namespace inlens {

namespace {

// The begin of a small file of /proc. In C, as streams and std::filesystem end the process where memory is
// refused.
class ProcFile {
 public:
  ProcFile(int directory, const char* path) noexcept {
    const int fd = openat(directory, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    const ssize_t got = read(fd, text_, sizeof(text_) - 1);
    close(fd);
    text_[got > 0 ? got : 0] = '\0';
  }
  const char* text() const { return text_; }
  std::string_view line() const {
    const std::string_view text(text_);
    return text.substr(0, text.find('\n'));
  }

 private:
  char text_[256] = {};
};

}  // namespace

std::uint64_t process_cpu_ns() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<std::uint64_t>(used.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(used.tv_nsec);
}

std::uint64_t process_rss_bytes() {
  const ProcFile statm(AT_FDCWD, "/proc/self/statm");
  char* rest = nullptr;
  std::strtoull(statm.text(), &rest, 10);
  return std::strtoull(rest, nullptr, 10) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t named_thread_cpu_ns(std::string_view name) {
  DIR* tasks = opendir("/proc/self/task");
  if (tasks == nullptr) return 0;
  std::uint64_t on_cpu_ns = 0;
  while (const dirent* task = readdir(tasks)) {
    const int directory = openat(dirfd(tasks), task->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) continue;
    const bool found = task->d_name[0] != '.' && ProcFile(directory, "comm").line() == name;
    if (found) on_cpu_ns = std::strtoull(ProcFile(directory, "schedstat").text(), nullptr, 10);
    close(directory);
    if (found) break;
  }
  closedir(tasks);
  return on_cpu_ns;
}

std::string program_name() {
  return std::string(ProcFile(AT_FDCWD, "/proc/self/comm").line());
}

}  // namespace inlens
