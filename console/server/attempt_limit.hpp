// Counts failed sign-ins per address in a sliding minute, so that secrets cannot be guessed at speed. Called
// by the gate on console and mounted threads; the time is passed in. Owns a bounded table, under one mutex.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace inlens::console {

class AttemptLimit {
 public:
  static constexpr std::int64_t kWindowMs = 60 * 1000;
  static constexpr std::size_t kAddresses = 256;  // beyond, the address that failed longest ago is forgotten

  explicit AttemptLimit(std::size_t failures_per_minute) : limit_(failures_per_minute) {}

  bool locked_out(std::string_view address, std::int64_t now_ms);
  void count_failure(std::string_view address, std::int64_t now_ms);

 private:
  struct Entry {
    std::string address;
    std::deque<std::int64_t> failures_ms;  // oldest first, at most limit_
  };

  void forget_old(std::int64_t now_ms);
  Entry* find(std::string_view address);

  const std::size_t limit_;
  std::mutex mutex_;
  std::vector<Entry> entries_;
};

}  // namespace inlens::console
