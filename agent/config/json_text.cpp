#include "agent/config/json_text.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace inlens::config {
namespace {

using Json = nlohmann::json;

struct TooDeep {};

class File {
 public:
  // Without O_NONBLOCK, opening a pipe would wait for its writer.
  explicit File(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool is_open() const { return fd_ >= 0; }
  bool is_regular() const {
    struct stat status {};
    return ::fstat(fd_, &status) == 0 && S_ISREG(status.st_mode);
  }
  ssize_t read(char* to, std::size_t size) const {
    ssize_t got = 0;
    do got = ::read(fd_, to, size);
    while (got < 0 && errno == EINTR);
    return got;
  }

 private:
  int fd_;
};

TextError cannot_read(int error) {
  return {"cannot be read: " + std::generic_category().message(error)};
}

// `byte` counts from 1 and may be one past the end.
std::string position(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte == 0 ? 0 : std::min(byte - 1, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return "line " + std::to_string(line) + ", column " + std::to_string(before.size() - line_start + 1);
}

}  // namespace

std::variant<std::string, TextError> read_file(const std::string& path) {
  const File file(path);
  if (!file.is_open()) return cannot_read(errno);
  if (!file.is_regular()) return TextError{"cannot be read: it is not a regular file"};
  std::string text;
  char buffer[16384];
  while (true) {
    const ssize_t got = file.read(buffer, sizeof buffer);
    if (got < 0) return cannot_read(errno);
    if (got == 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
    if (text.size() > kMaxFileBytes) return TextError{"cannot be read: it is larger than 1 MB"};
  }
}

std::variant<Json, TextError> parse_json(std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return TextError{"is empty"};
  const Json::parser_callback_t bound_depth = [](int depth, Json::parse_event_t, Json&) {
    if (depth > kMaxDepth) throw TooDeep{};
    return true;
  };
  try {
    return Json::parse(text, bound_depth);
  } catch (const Json::parse_error& error) {
    return TextError{"is not valid JSON at " + position(text, error.byte)};
  } catch (const Json::exception&) {
    return TextError{"is not valid JSON: a number is out of range"};
  } catch (const TooDeep&) {
    return TextError{"is nested deeper than " + std::to_string(kMaxDepth) + " levels"};
  }
}

}  // namespace inlens::config
