// Tells everything that waits that the shop is closing. Threads: any.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace shop {

class Shutdown {
 public:
  void begin() {
    {
      const std::lock_guard lock(mutex_);
      begun_ = true;
    }
    changed_.notify_all();
  }

  // Blocks: for `time`, or until the shutdown begins; true if it has.
  bool wait_for(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [this] { return begun_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool begun_ = false;
};

}  // namespace shop
