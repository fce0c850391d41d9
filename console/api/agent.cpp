#include "console/api/agent.hpp"

#include "console/api/checks.hpp"
#include "console/api/requests.hpp"

namespace inlens::console::api {
namespace {

constexpr std::uint64_t kMinutes = 60;
constexpr std::uint64_t kBytesPerMegabyte = 1 << 20;

Json lost(const store::Lost& lost) {
  return Json::object({{"total", lost.total()},
                       {"poolEmpty", lost.pool_empty},
                       {"queueFull", lost.queue_full},
                       {"recordFull", lost.record_full},
                       {"stringCut", lost.string_cut},
                       {"limit", lost.limit},
                       {"unpaired", lost.unpaired},
                       {"threadExit", lost.thread_exit},
                       {"stopped", lost.stopped},
                       {"textUnknown", lost.text_unknown}});
}

Json lost_by_kind(const store::LostByKind& lost) {
  return Json::object({{"requests", lost.requests},
                       {"statements", lost.statements},
                       {"spans", lost.spans},
                       {"errors", lost.errors},
                       {"messages", lost.messages},
                       {"panels", lost.panels},
                       {"headers", lost.headers}});
}

std::uint64_t issue_counts(const store::Snapshot& snapshot) {
  std::uint64_t sum = snapshot.guard.retired;
  for (const store::Issue& issue : snapshot.issues) sum += issue.count;
  return sum;
}

Json guard(const AgentFacts& facts) {
  const store::GuardFigures& guard = facts.snapshot.guard;
  const Config& config = facts.settings.config;
  return Json::object({{"seen", guard.seen},
                       {"counted", guard.counted},
                       {"dropped", guard.dropped},
                       {"opened", guard.opened},
                       {"overflowed", guard.overflowed},
                       {"retired", guard.retired},
                       {"issueCounts", issue_counts(facts.snapshot)},
                       {"identityHolds", identity_holds(facts.snapshot)},
                       {"maxInOneSecond", guard.max_in_one_second},
                       {"eventsPerSecondLimit", config.guard.events_per_second},
                       {"issuesPerMinuteLimit", config.guard.new_issues_per_minute},
                       {"issuesLimit", config.issues.max}});
}

Json self(const store::AgentFigures& figures) {
  const auto thread = [](const char* name, std::uint64_t cpu_ns) {
    return Json::object({{"name", name}, {"cpuNs", cpu_ns}});
  };
  return Json::object({{"cpuNs", figures.worker_cpu_ns + figures.console_cpu_ns},
                       {"processCpuNs", figures.process_cpu_ns},
                       {"memoryBytes", figures.agent_bytes},
                       {"processBytes", figures.process_rss_bytes},
                       {"threads", Json::array({thread("worker", figures.worker_cpu_ns),
                                                thread("console", figures.console_cpu_ns)})}});
}

Json worker(const store::AgentFigures& figures) {
  const std::uint64_t records = figures.records_drained;
  return Json::object(
      {{"drains", figures.drains},
       {"records", records},
       {"damaged", figures.records_damaged},
       {"tasksGivenUp", figures.tasks_given_up},
       {"perRecordNs", records == 0 ? Json(nullptr) : Json(figures.worker_cpu_ns / records)}});
}

Json store_row(const char* name, std::uint64_t used, std::uint64_t cap, std::uint64_t overflowed) {
  return Json::object({{"name", name}, {"used", used}, {"cap", cap}, {"overflowed", overflowed}});
}

// A table's `other` row is no row of its own.
template <typename Row>
Json table_row(const char* name, const std::vector<Row>& rows, std::uint64_t cap, std::uint64_t distinct) {
  std::uint64_t used = 0;
  for (const Row& row : rows) used += row.other ? 0 : 1;
  return store_row(name, used, cap, distinct > used ? distinct - used : 0);
}

Json stores(const AgentFacts& facts) {
  const store::Snapshot& snapshot = facts.snapshot;
  const Config& config = facts.settings.config;
  const std::uint64_t held = snapshot.requests.size();
  const std::uint64_t recycled = snapshot.requests_seen > held ? snapshot.requests_seen - held : 0;
  Json rows = Json::array();
  rows.push_back(store_row("history", held, history_cap(config), recycled));
  rows.push_back(
      table_row("statements", snapshot.statements, config.limits.statements, snapshot.statements_distinct));
  rows.push_back(table_row("routes", snapshot.routes, config.limits.routes, snapshot.routes_distinct));
  rows.push_back(store_row("issues", snapshot.issues.size(), config.issues.max, snapshot.guard.overflowed));
  rows.push_back(store_row("minutes", snapshot.minutes.size(), kMinutes, 0));
  return rows;
}

Json bar(const AgentFacts& facts) {
  Json skipped = Json::array();
  for (const auto& [reason, count] : facts.figures.pages_skipped)
    skipped.push_back(Json::object({{"reason", reason}, {"count", count}}));
  return Json::object({{"enabled", facts.settings.config.bar.enabled},
                       {"decorated", facts.figures.bars_inserted},
                       {"skipped", std::move(skipped)}});
}

Json config(const LoadResult& settings) {
  Json problems = Json::array();
  for (const Problem& problem : settings.problems)
    problems.push_back(Json::object(
        {{"source", name_of(problem.origin)}, {"key", problem.key}, {"message", problem.text()}}));
  return Json::object({{"file", text_or_null(settings.file)}, {"problems", std::move(problems)}});
}

}  // namespace

bool identity_holds(const store::Snapshot& snapshot) {
  const store::GuardFigures& guard = snapshot.guard;
  return guard.seen == guard.counted + guard.dropped && guard.counted == issue_counts(snapshot);
}

Json agent(const AgentFacts& facts) {
  const store::AgentFigures& figures = facts.figures;
  return Json::object(
      {{"version", facts.version},
       {"level", name_of(figures.level)},
       {"startedAtMs", whole(figures.started_unix_ms)},
       {"nowMs", whole(facts.now_unix_ms)},
       {"queue", Json::object({{"capacity", figures.queue_capacity}, {"depth", figures.queue_depth}})},
       {"pool",
        Json::object({{"blocks", figures.pool_blocks},
                      {"used", figures.pool_used},
                      {"bytes", figures.pool_bytes},
                      {"capBytes", facts.settings.config.limits.pool_megabytes * kBytesPerMegabyte}})},
       {"lost", lost(figures.lost)},
       {"lostByKind", lost_by_kind(figures.lost_by_kind)},
       {"guard", guard(facts)},
       {"self", self(figures)},
       {"worker", worker(figures)},
       {"hooks", Json::object({{"caught", figures.guarded_exceptions},
                               {"threads", figures.hook_threads},
                               {"clock", figures.clock}})},
       {"stores", stores(facts)},
       {"bar", bar(facts)},
       {"console", Json::object({{"address", figures.console_address}})},
       {"config", config(facts.settings)},
       {"checks", checks(facts)}});
}

}  // namespace inlens::console::api
