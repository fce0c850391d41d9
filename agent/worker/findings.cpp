#include "agent/worker/findings.hpp"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cinttypes>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace inlens::worker {

namespace {

std::string format(const char* pattern, auto... values) {
  char text[64];
  const int size = std::snprintf(text, sizeof(text), pattern, values...);
  return {text, static_cast<std::size_t>(std::max(size, 0))};
}

}  // namespace

std::string duration_text(std::uint64_t ns) {
  const auto value = static_cast<double>(ns);
  if (ns < 1'000) return format("%" PRIu64 " ns", ns);
  if (ns < 1'000'000) return format("%.0f µs", value / 1e3);
  if (ns < 10'000'000) return format("%.1f ms", value / 1e6);
  if (ns < 1'000'000'000) return format("%.0f ms", value / 1e6);
  const std::uint64_t ms = ns / 1'000'000;
  if (ns < 10'000'000'000) return format("%" PRIu64 ",%03" PRIu64 " ms", ms / 1000, ms % 1000);
  return format("%.1f s", value / 1e9);
}

namespace {

constexpr std::size_t kMostFindings = 10;
constexpr std::size_t kTextBytes = 120;

// Runs of one statement from one place in the request.
struct Group {
  std::uint64_t fingerprint = 0;
  std::string_view text;
  std::string_view caller;
  std::uint64_t rows = 0;
  std::uint64_t runs = 0;
  std::uint64_t total_ns = 0;
  const store::Span* longest = nullptr;
  const store::Span* unusual = nullptr;  // the longest of those that took far longer than usual
  std::uint64_t failures = 0;
  std::string_view last_error;
  const store::Span* before_first = nullptr;  // the statement that ran before its first run
};

std::string share(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "all";
  const double percent = std::min(100.0 * static_cast<double>(part) / static_cast<double>(whole), 100.0);
  return percent < 1 ? "<1 %" : format("%.0f %%", percent);
}

std::string excerpt(std::string_view text) {
  if (text.empty()) return "a statement whose text is not known";
  if (text.size() <= kTextBytes) return std::string(text);
  std::size_t end = kTextBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + "…";
}

// "40 ms, 80 % of the request, from show (orders.cpp:88), 13 × its p95 of 3.0 ms over 400 earlier runs".
std::string time_told(std::uint64_t ns, const store::RequestDetail& detail, std::string_view caller,
                      const store::UsualTime& usual, const char* owner, const char* runs) {
  std::string told = duration_text(ns) + ", " + share(ns, detail.duration_ns) + " of the request";
  if (!caller.empty()) told += ", from " + std::string(caller);
  if (usual.runs == 0) return told;
  return told + ", " + std::to_string(ns / std::max<std::uint64_t>(usual.p95_ns, 1)) + " × " + owner +
         " p95 of " + duration_text(usual.p95_ns) + " over " + std::to_string(usual.runs) + " earlier " +
         runs;
}

std::string query_link(const Group& group) {
  return group.fingerprint == 0 ? std::string() : "queries/" + format("%016" PRIx64, group.fingerprint);
}

std::uint64_t ns_of(const store::Span* span) {
  return span != nullptr ? static_cast<std::uint64_t>(std::max<std::int64_t>(span->duration_ns, 0)) : 0;
}

std::vector<Group> groups_of(const store::RequestDetail& detail) {
  std::vector<Group> groups;
  boost::unordered_flat_map<std::uint64_t, std::size_t, store::KeyHash> index;
  const store::Span* before = nullptr;
  for (const store::Span& span : detail.spans) {
    if (!span.statement) continue;
    const store::StatementDetail& statement = *span.statement;
    const std::uint64_t key = statement.fingerprint ^ std::hash<std::string>{}(statement.caller);
    const auto [at, fresh] = index.try_emplace(key, groups.size());
    if (fresh) {
      Group& added = groups.emplace_back();
      added.fingerprint = statement.fingerprint;
      if (statement.text) added.text = *statement.text;
      added.caller = statement.caller;
      added.before_first = before;
    }
    if (statement.text && is_repeatable(*statement.text)) before = &span;
    Group& group = groups[at->second];
    group.rows += static_cast<std::uint64_t>(std::max<std::int64_t>(statement.rows, 0));
    ++group.runs;
    group.total_ns += ns_of(&span);
    if (group.longest == nullptr || ns_of(&span) > ns_of(group.longest)) group.longest = &span;
    if (statement.usual.runs != 0 && ns_of(&span) > ns_of(group.unusual)) group.unusual = &span;
    if (!statement.failed) continue;
    ++group.failures;
    group.last_error = statement.error_code.empty() ? statement.error_message : statement.error_code;
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Group& a, const Group& b) { return a.total_ns > b.total_ns; });
  return groups;
}

bool is_repetition(const Group& group, const Thresholds& thresholds) {
  if (group.runs < thresholds.repeated_statement || group.fingerprint == 0) return false;
  return is_repeatable(group.text);
}

// The statement whose rows the repetition goes through, one run each: the last one before it, if it gave
// about as many rows as there were runs.
const store::Span* source_of(const Group& group) {
  if (group.before_first == nullptr) return nullptr;
  const std::int64_t rows = group.before_first->statement->rows;
  const auto runs = static_cast<std::int64_t>(group.runs);
  return rows >= 2 && rows <= runs * 2 && runs <= rows * 2 ? group.before_first : nullptr;
}

void add_repetition(const Group& group, store::RequestDetail& detail) {
  std::string sentence = std::to_string(group.runs) + " × the same statement";
  if (!group.caller.empty()) sentence += " from " + std::string(group.caller);
  sentence += ", " + duration_text(group.total_ns) + " or " + share(group.total_ns, detail.duration_ns) +
              " of the request";
  if (group.rows > 0) sentence += ", " + std::to_string(group.rows) + (group.rows == 1 ? " row" : " rows");
  sentence += ": " + excerpt(group.text);
  const store::Span* source = source_of(group);
  if (source != nullptr) {
    sentence += "; once for each of " + std::to_string(source->statement->rows) + " rows of " +
                excerpt(source->statement->text ? *source->statement->text : std::string());
  }
  detail.findings.push_back(
      {source != nullptr ? "nPlusOne" : "repeatedStatement", std::move(sentence), query_link(group)});
}

void add_call_findings(const Thresholds& thresholds, store::RequestDetail& detail) {
  for (const store::Span& span : detail.spans) {
    if (!span.call) continue;
    const store::CallDetail& call = *span.call;
    const std::uint64_t ns = ns_of(&span);
    const std::string to = call.method + ' ' + excerpt(call.url);
    if (call.failed) {
      const std::string reason = call.error_message.empty() ? "" : " (" + call.error_message + ")";
      detail.findings.push_back(
          {"failedCall", "A call failed after " + duration_text(ns) + reason + ": " + to, "calls"});
    } else if (ns >= thresholds.slow_call_ns || call.usual.runs != 0) {
      detail.findings.push_back({ns >= thresholds.slow_call_ns ? "slowCall" : "slowHost",
                                 "A call took " +
                                     time_told(ns, detail, call.caller, call.usual, "its server's", "calls") +
                                     ": " + to,
                                 "calls"});
    }
  }
}

// By the limit, or else by what is usual for the statement.
void add_slow_statement(const Group& group, const Thresholds& thresholds, store::RequestDetail& detail) {
  const bool over_limit = ns_of(group.longest) >= thresholds.slow_statement_ns;
  const store::Span* told = over_limit ? group.longest : group.unusual;
  if (told == nullptr) return;
  detail.findings.push_back(
      {"slowStatement",
       "A statement took " +
           time_told(ns_of(told), detail, group.caller, told->statement->usual, "its", "runs") + ": " +
           excerpt(group.text),
       query_link(group)});
}

void add_statement_findings(const Group& group, const Thresholds& thresholds, store::RequestDetail& detail) {
  if (is_repetition(group, thresholds)) add_repetition(group, detail);
  add_slow_statement(group, thresholds, detail);
  if (group.failures > 0) {
    const std::string reason = group.last_error.empty() ? "" : " (" + std::string(group.last_error) + ")";
    detail.findings.push_back({"failedStatement",
                               std::to_string(group.failures) + " of " + std::to_string(group.runs) +
                                   (group.runs == 1 ? " run failed" : " runs failed") + reason + ": " +
                                   excerpt(group.text),
                               query_link(group)});
  }
}

}  // namespace

void add_findings(const Thresholds& thresholds, store::RequestDetail& detail) {
  if (detail.duration_ns >= thresholds.slow_request_ns) {
    detail.findings.push_back({"slowRequest",
                               "The request took " + duration_text(detail.duration_ns) + "; slow is from " +
                                   duration_text(thresholds.slow_request_ns) + " on",
                               "requests/" + to_hex(detail.id)});
  }
  for (const Group& group : groups_of(detail)) add_statement_findings(group, thresholds, detail);
  add_call_findings(thresholds, detail);
  if (detail.findings.size() > kMostFindings) detail.findings.resize(kMostFindings);
}

}  // namespace inlens::worker
