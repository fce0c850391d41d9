#include "console/api/issues.hpp"

#include <algorithm>

#include "console/api/request_detail.hpp"
#include "console/api/rows.hpp"

namespace inlens::console::api {
namespace {

constexpr std::size_t kFingerprintDigits = 16;
constexpr std::size_t kMaxDistinct = 3;

Json sample(const char* role, const store::IssueSample& sample, const store::Snapshot& snapshot) {
  const store::RequestDetail* held = sample.request ? find_request(snapshot, *sample.request) : nullptr;
  return Json::object({{"role", role},
                       {"atMs", whole(sample.at_unix_ms)},
                       {"message", sample.message},
                       {"code", text_or_null(sample.code)},
                       {"handled", sample.handled},
                       {"route", sample.route},
                       {"target", text_or_null(sample.target)},
                       {"thread", held ? held->thread : std::string()},
                       {"requestId", sample.request ? Json(store::to_hex(*sample.request)) : Json(nullptr)},
                       {"requestHeld", held != nullptr},
                       {"frames", frames_list(sample.frames)}});
}

Json samples(const store::Issue& issue, const store::Snapshot& snapshot) {
  Json list = Json::array();
  list.push_back(sample("first", issue.first, snapshot));
  if (issue.count > 1) list.push_back(sample("newest", issue.newest, snapshot));
  for (std::size_t i = 0; i < std::min(issue.distinct.size(), kMaxDistinct); ++i)
    list.push_back(sample("distinct", issue.distinct[i], snapshot));
  return list;
}

Json lines(std::string_view text) {
  Json list = Json::array();
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!line.empty()) list.push_back(line);
  }
  return list;
}

Json swallowed(const store::Issue& issue) {
  Json list = Json::array();
  for (const auto& [type, count] : issue.swallowed_types)
    list.push_back(Json::object({{"type", type}, {"count", count}}));
  return list;
}

}  // namespace

bool is_issue_id(std::string_view text) {
  if (text == "overflow") return true;
  return text.size() == kFingerprintDigits &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

const store::Issue* find_issue(const store::Snapshot& snapshot, std::string_view id) {
  const auto found = std::find_if(snapshot.issues.begin(), snapshot.issues.end(),
                                  [&](const store::Issue& issue) { return issue_id(issue) == id; });
  return found == snapshot.issues.end() ? nullptr : &*found;
}

Json issues(const store::Snapshot& snapshot, std::uint64_t cap) {
  Json items = Json::array();
  for (const store::Issue& issue : snapshot.issues) items.push_back(issue_row(issue));
  const std::size_t total = items.size();
  return Json::object({{"total", total}, {"shown", total}, {"cap", cap}, {"items", std::move(items)}});
}

Json issue_detail(const store::Issue& issue, const store::Snapshot& snapshot,
                  std::optional<std::int64_t> resolved_unix_ms) {
  Json json = issue_row(issue);
  if (resolved_unix_ms) json["state"] = "resolved";
  json["groupedBy"] = lines(issue.why_grouped);
  json["samples"] = samples(issue, snapshot);
  json["swallowed"] = swallowed(issue);
  json["resolvedAtMs"] = resolved_unix_ms ? Json(whole(*resolved_unix_ms)) : Json(nullptr);
  return json;
}

}  // namespace inlens::console::api
