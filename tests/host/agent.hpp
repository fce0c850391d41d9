// The agent as the hosts of these tests start it: settings, requests, figures and the lines of its log. Uses
// the public headers alone.
#pragma once

#include <inlens/inlens.hpp>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace host_test {

inline constexpr const char* kToken = "a-token-for-the-host-tests-0123456789";

// Settings as JSON: any free port, the token of the tests, and `more`, further members.
inline std::string settings(std::string_view level = "light", std::string_view more = {}) {
  std::string json = R"({"console": {"port": 0, "token": ")" + std::string(kToken) +
                     R"("}, "collect": {"level": ")" + std::string(level) + R"("})";
  if (!more.empty()) json.append(", ").append(more);
  return json + "}";
}

// Collects the agent's log lines. Give it to start() and keep it until after the last stop.
class LogLines {
 public:
  static void sink(void* self, int, inlens_str line) {
    auto& to = *static_cast<LogLines*>(self);
    const std::scoped_lock lock(to.mutex_);
    to.lines_.emplace_back(line.data, line.size);
  }
  std::vector<std::string> lines() const {
    const std::scoped_lock lock(mutex_);
    return lines_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
};

inline inlens_status start(std::string_view json = settings(), LogLines* log = nullptr) {
  inlens::StartOptions options;
  options.config_json = json;
  options.server_name = "host-test";
  if (log != nullptr) {
    options.log = &LogLines::sink;
    options.log_user = log;
  }
  return inlens::start(options);
}

// Stops; a busy machine may not have let the agent's threads leave in time, which is no failure.
inline bool stop() {
  const inlens_status status = inlens::stop();
  return status == INLENS_OK || status == INLENS_E_TIMEOUT;
}

// Runs the agent for a scope.
class Running {
 public:
  explicit Running(std::string_view json = settings(), LogLines* log = nullptr)
      : status_(host_test::start(json, log)) {}
  ~Running() { inlens::stop(); }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  inlens_status status() const { return status_; }

 private:
  inlens_status status_;
};

inline inlens::RequestInfo page_info(std::string_view target = "/page") {
  inlens::RequestInfo info;
  info.method = "GET";
  info.target = target;
  info.host = "localhost";
  info.peer = "127.0.0.1";
  info.protocol = "HTTP/1.1";
  return info;
}

// One request with a span and a statement, as a server would make it.
inline void make_request(std::string_view target = "/page", std::uint32_t status = 200) {
  inlens::Request request(page_info(target));
  const inlens::Attach attach(request);
  {
    const inlens::Span span("handler", inlens::SpanKind::kStage);
    inlens::Statement("SELECT name FROM product WHERE id = 7").rows(1);
  }
  request.end(status, 12, "text/html");
}

// Asks `is_so` until it says yes; for what happens on other threads a moment later. The limit is the test's
// own time-out, so that nothing depends on how fast this machine is.
template <class Condition>
void wait_until(Condition&& is_so) {
  while (!is_so()) std::this_thread::yield();
}

}  // namespace host_test
