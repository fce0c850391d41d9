// Makes a kept request readable: from the record's entries to a RequestDetail with spans in order of begin,
// parents as indices, masked texts and named frames. Called by the store through StoredRequest::detail(), on
// the worker thread, when a snapshot is built; never per request.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "agent/hooks/core.hpp"
#include "agent/platform/clock.hpp"
#include "agent/platform/symbols.hpp"
#include "agent/store/snapshot.hpp"
#include "agent/worker/fingerprint.hpp"
#include "agent/worker/modules.hpp"
#include "agent/worker/stored_request.hpp"

namespace inlens::worker {

// What the bar calls the reason with that number; "" for none.
using SkipReasonName = std::string_view (*)(std::uint16_t reason);

// The name of a host thread, or "thread 7" when it has none.
std::string thread_name(const hooks::Core& core, std::uint32_t number);

class Decoder {
 public:
  Decoder(const hooks::Core& core, Modules& modules, Symbols& symbols, Fingerprints& fingerprints,
          SkipReasonName skip_reason)
      : core_(core),
        modules_(modules),
        symbols_(symbols),
        fingerprints_(fingerprints),
        skip_reason_(skip_reason) {}

  // May throw std::bad_alloc.
  std::shared_ptr<const store::RequestDetail> decode(const StoredRequest& request);

  // Of the last decode(): addresses whose names are still being looked up.
  bool left_names_open() const { return left_names_open_; }
  std::uint64_t names_known() const { return symbols_.answers(); }

 private:
  struct OpenSpan {
    store::Span span;
    std::int32_t parent = -1;   // index before sorting
    std::int64_t order_ns = 0;  // start, but never before the parent's
  };
  struct Walk;

  void decode_log(const StoredLog& log, std::int32_t task, std::uint64_t base_ticks,
                  store::RequestDetail& detail);
  void take(Walk& walk, const hooks::Entry& entry);
  OpenSpan& open(Walk& walk, const hooks::Entry& entry, std::uint32_t ordinal, std::uint64_t end_ticks);
  void take_statement(Walk& walk, const hooks::StatementEntry& entry);
  void take_call(Walk& walk, const hooks::CallEntry& entry);
  void take_failure(Walk& walk, const hooks::FailureEntry& entry);
  void take_error(Walk& walk, const hooks::ErrorEntry& entry);
  std::string place_of(std::uint64_t return_address);
  void sort_spans(std::vector<store::Span>& sorted);

  const hooks::Core& core_;
  Modules& modules_;
  Symbols& symbols_;
  bool left_names_open_ = false;
  Fingerprints& fingerprints_;
  SkipReasonName skip_reason_;
  std::vector<OpenSpan> spans_;
};

// How long an entry took, in a record that ended at `end_ticks`.
inline std::uint64_t duration_ns(const hooks::StatementEntry& entry, std::uint64_t end_ticks) {
  if (entry.duration_ns != 0) return entry.duration_ns;
  const bool is_open = (entry.flags & hooks::kEntryOpen) != 0;
  return ticks_to_ns(ticks_between(entry.ticks, is_open ? end_ticks : entry.end_ticks));
}

inline std::uint64_t duration_ns(const hooks::CallEntry& entry, std::uint64_t end_ticks) {
  if (entry.duration_ns != 0) return entry.duration_ns;
  const bool is_open = (entry.flags & hooks::kEntryOpen) != 0;
  return ticks_to_ns(ticks_between(entry.ticks, is_open ? end_ticks : entry.end_ticks));
}

}  // namespace inlens::worker
