#include "console/api/why_slow.hpp"

#include <algorithm>
#include <map>

#include "console/api/self_time.hpp"
#include "console/api/wording.hpp"

namespace inlens::console::api {
namespace {

using store::SpanKind;

constexpr std::size_t kMostParts = 3;
constexpr std::size_t kNameBytes = 60;
constexpr std::size_t kVerbBytes = 12;

// Spans that count as one: the same statement, calls to one host, waits for one name…
struct Group {
  bool statement = false;
  std::string words;  // how one of them is called
  std::string same;   // how many of them are called, when that is another phrase
  std::uint64_t count = 0;
  Stretches stretches;
};

struct Part {
  std::string words;
  std::int64_t ns = 0;
};

std::string in_quotes(std::string_view name) {
  return "`" + excerpt(name, kNameBytes) + "`";
}

// "SELECT" for most statements.
std::string verb_of(std::string_view text) {
  const auto begin = std::min(text.find_first_not_of(" \t\r\n("), text.size());
  std::string verb;
  for (const char c : text.substr(begin)) {
    const char upper = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    if (upper < 'A' || upper > 'Z') break;
    verb += upper;
  }
  return verb.empty() || verb.size() > kVerbBytes ? "statement" : verb;
}

std::string host_of(std::string_view url) {
  if (const auto scheme = url.find("://"); scheme != std::string_view::npos) url.remove_prefix(scheme + 3);
  return excerpt(url.substr(0, url.find_first_of("/?#")), kNameBytes);
}

Group statement_group(const store::StatementDetail& statement) {
  const std::string text = statement.text ? *statement.text : std::string();
  const std::string shown = text.empty() ? "" : " (" + in_quotes(text) + ")";
  return {true, "in 1 statement" + shown, " × the same " + verb_of(text) + shown, 0, {}};
}

Group group_of(const store::Span& span) {
  const std::string name = in_quotes(span.name);
  switch (span.kind) {
    case SpanKind::kStatement:
      if (span.statement) return statement_group(*span.statement);
      return {true, "in 1 statement", " × a statement", 0, {}};
    case SpanKind::kCall: {
      const std::string host = span.call ? host_of(span.call->url) : "";
      const std::string to = host.empty() ? "" : " to " + host;
      return {false, "in 1 outgoing call" + to, " outgoing calls" + to, 0, {}};
    }
    case SpanKind::kWait:
      return {false, "waiting for " + name, "", 0, {}};
    case SpanKind::kCache:
      return {false, "in cache " + name, " operations of cache " + name, 0, {}};
    case SpanKind::kStage:
      return {false, "in stage " + name + " itself", "", 0, {}};
    case SpanKind::kTimer:
      return {false, "in timer " + name, "", 0, {}};
    case SpanKind::kConnect:
      return {false, "opening connection " + name, " connections " + name + " opened", 0, {}};
    case SpanKind::kScope:
      break;
  }
  return {false, "in " + name, "", 0, {}};
}

std::string key_of(const store::Span& span) {
  if (span.statement) return "statement " + std::to_string(span.statement->fingerprint);
  if (span.call) return "call " + host_of(span.call->url);
  return std::to_string(static_cast<int>(span.kind)) + " " + span.name;
}

void add(Group& group, const Stretches& stretches) {
  ++group.count;
  group.stretches.insert(group.stretches.end(), stretches.begin(), stretches.end());
}

std::vector<Group> groups_of(const store::RequestDetail& request) {
  const SelfTimes self = self_times(request);
  std::map<std::string, Group> groups;
  for (std::size_t i = 0; i < request.spans.size(); ++i) {
    const store::Span& span = request.spans[i];
    const auto [entry, fresh] = groups.try_emplace(key_of(span));
    if (fresh) entry->second = group_of(span);
    add(entry->second, self.of_span[i]);
  }
  for (std::size_t i = 0; i < request.tasks.size(); ++i) {
    const std::string words = "in task " + in_quotes(request.tasks[i].name);
    const auto [entry, fresh] = groups.try_emplace("task " + words);
    if (fresh) entry->second = {false, words, "", 0, {}};
    add(entry->second, self.of_task[i]);
  }
  std::vector<Group> out;
  for (auto& [key, group] : groups) out.push_back(std::move(group));
  return out;
}

Part part_of(const Group& group) {
  const std::int64_t ns = length_ns(united(group.stretches));
  if (group.count == 1 || group.same.empty()) return {group.words, ns};
  return {"in " + grouped(group.count) + group.same, ns};
}

// Statements that are small one by one may be much together.
Part together(const std::vector<const Group*>& small) {
  if (small.size() == 1) return part_of(*small.front());
  std::uint64_t count = 0;
  Stretches stretches;
  for (const Group* group : small) {
    count += group->count;
    stretches.insert(stretches.end(), group->stretches.begin(), group->stretches.end());
  }
  return {"in " + grouped(count) + " statements of " + grouped(small.size()) + " kinds",
          length_ns(united(std::move(stretches)))};
}

std::vector<Part> parts_of(const std::vector<Group>& groups, std::int64_t tenth_ns) {
  std::vector<Part> parts;
  std::vector<const Group*> small;
  for (const Group& group : groups) {
    Part part = part_of(group);
    if (group.statement && part.ns < tenth_ns) {
      small.push_back(&group);
    } else {
      parts.push_back(std::move(part));
    }
  }
  if (!small.empty()) parts.push_back(together(small));
  return parts;
}

// Statements beyond a request's cap have no span, but their time is known.
Part cut_statements(const store::RequestDetail& request, std::int64_t free_ns) {
  if (request.counts.statements_cut == 0) return {};
  std::uint64_t detailed_ns = 0;
  for (const store::Span& span : request.spans)
    if (span.kind == SpanKind::kStatement)
      detailed_ns += static_cast<std::uint64_t>(std::max<std::int64_t>(span.duration_ns, 0));
  if (request.counts.statement_ns <= detailed_ns) return {};
  const std::uint64_t ns = request.counts.statement_ns - detailed_ns;
  return {"in " + counted(request.counts.statements_cut, "further statement"),
          static_cast<std::int64_t>(std::min(ns, static_cast<std::uint64_t>(free_ns)))};
}

std::string on_cpu(const store::RequestDetail& request) {
  if (!request.cpu_ns) return "";
  return "; " + duration_words(*request.cpu_ns) + " on the CPU";
}

}  // namespace

std::string why_slow(const store::RequestDetail& request) {
  const auto duration = static_cast<double>(request.duration_ns);
  const std::vector<Group> groups = groups_of(request);
  Stretches all;
  for (const Group& group : groups) all.insert(all.end(), group.stretches.begin(), group.stretches.end());
  const auto tenth_ns = static_cast<std::int64_t>(request.duration_ns / 10);
  auto rest_ns = static_cast<std::int64_t>(request.duration_ns) - length_ns(united(std::move(all)));

  std::vector<Part> parts = parts_of(groups, tenth_ns);
  const Part cut = cut_statements(request, rest_ns);
  rest_ns -= cut.ns;
  if (cut.ns > 0) parts.push_back(cut);
  std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.ns > b.ns; });

  std::string sentence = duration_words(request.duration_ns) + ": ";
  if (parts.empty() || parts.front().ns == 0)
    return sentence + "no statement or call accounts for any of it" + on_cpu(request) + ".";
  for (std::size_t i = 0; i < parts.size() && i < kMostParts; ++i) {
    if (i > 0 && parts[i].ns < tenth_ns) break;
    if (i > 0) sentence += ", ";
    sentence += percent_words(static_cast<double>(parts[i].ns), duration) + " " + parts[i].words;
  }
  if (rest_ns >= tenth_ns)
    sentence +=
        "; no statement or call accounts for " + percent_words(static_cast<double>(rest_ns), duration);
  return sentence + on_cpu(request) + ".";
}

}  // namespace inlens::console::api
