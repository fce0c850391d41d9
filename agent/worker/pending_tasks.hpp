// Tasks whose request has not ended yet: they wait here to be joined to it. Bounded by count and bytes; the
// oldest one gives way (what it counted was counted when it arrived). Worker thread only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "agent/worker/stored_request.hpp"

namespace inlens::worker {

class PendingTasks {
 public:
  static constexpr std::size_t kTasks = 256;
  static constexpr std::size_t kBytes = std::size_t{4} << 20;

  explicit PendingTasks(SpareLogs& spare) : spare_(spare) {}

  void add(std::unique_ptr<StoredLog> task);

  // False when no task waits for that request; one look, for every request.
  bool may_wait_for(const store::RequestId& request) const { return counts_[slot_of(request)] != 0; }
  // The next task of a request in the order they ended, or nullptr.
  std::unique_ptr<StoredLog> take(const store::RequestId& request);

  std::size_t size() const { return count_; }
  std::uint64_t given_up() const { return given_up_; }

 private:
  static std::size_t slot_of(const store::RequestId& id) { return id.low % 1024; }
  void remove(std::size_t age);
  std::unique_ptr<StoredLog>& at(std::size_t age) { return tasks_[(first_ + age) % kTasks]; }

  SpareLogs& spare_;
  std::array<std::unique_ptr<StoredLog>, kTasks> tasks_;
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
  std::uint64_t given_up_ = 0;
  std::array<std::uint16_t, 1024> counts_{};
};

}  // namespace inlens::worker
