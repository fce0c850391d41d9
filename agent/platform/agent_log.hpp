// The agent's own log: to the host's callback, to a file, or nowhere; never to stdout or stderr. Lines of one
// kind are written the 1st, 2nd, 4th, 8th … time, so no fault can flood it. Threads: worker, console, and the
// one inside start; never a hook. Blocks: for writing the line.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "agent/config/config.hpp"

namespace inlens {

class AgentLog {
 public:
  using Callback = void (*)(void* user, int level, std::string_view line);

  struct Options {
    Callback callback = nullptr;
    void* user = nullptr;
    std::string file;  // empty: none
    LogLevel level = LogLevel::kInfo;
  };

  // A file that cannot be opened is reported to the callback, and then there is none.
  explicit AgentLog(const Options& options);
  ~AgentLog();
  AgentLog(const AgentLog&) = delete;
  AgentLog& operator=(const AgentLog&) = delete;

  // `kind` names what repeats; an empty one is always written. Never throws.
  void write(LogLevel level, std::string_view kind, std::string_view line) noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace inlens
