// What becomes of one record: its figures go to route and statements, its errors to the error desk, itself to
// the history. Called by Drain for each record, on the worker thread only; owns the tables of the store and
// everything that fills them. Allocates only for what it has not met before.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "agent/hooks/core.hpp"
#include "agent/store/calls.hpp"
#include "agent/store/history.hpp"
#include "agent/store/routes.hpp"
#include "agent/store/statements.hpp"
#include "agent/worker/decode.hpp"
#include "agent/worker/error_desk.hpp"
#include "agent/worker/fingerprint.hpp"
#include "agent/worker/modules.hpp"
#include "agent/worker/moment.hpp"
#include "agent/worker/pending_tasks.hpp"
#include "agent/worker/route_finder.hpp"
#include "agent/worker/settings.hpp"
#include "agent/worker/stored_request.hpp"
#include "agent/worker/texts.hpp"

namespace inlens::worker {

// What the worker itself could not do.
struct Shortfalls {
  std::uint64_t damaged = 0;       // records with an entry or a link that made no sense
  std::uint64_t text_unknown = 0;  // statements whose text never came
};

class Aggregate {
 public:
  Aggregate(hooks::Core& core, const Settings& settings, SkipReasonName skip_reason);

  // May throw std::bad_alloc: the record is then counted as far as it got.
  void take(const hooks::Block& first, const Moment& now);

  void set_limits(const Settings& settings);

  ErrorDesk& errors() { return errors_; }
  store::Routes& routes() { return routes_; }
  store::Statements& statements() { return statements_; }
  store::Calls& calls() { return calls_; }
  store::History& history() { return history_; }
  const PendingTasks& pending_tasks() const { return pending_; }
  const Shortfalls& shortfalls() const { return shortfalls_; }
  std::uint64_t requests_seen() const { return requests_seen_; }

 private:
  // The entries of the record at hand that figures are taken from.
  struct Found {
    BeginView begin;
    const hooks::TextEntry* route = nullptr;
    std::vector<const hooks::StatementEntry*> statements;
    std::vector<const hooks::FailureEntry*> failures;
    std::vector<const hooks::ErrorEntry*> errors;
    std::vector<const hooks::CallEntry*> calls;
  };

  void take_request(const hooks::Block& first, const Moment& now);
  void take_task(const hooks::Block& first, const Moment& now);
  void take_event(const hooks::Block& first, const Moment& now);

  void read(const hooks::Block& first, StoredLog& log);
  void find_entries(const StoredLog& log);
  bool add_statements(StoredLog& log, const store::RouteRow* route, std::int64_t unix_ms);
  void add_cut_statements(const RecordFacts& facts, std::uint64_t kept_ns, std::uint64_t kept_rows,
                          std::uint32_t kept_failures, std::int64_t unix_ms);
  void add_failures(const StoredLog& log);
  Text* text_of_statement(const hooks::StatementEntry& entry);
  bool add_calls(StoredLog& log, const store::RouteRow* route, std::int64_t unix_ms);
  void add_errors(StoredLog& log, const ErrorPlace& place, const Moment& now);
  void join_tasks(StoredRequest& request);

  hooks::Core& core_;
  Thresholds thresholds_;
  store::Statements statements_;
  store::Routes routes_;
  store::Calls calls_;
  Modules modules_;
  Symbols symbols_;
  Fingerprints fingerprints_;
  ErrorDesk errors_;
  Texts texts_;
  RouteFinder route_finder_;
  Decoder decoder_;
  SpareLogs spare_logs_;
  store::History history_;  // after what its items refer to
  PendingTasks pending_;
  StoredLog event_;
  Found found_;
  std::uint64_t pass_ = 0;
  std::uint64_t requests_seen_ = 0;
  Shortfalls shortfalls_;
};

}  // namespace inlens::worker
