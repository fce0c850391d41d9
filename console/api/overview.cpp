#include "console/api/overview.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>

#include "console/api/rankings.hpp"
#include "console/api/rows.hpp"
#include "console/api/series.hpp"
#include "console/api/wording.hpp"

namespace inlens::console::api {
namespace {

constexpr std::size_t kSlowestRoutes = 10;
constexpr std::size_t kTopStatements = 5;
constexpr std::size_t kNewestIssues = 5;
constexpr std::size_t kMaxFindings = 50;

// The machine's offset from UTC at that time, "+02:00".
std::string time_zone(std::int64_t unix_ms) {
  const auto seconds = static_cast<std::time_t>(unix_ms / 1000);
  std::tm local{};
  if (!localtime_r(&seconds, &local)) return "+00:00";
  std::array<char, 8> digits{};  // "+hhmm"
  if (std::strftime(digits.data(), digits.size(), "%z", &local) != 5) return "+00:00";
  return std::string(digits.data(), 3) + ":" + std::string(digits.data() + 3, 2);
}

Json server(const OverviewFacts& facts) {
  const std::string& name = facts.server.name;
  return Json::object({{"name", name.empty() ? std::string(program_invocation_short_name) : name},
                       {"pid", static_cast<std::int64_t>(getpid())},
                       {"release", facts.server.release},
                       {"startedAtMs", whole(facts.figures.started_unix_ms)},
                       {"level", name_of(facts.figures.level)},
                       {"timeZone", time_zone(facts.now_unix_ms)}});
}

Json requests(const OverviewFacts& facts) {
  const store::Totals& totals = facts.totals;
  const double rate =
      requests_per_second(facts.snapshot.minutes, facts.now_unix_ms, facts.figures.started_unix_ms);
  return Json::object({{"total", totals.requests},
                       {"perSecond", rate},
                       {"inflight", facts.in_flight},
                       {"statusClasses", status_classes(totals.status_classes)},
                       {"errors", totals.errors},
                       {"bytesIn", totals.bytes_in},
                       {"bytesOut", totals.bytes_out}});
}

Json issues(const store::Snapshot& snapshot) {
  Json newest = Json::array();
  for (const store::Issue& issue : snapshot.issues)
    if (newest.size() < kNewestIssues) newest.push_back(issue_row(issue));
  return Json::object({{"total", snapshot.issues.size()},
                       {"open", snapshot.issues.size()},
                       {"events", snapshot.guard.counted},
                       {"newest", std::move(newest)}});
}

Json statements(const OverviewFacts& facts, const Examples& examples) {
  const store::Totals& totals = facts.totals;
  return Json::object(
      {{"distinct", facts.snapshot.statements_distinct},
       {"runs", totals.statements},
       {"failures", totals.statements_failed},
       {"totalNs", totals.statement_ns},
       {"top", statement_rows(costliest_statements(facts.snapshot, kTopStatements), examples)}});
}

std::string recorded_words(Level level) {
  const std::string base = "requests, statements, errors, outgoing calls, messages and timers";
  switch (level) {
    case Level::kOff:
      return "Nothing is recorded: the level is off.";
    case Level::kLight:
      return "Recorded at level light: " + base + ".";
    case Level::kStandard:
      return "Recorded at level standard: " + base + ", and headers.";
    case Level::kFull:
      break;
  }
  return "Recorded at level full: " + base + ", headers and the CPU time of every request.";
}

std::string cost_words(const store::AgentFigures& figures) {
  const std::uint64_t own_ns = figures.worker_cpu_ns + figures.console_cpu_ns;
  return "Inlens's own threads took " + duration_words(own_ns) + " of CPU time, " +
         percent_words(static_cast<double>(own_ns), static_cast<double>(figures.process_cpu_ns)) +
         " of the process's, and it holds " + bytes_words(figures.agent_bytes) + ".";
}

Json captions(const store::AgentFigures& figures) {
  return Json::object({{"recorded", recorded_words(figures.level)},
                       {"masked",
                        "Masked before they are stored: values in statements, and headers, query values and "
                        "form fields that look like secrets; bodies are never stored."},
                       {"cost", cost_words(figures)}});
}

}  // namespace

Json overview(const OverviewFacts& facts) {
  const Examples examples(facts.snapshot);
  return Json::object(
      {{"nowMs", whole(facts.now_unix_ms)},
       {"server", server(facts)},
       {"requests", requests(facts)},
       {"latency", latency_figures(facts.totals.latency)},
       {"minutes", minute_series(facts.snapshot.minutes, facts.now_unix_ms)},
       {"slowestRoutes", route_rows(slowest_routes(facts.snapshot, kSlowestRoutes), examples)},
       {"findings", findings_list(facts.snapshot.findings, kMaxFindings)},
       {"issues", issues(facts.snapshot)},
       {"statements", statements(facts, examples)},
       {"captions", captions(facts.figures)}});
}

}  // namespace inlens::console::api
