#include "agent/store/issues.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

namespace inlens::store {

namespace {

constexpr std::string_view kOverflowTitle = "Errors that found no place in the list";
constexpr std::string_view kOtherRoutes = "other";

std::uint64_t context_of(const IssueEvent& event) {
  return XXH3_64bits_withSeed(event.message.data(), event.message.size(),
                              XXH3_64bits(event.route.data(), event.route.size()));
}

void take_sample(IssueSample& sample, const IssueEvent& event) {
  sample.at_unix_ms = event.unix_ms;
  sample.message = event.message;
  sample.code = event.code;
  sample.route = event.route;
  sample.target = event.target;
  sample.request = event.request;
  sample.frames.assign(event.frames.begin(), event.frames.end());
  sample.handled = event.handled;
}

}  // namespace

Issues::Entry& Issues::place(std::uint32_t slot) {
  if (slot >= slots_.size()) slots_.resize(std::size_t{slot} + 1);
  slots_[slot] = std::make_unique<Entry>();
  slots_[slot]->issue.id = ++last_id_;
  return *slots_[slot];
}

std::uint32_t Issues::open(std::uint32_t slot, const IssueTitle& title, const IssueEvent& event) {
  Entry& entry = place(slot);
  Issue& issue = entry.issue;
  issue.type = event.type;
  issue.title = title.title;
  issue.why_grouped = title.why_grouped;
  issue.fingerprint = title.fingerprint;
  issue.first_unix_ms = event.unix_ms;
  take_sample(issue.first, event);
  entry.contexts.push_back(context_of(event));
  add(entry, event);
  return issue.id;
}

std::uint32_t Issues::count(std::uint32_t slot, const IssueEvent& event) {
  if (!listed(slot)) return 0;
  Entry& entry = *slots_[slot];
  add_distinct(entry, event);
  add(entry, event);
  return entry.issue.id;
}

std::uint32_t Issues::overflow(std::uint32_t slot, std::string_view why_grouped, const IssueEvent& event) {
  if (listed(slot)) return count(slot, event);
  const std::uint32_t id = open(slot, {0, kOverflowTitle, why_grouped}, event);
  slots_[slot]->issue.overflow = true;
  slots_[slot]->issue.type.clear();
  return id;
}

void Issues::add(Entry& entry, const IssueEvent& event) {
  take_sample(entry.issue.newest, event);
  entry.issue.last_unix_ms = event.unix_ms;
  if (!event.route.empty()) add_route(entry, event.route);
}

void Issues::add_route(Entry& entry, std::string_view route) {
  auto& routes = entry.issue.routes;
  const auto known =
      std::find_if(routes.begin(), routes.end(), [&](const auto& row) { return row.first == route; });
  if (known != routes.end()) {
    ++known->second;
  } else if (routes.size() < kRoutes) {
    routes.emplace_back(route, 1);
  } else {
    ++entry.other_routes;
  }
}

void Issues::add_distinct(Entry& entry, const IssueEvent& event) {
  if (entry.issue.distinct.size() >= kDistinct) return;
  const std::uint64_t context = context_of(event);
  if (std::find(entry.contexts.begin(), entry.contexts.end(), context) != entry.contexts.end()) return;
  take_sample(entry.issue.distinct.emplace_back(), event);
  entry.contexts.push_back(context);
}

void Issues::retire(std::uint32_t slot) {
  if (slot < slots_.size()) slots_[slot].reset();
}

std::optional<std::uint32_t> Issues::slot_of(std::uint32_t id) const {
  for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
    if (slots_[slot] != nullptr && slots_[slot]->issue.id == id) return slot;
  }
  return std::nullopt;
}

std::vector<Issue> Issues::list(const guard::FloodGuard& guard) const {
  std::vector<Issue> list;
  for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
    if (slots_[slot] == nullptr) continue;
    const Entry& entry = *slots_[slot];
    Issue& issue = list.emplace_back(entry.issue);
    issue.count = guard.issue_count(slot);
    std::stable_sort(issue.routes.begin(), issue.routes.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    if (entry.other_routes != 0) issue.routes.emplace_back(kOtherRoutes, entry.other_routes);
    if (!issue.overflow) continue;
    for (const guard::TypeCount& type : guard.swallowed_types())
      issue.swallowed_types.emplace_back(type.type, type.count);
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const Issue& a, const Issue& b) { return a.last_unix_ms > b.last_unix_ms; });
  return list;
}

}  // namespace inlens::store
