#include "agent/worker/stored_request.hpp"

#include <algorithm>

#include "agent/worker/decode.hpp"

namespace inlens::worker {

namespace {

constexpr std::size_t kLargeBuffer = 64 * 1024;  // one large request must not make every slot large
constexpr std::size_t kMostTasks = 64;

// What the readable form of a log takes, roughly: its strings twice, and a Span or less per entry.
std::size_t detail_bytes(const StoredLog& log) {
  const std::size_t entries = log.facts.spans + log.facts.statements + log.facts.errors + log.facts.messages;
  return 2 * log.log.size() + std::min(entries, log.log.size() / hooks::kEntryAlign) * sizeof(store::Span);
}

// The request's counts stay true when a task finds no place in it.
void count_as_cut(RecordFacts& request, const RecordFacts& task) {
  request.statements += task.statements;
  request.statements_failed += task.statements_failed;
  request.statements_cut += task.statements;
  request.statement_ticks += task.statement_ticks;
  request.rows += task.rows;
  request.spans += task.spans;
  request.spans_cut += task.spans;
  request.calls += task.calls;
  request.call_ticks += task.call_ticks;
  request.errors += task.errors;
  request.errors_cut += task.errors;
  request.messages += task.messages;
  request.messages_cut += task.messages;
}

}  // namespace

void StoredLog::clear() {
  log.clear();
  texts.clear();
  issues.clear();
  unusual.clear();
  notable = false;
  if (log.capacity() > kLargeBuffer) std::vector<char>().swap(log);
}

std::size_t StoredLog::bytes() const {
  return sizeof(*this) + log.capacity() + texts.capacity() * sizeof(TextRef) +
         issues.capacity() * sizeof(std::uint32_t) + unusual.capacity() * sizeof(UnusualRun) +
         detail_bytes(*this);
}

std::unique_ptr<StoredLog> SpareLogs::take() {
  if (logs_.empty()) return std::make_unique<StoredLog>();
  std::unique_ptr<StoredLog> log = std::move(logs_.back());
  logs_.pop_back();
  return log;
}

void SpareLogs::give(std::unique_ptr<StoredLog> log) {
  if (logs_.size() >= kMost) return;
  log->clear();
  logs_.push_back(std::move(log));
}

std::shared_ptr<const store::RequestDetail> StoredRequest::detail() {
  if (detail_ == nullptr || (names_open_ && decoder_.names_known() != names_known_)) {
    names_known_ = decoder_.names_known();
    detail_ = decoder_.decode(*this);
    names_open_ = decoder_.left_names_open();
  }
  return detail_;
}

std::size_t StoredRequest::bytes() const {
  std::size_t bytes = sizeof(*this) + sizeof(store::RequestDetail) + own.bytes();
  for (const auto& task : tasks) bytes += task->bytes();
  return bytes;
}

void StoredRequest::clear() {
  own.clear();
  for (auto& task : tasks) spare_.give(std::move(task));
  tasks.clear();
  route = nullptr;
  detail_.reset();
}

void StoredRequest::join(std::unique_ptr<StoredLog> task) {
  detail_.reset();
  if (tasks.size() >= kMostTasks) {
    count_as_cut(own.facts, task->facts);
    spare_.give(std::move(task));
    return;
  }
  tasks.push_back(std::move(task));
}

}  // namespace inlens::worker
