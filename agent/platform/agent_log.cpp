#include "agent/platform/agent_log.hpp"

#include <spdlog/details/null_mutex.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/basic_file_sink.h>

#include <map>
#include <mutex>

namespace inlens {

namespace {

spdlog::level::level_enum level_of(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarning:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

// Hands each line to the host, without a lock of ours held around its code.
class HostSink final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  HostSink(AgentLog::Callback callback, void* user) : callback_(callback), user_(user) {}

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    const int level = message.level == spdlog::level::debug  ? 0
                      : message.level == spdlog::level::info ? 1
                      : message.level == spdlog::level::warn ? 2
                                                             : 3;
    callback_(user_, level, {message.payload.data(), message.payload.size()});
  }
  void flush_() override {}

  AgentLog::Callback callback_;
  void* user_;
};

}  // namespace

struct AgentLog::Impl {
  spdlog::logger logger{"inlens"};
  std::mutex mutex;
  std::map<std::string, std::uint64_t, std::less<>> times;

  // How often this kind has come, if it is to be written now; 0 otherwise.
  std::uint64_t turn_of(std::string_view kind) {
    constexpr std::size_t most_kinds = 200;
    const std::scoped_lock lock(mutex);
    auto found = times.find(kind);
    if (found == times.end()) {
      if (times.size() >= most_kinds) return 0;
      found = times.emplace(kind, 0).first;
    }
    const std::uint64_t times_seen = ++found->second;
    return (times_seen & (times_seen - 1)) == 0 ? times_seen : 0;
  }
};

AgentLog::AgentLog(const Options& options) : impl_(std::make_unique<Impl>()) {
  auto& sinks = impl_->logger.sinks();
  if (options.callback != nullptr)
    sinks.push_back(std::make_shared<HostSink>(options.callback, options.user));
  impl_->logger.set_level(level_of(options.level));
  impl_->logger.flush_on(spdlog::level::debug);
  impl_->logger.set_error_handler([](const std::string&) {});  // spdlog would print it
  if (options.file.empty()) return;
  try {
    sinks.push_back(std::make_shared<spdlog::sinks::basic_file_sink_mt>(options.file));
  } catch (const std::exception& e) {
    write(LogLevel::kError, "", std::string("inlens: log.file: ") + e.what());
  }
}

AgentLog::~AgentLog() = default;

void AgentLog::write(LogLevel level, std::string_view kind, std::string_view line) noexcept {
  try {
    if (impl_->logger.sinks().empty()) return;
    const std::uint64_t turn = kind.empty() ? 1 : impl_->turn_of(kind);
    if (turn == 0) return;
    if (turn > 1) {
      impl_->logger.log(level_of(level), "{} (time {} of its kind)", line, turn);
    } else {
      impl_->logger.log(level_of(level), "{}", line);
    }
  } catch (...) {
  }
}

}  // namespace inlens
