// A kept request as the worker keeps it: the record's facts and its log as they came, with references to the
// texts and issues that only the worker knows. It is made readable when somebody looks (see decode.hpp).
// Worker thread only; refilled again and again, so that keeping a request allocates nothing once buffers have
// grown.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "agent/store/history.hpp"
#include "agent/store/routes.hpp"
#include "agent/worker/record_reader.hpp"
#include "agent/worker/texts.hpp"

namespace inlens::worker {

// When something counts as suspicious, as it was when the request ended.
struct Thresholds {
  std::uint64_t slow_request_ns = 1'000'000'000;
  std::uint64_t slow_statement_ns = 100'000'000;
  std::uint64_t slow_call_ns = 500'000'000;
  std::uint32_t repeated_statement = 5;
};

// A statement or call that took far longer than usual.
struct UnusualRun {
  std::uint32_t ordinal = 0;
  store::UsualTime usual;  // before it
};

// One record, of a request or of a task.
struct StoredLog {
  RecordFacts facts;
  std::int64_t started_unix_ms = 0;
  bool notable = false;
  std::vector<char> log;
  std::vector<TextRef> texts;         // of its statements, in order
  std::vector<std::uint32_t> issues;  // of its errors, in order; 0: dropped
  std::vector<UnusualRun> unusual;

  void clear();
  std::size_t bytes() const;
};

// Logs that are not in use; tasks take theirs here.
class SpareLogs {
 public:
  SpareLogs() { logs_.reserve(kMost); }

  std::unique_ptr<StoredLog> take();
  void give(std::unique_ptr<StoredLog> log);

 private:
  static constexpr std::size_t kMost = 64;
  std::vector<std::unique_ptr<StoredLog>> logs_;
};

class Decoder;

class StoredRequest final : public store::HistoryItem {
 public:
  StoredRequest(Decoder& decoder, SpareLogs& spare) : decoder_(decoder), spare_(spare) {}

  std::shared_ptr<const store::RequestDetail> detail() override;
  std::size_t bytes() const override;
  void clear() override;

  void join(std::unique_ptr<StoredLog> task);

  StoredLog own;
  std::vector<std::unique_ptr<StoredLog>> tasks;
  Thresholds thresholds;
  store::RouteRow* route = nullptr;

 private:
  Decoder& decoder_;
  SpareLogs& spare_;
  std::shared_ptr<const store::RequestDetail> detail_;
  bool names_open_ = false;  // of the detail; then made anew once more names are known
  std::uint64_t names_known_ = 0;
};

}  // namespace inlens::worker
