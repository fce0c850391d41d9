// Reads what the hooks wrote: copies a record out of its blocks into one piece of memory, and walks over the
// entries of such a copy. Called by the worker. Nothing in a record is believed: sizes, kinds and links are
// checked against what is there, and a damaged entry ends the walk, so that a host that writes over our
// memory cannot make us read past it.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "agent/hooks/pool.hpp"
#include "agent/hooks/record.hpp"
#include "agent/store/snapshot.hpp"

namespace inlens::worker {

// The head of a record as plain values, bounded where they are sizes.
struct RecordFacts {
  store::RequestId id;
  store::RequestId parent;  // all zero: none
  std::uint64_t start_ticks = 0;
  std::uint64_t end_ticks = 0;
  std::uint64_t parent_start_ticks = 0;
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  std::uint64_t cpu_ns = 0;
  std::uint64_t statement_ticks = 0;
  std::uint64_t call_ticks = 0;
  std::uint64_t rows = 0;
  std::uint32_t thread_number = 0;
  std::uint32_t statements = 0;
  std::uint32_t statements_failed = 0;
  std::uint32_t errors = 0;
  std::uint32_t calls = 0;
  std::uint32_t spans = 0;
  std::uint32_t messages = 0;
  std::uint32_t statements_cut = 0;
  std::uint32_t spans_cut = 0;
  std::uint32_t errors_cut = 0;
  std::uint32_t messages_cut = 0;
  std::uint32_t strings_cut = 0;
  std::uint16_t flags = 0;
  std::uint16_t status = 0;
  std::uint16_t skip_reason = 0;
  std::uint8_t level = 0;

  bool has(std::uint16_t flag) const { return (flags & flag) != 0; }
};

// Of a request or a task. An event's head says nothing but `end_ticks` and the counters.
void read_facts(const hooks::RecordHead& head, RecordFacts& facts);

// Appends the entries of the record that begins in block `first` to `log`, in order; from here on its target
// is masked. False when its chain of blocks is damaged; what was sound is in `log`.
bool copy_log(const hooks::Pool& pool, std::uint32_t first, std::vector<char>& log);

// The entry at `at`, or nullptr when what is there is none: unknown kind, a size that does not fit, or
// strings that are larger than their entry. `end` - `at` is a multiple of kEntryAlign.
const hooks::Entry* entry_at(const char* at, const char* end);

// Calls `visit(const hooks::Entry&)` for each entry. False when a damaged entry ended the walk.
template <class Visit>
bool for_each_entry(std::span<const char> log, Visit&& visit) {
  const char* at = log.data();
  const char* const end = at + log.size();
  while (at != end) {
    const hooks::Entry* entry = entry_at(at, end);
    if (entry == nullptr) return false;
    visit(*entry);
    at += entry->size;
  }
  return true;
}

template <class E>
const E& as(const hooks::Entry& entry) {
  return static_cast<const E&>(entry);
}

// The strings of an entry that entry_at() has accepted, one after another.
class Strings {
 public:
  template <class E>
  explicit Strings(const E& entry) : at_(reinterpret_cast<const char*>(&entry) + sizeof(E)) {}

  std::string_view next(std::size_t size) {
    const std::string_view text(at_, size);
    at_ += size;
    return text;
  }

 private:
  const char* at_;
};

// What a request or task said of itself at its begin.
struct BeginView {
  std::string_view method, target, host, peer, protocol, traceparent;
};

inline BeginView view(const hooks::BeginEntry& entry) {
  Strings strings(entry);
  BeginView begin;
  begin.method = strings.next(entry.method_size);
  begin.target = strings.next(entry.target_size);
  begin.host = strings.next(entry.host_size);
  begin.peer = strings.next(entry.peer_size);
  begin.protocol = strings.next(entry.protocol_size);
  begin.traceparent = strings.next(entry.traceparent_size);
  return begin;
}

inline std::string_view text_of(const hooks::TextEntry& entry) {
  return Strings(entry).next(entry.text_size);
}

struct ErrorView {
  std::string_view type, message, code;
  bool handled = false;
  std::uint64_t ticks = 0;
  const char* frames = nullptr;  // addresses, not aligned
  std::uint32_t frame_count = 0;

  std::uint64_t frame(std::uint32_t i) const {
    std::uint64_t address = 0;
    std::memcpy(&address, frames + std::size_t{i} * sizeof(void*), sizeof(void*));
    return address;
  }
};

inline ErrorView view(const hooks::ErrorEntry& entry) {
  Strings strings(entry);
  ErrorView error;
  error.type = strings.next(entry.type_size);
  error.message = strings.next(entry.message_size);
  error.code = strings.next(entry.code_size);
  error.frames = strings.next(0).data();
  error.frame_count = entry.frame_count;
  error.handled = (entry.flags & hooks::kEntryHandled) != 0;
  error.ticks = entry.ticks;
  return error;
}

}  // namespace inlens::worker
