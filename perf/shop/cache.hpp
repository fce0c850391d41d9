// A small least-recently-used cache of rendered fragments, shared by all workers.
// Each operation is reported to Inlens as a cache span that says hit or miss.
// Threads: any; one lock. Limits: `capacity` entries.
#pragma once

#include <cstddef>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace shop {

class Cache {
 public:
  explicit Cache(std::size_t capacity) : capacity_(capacity) {}

  std::optional<std::string> get(const std::string& key);
  void put(const std::string& key, std::string value);
  void erase(const std::string& key);
  std::size_t size() const;

 private:
  using Entries = std::list<std::pair<std::string, std::string>>;  // newest first

  std::optional<std::string> find(const std::string& key);

  std::size_t capacity_;
  mutable std::mutex mutex_;
  Entries entries_;
  std::unordered_map<std::string, Entries::iterator> index_;
};

}  // namespace shop
