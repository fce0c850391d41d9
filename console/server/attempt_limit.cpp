#include "console/server/attempt_limit.hpp"

#include <algorithm>

namespace inlens::console {

bool AttemptLimit::locked_out(std::string_view address, std::int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  forget_old(now_ms);
  const Entry* entry = find(address);
  return entry && entry->failures_ms.size() >= limit_;
}

void AttemptLimit::count_failure(std::string_view address, std::int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  forget_old(now_ms);
  Entry* entry = find(address);
  if (!entry) {
    if (entries_.size() >= kAddresses)
      entries_.erase(std::min_element(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
        return a.failures_ms.back() < b.failures_ms.back();
      }));
    entry = &entries_.emplace_back(Entry{std::string(address), {}});
  }
  entry->failures_ms.push_back(now_ms);
  if (entry->failures_ms.size() > limit_) entry->failures_ms.pop_front();
}

void AttemptLimit::forget_old(std::int64_t now_ms) {
  for (Entry& entry : entries_)
    while (!entry.failures_ms.empty() && entry.failures_ms.front() + kWindowMs <= now_ms)
      entry.failures_ms.pop_front();
  std::erase_if(entries_, [](const Entry& entry) { return entry.failures_ms.empty(); });
}

AttemptLimit::Entry* AttemptLimit::find(std::string_view address) {
  const auto entry =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.address == address; });
  return entry == entries_.end() ? nullptr : &*entry;
}

}  // namespace inlens::console
