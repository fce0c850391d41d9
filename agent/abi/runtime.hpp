// The running agent: settings, log, worker and console of one process, from start to stop. Joins every room,
// and answers the console's questions (store::Source).
//
// Threads: start, stop and restart are serialised by one mutex that no hook ever takes; the Source functions
// run on console threads and on host threads that serve the mounted console. Owns: worker and console. The
// hooks' Core outlives it.
#pragma once

#include <inlens/inlens.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "agent/config/config.hpp"
#include "agent/hooks/core.hpp"
#include "agent/platform/agent_log.hpp"
#include "agent/store/source.hpp"
#include "agent/worker/worker.hpp"
#include "console/bar/header_view.hpp"
#include "console/server/listener.hpp"
#include "console/server/router.hpp"

namespace inlens::abi {

// What inlens_start was given, kept for the children of a fork.
struct StartRequest {
  std::string config_file;
  std::string config_json;
  std::string server_name;
  std::string release;
  inlens_log_fn log = nullptr;
  void* log_user = nullptr;
};

class Runtime final : public store::Source {
 public:
  // Reads the settings and makes everything ready; nullptr with a reason when memory is refused.
  static std::shared_ptr<Runtime> make(const StartRequest& request, inlens_status& status);
  ~Runtime() override;

  // Starts the threads and opens the gate.
  bool start(Level level);
  Level configured_level() const;
  // Closes the gate and ends the threads. False when one did not leave in time; then the runtime must be
  // kept.
  bool stop(std::chrono::milliseconds deadline);
  void abandon_in_child() noexcept;

  bool has_console() const { return console_ != nullptr; }
  console::Console& console() { return *console_; }
  const std::string& console_url() const { return console_url_; }
  void set_level(Level level);

  std::shared_ptr<const store::Snapshot> snapshot(std::chrono::milliseconds wait) override;
  store::Totals totals() override;
  std::vector<store::InFlight> in_flight() override;
  store::AgentFigures figures() override;
  std::vector<store::ConnectionStats> connections() override;
  std::vector<store::CollectorStats> collectors() override;
  std::shared_ptr<const LoadResult> settings() override;
  std::optional<Problem> change_setting(std::string_view key, std::string_view json_value) override;
  bool resolve_issue(std::uint32_t id) override;

 private:
  Runtime(const StartRequest& request, LoadResult settings, hooks::Core& core);

  void apply(const Config& config);
  void open_console();
  void log_problems();

  hooks::Core& core_;
  AgentLog log_;
  mutable std::mutex settings_mutex_;
  std::shared_ptr<const LoadResult> settings_;
  worker::Worker worker_;
  std::unique_ptr<console::Console> console_;
  console::Listener listener_;
  std::string console_url_;
  std::int64_t started_unix_ms_ = 0;
};

// The process's one runtime, or nullptr. Blocks: for the mutex.
std::shared_ptr<Runtime> running();

inlens_status start(const StartRequest& request);
inlens_status stop();

// Whether a request of the host's carries a console session. Blocks: for a lock, and only if it carries such
// a cookie.
bool console_session_of(std::span<const bar::HeaderView> headers, std::string_view peer, bool tls);

}  // namespace inlens::abi
