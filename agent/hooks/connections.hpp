// Connections that the host opened to other servers and databases, counted per kind and target in a table of
// fixed size. Rows are claimed by host threads and never given back. Whether a connection is in use is
// counted per thread (ThreadState::in_use), as it changes with every statement. Threads: any. Blocks: never;
// two threads that meet a target first at the same moment may take a row each.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace inlens::hooks {

inline constexpr std::uint32_t kConnectionTargets = 64;
inline constexpr std::uint32_t kOtherTarget = kConnectionTargets;  // the row of what found no place

struct ConnectionRow {
  enum class Use : std::uint32_t { kFree, kClaimed, kReady };

  std::atomic<Use> use{Use::kFree};
  char kind[16] = {};
  char target[108] = {};
  std::atomic<bool> tells_use{false};  // somebody told when one is in use
  std::atomic<std::uint64_t> opened{0};
  std::atomic<std::uint64_t> closed{0};
  std::atomic<std::uint64_t> failed{0};
  std::atomic<std::uint64_t> connect_ns{0};
  std::atomic<std::uint64_t> opened_last_minute{0};  // by the worker, once a second
};

class Connections {
 public:
  // The row of a kind and target, both cut to what a row holds; kOtherTarget when the table is full.
  std::uint32_t find(std::string_view kind, std::string_view target) noexcept;

  ConnectionRow& operator[](std::uint32_t row) { return rows_[row <= kOtherTarget ? row : kOtherTarget]; }
  const ConnectionRow& operator[](std::uint32_t row) const {
    return rows_[row <= kOtherTarget ? row : kOtherTarget];
  }

 private:
  ConnectionRow rows_[kConnectionTargets + 1];
};

}  // namespace inlens::hooks
