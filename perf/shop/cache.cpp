#include "perf/shop/cache.hpp"

#include <chrono>
#include <inlens/inlens.hpp>

namespace shop {

std::optional<std::string> Cache::get(const std::string& key) {
  const auto begin = std::chrono::steady_clock::now();
  auto value = find(key);
  // Whether it was a hit is known only afterwards, so the span is added when it is over.
  const std::string name = (value ? "cache hit " : "cache miss ") + key;
  inlens::add_span(name, inlens::SpanKind::kCache, std::chrono::steady_clock::now() - begin);
  return value;
}

void Cache::put(const std::string& key, std::string value) {
  const inlens::Span span("cache put " + key, inlens::SpanKind::kCache);
  const std::lock_guard lock(mutex_);
  if (const auto found = index_.find(key); found != index_.end()) {
    found->second->second = std::move(value);
    entries_.splice(entries_.begin(), entries_, found->second);
    return;
  }
  if (entries_.size() >= capacity_) {
    index_.erase(entries_.back().first);
    entries_.pop_back();
  }
  entries_.emplace_front(key, std::move(value));
  index_.emplace(key, entries_.begin());
}

void Cache::erase(const std::string& key) {
  const inlens::Span span("cache erase " + key, inlens::SpanKind::kCache);
  const std::lock_guard lock(mutex_);
  const auto found = index_.find(key);
  if (found == index_.end()) return;
  entries_.erase(found->second);
  index_.erase(found);
}

std::size_t Cache::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

std::optional<std::string> Cache::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = index_.find(key);
  if (found == index_.end()) return std::nullopt;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->second;
}

}  // namespace shop
