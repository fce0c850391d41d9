// What the console may ask of the agent. The console sees this interface and the snapshot's types only, never
// the hooks or the worker; the runtime implements it. Threads: every function may be called from any number
// of console threads; none is called from a hook.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/config/config.hpp"
#include "agent/store/snapshot.hpp"

namespace inlens::store {

// A request under way, read without locks from its record.
struct InFlight {
  RequestId id;
  std::string method;
  std::string target;  // masked
  std::string route;   // "" until the host named it
  std::string peer;
  std::int64_t started_unix_ms = 0;
  std::uint64_t elapsed_ns = 0;
  std::string thread;
  std::string activity;  // kind of the innermost open span: "statement", "call", "stage" …, or ""
  std::uint32_t statements = 0;
  std::uint32_t errors = 0;
  bool task = false;
};

// Connections of one kind to one target, since the agent started.
struct ConnectionStats {
  std::string kind;
  std::string target;
  bool other = false;
  std::uint64_t opened = 0;
  std::uint64_t closed = 0;
  std::uint64_t failed = 0;
  std::optional<std::uint64_t> in_use;  // none: nobody tells
  std::uint64_t connect_ns = 0;  // sum over those opened
  std::uint64_t opened_last_minute = 0;
};

// What one collector sees.
struct CollectorStats {
  std::string name;
  std::string state;  // "on", "off", "notFound", "impossible"
  std::string detail;
};

// Details that were lost, by reason. Totals are exact all the same.
struct Lost {
  std::uint64_t pool_empty = 0;    // no free record at a request's begin
  std::uint64_t queue_full = 0;    // the work queue refused a record
  std::uint64_t record_full = 0;   // an entry found no room in its request's record
  std::uint64_t string_cut = 0;    // a string was cut to limits.stringBytes
  std::uint64_t limit = 0;         // an entry beyond a request's cap
  std::uint64_t unpaired = 0;      // end without begin, stale handle, wrong order
  std::uint64_t thread_exit = 0;   // a hook on a thread whose storage is gone
  std::uint64_t stopped = 0;       // records that met a stopped agent
  std::uint64_t text_unknown = 0;  // a statement's hash came without its text
  std::uint64_t total() const {
    // Cut strings are shortened, not lost, and unpaired calls carried nothing.
    return pool_empty + queue_full + record_full + limit + thread_exit + stopped + text_unknown;
  }
};

struct LostByKind {
  std::uint64_t requests = 0;
  std::uint64_t statements = 0;
  std::uint64_t spans = 0;
  std::uint64_t errors = 0;
  std::uint64_t messages = 0;
  std::uint64_t panels = 0;
  std::uint64_t headers = 0;
};

// The agent about itself.
struct AgentFigures {
  Level level = Level::kOff;
  std::uint64_t queue_capacity = 0;
  std::uint64_t queue_depth = 0;
  std::uint64_t pool_blocks = 0;
  std::uint64_t pool_used = 0;
  std::uint64_t pool_bytes = 0;
  Lost lost;
  LostByKind lost_by_kind;
  std::uint64_t hook_threads = 0;  // host threads that ever used a hook
  std::uint64_t worker_cpu_ns = 0;
  std::uint64_t console_cpu_ns = 0;
  std::uint64_t process_cpu_ns = 0;
  std::uint64_t process_rss_bytes = 0;
  std::uint64_t agent_bytes = 0;  // memory of pool, store and threads, as far as the agent can tell
  std::uint64_t agent_threads = 0;
  std::uint64_t drains = 0;
  std::uint64_t records_drained = 0;
  std::uint64_t records_damaged = 0;  // an entry or a link of theirs made no sense; taken in as far as sound
  std::uint64_t tasks_given_up = 0;   // waited for their request until there were too many
  std::uint64_t guarded_exceptions = 0;  // caught at the edge of a hook
  std::string clock;                     // "tsc" or "monotonic"
  std::string console_address;
  std::int64_t started_unix_ms = 0;
  std::uint64_t bars_inserted = 0;
  std::vector<std::pair<std::string, std::uint64_t>> pages_skipped;  // reason, how often
};

class Source {
 public:
  virtual ~Source() = default;

  // The newest snapshot; asks the worker to drain first and waits up to `wait` for it, then takes what there
  // is.
  virtual std::shared_ptr<const Snapshot> snapshot(std::chrono::milliseconds wait) = 0;

  // Exact at the moment of the call, whatever the worker has seen.
  virtual Totals totals() = 0;
  virtual std::vector<InFlight> in_flight() = 0;
  virtual AgentFigures figures() = 0;
  virtual std::vector<ConnectionStats> connections() = 0;
  virtual std::vector<CollectorStats> collectors() = 0;

  virtual std::shared_ptr<const LoadResult> settings() = 0;
  // Changes a live setting; the value is JSON text. Returns the problem, or nothing when it took effect.
  virtual std::optional<Problem> change_setting(std::string_view key, std::string_view json_value) = 0;

  // Marks an issue resolved; its place may be taken again. False when there is no such issue.
  virtual bool resolve_issue(std::uint32_t id) = 0;
};

}  // namespace inlens::store
