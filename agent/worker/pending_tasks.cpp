#include "agent/worker/pending_tasks.hpp"

#include <utility>

namespace inlens::worker {

void PendingTasks::add(std::unique_ptr<StoredLog> task) {
  const std::size_t bytes = task->bytes();
  while (count_ > 0 && (count_ == kTasks || bytes_ + bytes > kBytes)) {
    std::unique_ptr<StoredLog> oldest = std::move(at(0));
    bytes_ -= oldest->bytes();
    --counts_[slot_of(oldest->facts.parent)];
    spare_.give(std::move(oldest));
    first_ = (first_ + 1) % kTasks;
    --count_;
    ++given_up_;
  }
  ++counts_[slot_of(task->facts.parent)];
  bytes_ += bytes;
  at(count_++) = std::move(task);
}

std::unique_ptr<StoredLog> PendingTasks::take(const store::RequestId& request) {
  for (std::size_t age = 0; age < count_; ++age) {
    if (at(age)->facts.parent != request) continue;
    std::unique_ptr<StoredLog> task = std::move(at(age));
    bytes_ -= task->bytes();
    --counts_[slot_of(request)];
    remove(age);
    return task;
  }
  return nullptr;
}

void PendingTasks::remove(std::size_t age) {
  for (; age + 1 < count_; ++age) at(age) = std::move(at(age + 1));
  --count_;
}

}  // namespace inlens::worker
