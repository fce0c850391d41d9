#include "flood_guard/flood_guard.hpp"

#include <algorithm>
#include <bit>

namespace inlens::guard {

FloodGuard::FloodGuard(Limits limits) {
  set_limits(limits);
}

Decision FloodGuard::decide(uint64_t fingerprint, std::string_view type, uint64_t now_ns) noexcept {
  const uint64_t time_ns = clock_.advance(now_ns);
  ++figures_.seen;
  if (counted_.at(time_ns) >= limits_.events_per_second) {
    ++figures_.dropped;
    return {Verdict::kDropped, kNoIssue};
  }
  counted_.add(time_ns);
  ++figures_.counted;

  Verdict verdict = Verdict::kCounted;
  uint32_t slot = find(fingerprint);
  if (slot == kNoIssue && may_open(time_ns)) {
    verdict = Verdict::kOpened;
    slot = open(fingerprint, time_ns);
  } else if (slot == kNoIssue) {
    verdict = Verdict::kOverflowed;
    slot = kOverflowSlot;
    if (!issues_[slot].listed) list(slot, 0);
    ++figures_.overflowed;
    swallowed_.add(type);
  }
  ++issues_[slot].count;
  issues_[slot].last_seen_ns = time_ns;
  return {verdict, slot};
}

bool FloodGuard::closed(uint64_t now_ns) const noexcept {
  return counted_.at(clock_.peek(now_ns)) >= limits_.events_per_second;
}

void FloodGuard::resolve(uint32_t issue) noexcept {
  if (issue >= issues_.size() || !issues_[issue].listed) return;
  retire(issue);
  rebuild_index();
}

std::vector<uint32_t> FloodGuard::expire(uint64_t now_ns) {
  const uint64_t time_ns = clock_.advance(now_ns);
  std::vector<uint32_t> retired;
  for (uint32_t slot = 0; slot < issues_.size(); ++slot) {
    const Issue& issue = issues_[slot];
    if (issue.listed && time_ns - issue.last_seen_ns >= limits_.retention_ns) retired.push_back(slot);
  }
  for (const uint32_t slot : retired) retire(slot);
  if (!retired.empty()) rebuild_index();
  return retired;
}

void FloodGuard::set_limits(Limits limits) {
  limits.issues_total = std::max(limits.issues_total, 1U);
  if (limits.issues_total > issues_.size()) {
    // Both allocations come first: when one throws, everything is as it was.
    issues_.reserve(limits.issues_total);
    std::vector<uint32_t> larger(std::bit_ceil(std::size_t{limits.issues_total} * 2));
    issues_.resize(limits.issues_total);
    index_.swap(larger);
    rebuild_index();
  }
  limits_ = limits;
}

uint64_t FloodGuard::issue_count(uint32_t issue) const noexcept {
  return issue < issues_.size() ? issues_[issue].count : 0;
}

std::optional<uint32_t> FloodGuard::overflow_issue() const noexcept {
  if (issues_[kOverflowSlot].listed) return kOverflowSlot;
  return std::nullopt;
}

std::size_t FloodGuard::home(uint64_t fingerprint) const noexcept {
  return (fingerprint * 0x9E3779B97F4A7C15ULL) >> (64 - std::bit_width(index_.size() - 1));
}

uint32_t FloodGuard::find(uint64_t fingerprint) const noexcept {
  const std::size_t mask = index_.size() - 1;
  for (std::size_t at = home(fingerprint);; at = (at + 1) & mask) {
    const uint32_t slot = index_[at];
    if (slot == kNoIssue || issues_[slot].fingerprint == fingerprint) return slot;
  }
}

bool FloodGuard::may_open(uint64_t time_ns) const noexcept {
  const uint32_t ordinary = figures_.listed - (issues_[kOverflowSlot].listed ? 1 : 0);
  return ordinary + 1 < limits_.issues_total && opened_.at(time_ns) < limits_.new_issues_per_minute;
}

// may_open() was true, so an ordinary slot is free.
uint32_t FloodGuard::open(uint64_t fingerprint, uint64_t time_ns) noexcept {
  uint32_t slot = kOverflowSlot + 1;
  while (issues_[slot].listed) ++slot;
  list(slot, fingerprint);
  index(slot);
  opened_.add(time_ns);
  ++figures_.opened;
  return slot;
}

void FloodGuard::list(uint32_t slot, uint64_t fingerprint) noexcept {
  issues_[slot] = {fingerprint, 0, 0, true};
  ++figures_.listed;
}

void FloodGuard::retire(uint32_t slot) noexcept {
  figures_.retired += issues_[slot].count;
  --figures_.listed;
  issues_[slot] = {};
  if (slot == kOverflowSlot) swallowed_.clear();
}

void FloodGuard::index(uint32_t slot) noexcept {
  const std::size_t mask = index_.size() - 1;
  std::size_t at = home(issues_[slot].fingerprint);
  while (index_[at] != kNoIssue) at = (at + 1) & mask;
  index_[at] = slot;
}

void FloodGuard::rebuild_index() noexcept {
  std::fill(index_.begin(), index_.end(), kNoIssue);
  for (uint32_t slot = kOverflowSlot + 1; slot < issues_.size(); ++slot) {
    if (issues_[slot].listed) index(slot);
  }
}

}  // namespace inlens::guard
