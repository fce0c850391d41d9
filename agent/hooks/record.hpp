// The record: the memory that one request's hooks fill and that the worker reads once the request has ended.
//
// A record is a chain of fixed-size blocks out of the pool. Its first block holds the head (identity and
// counters) and the begin of the entry log; further blocks hold more log. Entries are written one after
// another, 16-byte aligned, and never move, so an open span is ended in place. What most requests need lies
// in the first six cache lines: each line costs a transfer between the host's core and the worker's.
//
// Threads: one host thread at a time writes, from begin to the push on the work queue; then only the worker
// reads, until it gives the blocks back. The fields that others look at meanwhile are atomics, each with its
// partner named.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace inlens::hooks {

inline constexpr std::size_t kBlockBytes =
    2304;  // 36 cache lines: not a power of two, so heads spread over cache sets
inline constexpr std::size_t kEntryAlign = 16;
inline constexpr std::uint32_t kNoBlock = 0xFFFFFFFF;
inline constexpr std::uint32_t kNoOrdinal = 0xFFFFFFFF;
enum class BlockUse : std::uint8_t { kFree, kRequest, kTask, kEvent, kContinuation, kResponse };

// Flags of a record, as in RecordHead::flags. The first three are those of INLENS_REQUEST_….
enum : std::uint16_t {
  kFlagTls = 1,
  kFlagSubrequest = 2,
  kFlagBackground = 4,
  kFlagAborted = 8,
  kFlagRouted = 16,
  kFlagCpuTimed = 32,
  kFlagDecorated = 64,
  kFlagChild = 128,      // the head names a parent
  kFlagUncounted = 256,  // a background record: no total counts it
};

struct ThreadState;

// First line of every block.
struct BlockHead {
  // Odd while a host thread may write the record; a handle carries the value it was made for. Written by the
  // host thread with release, read by handle checks and by the in-flight view (in_flight.hpp) with acquire.
  std::atomic<std::uint32_t> generation{0};
  std::atomic<std::uint32_t> next_free{kNoBlock};  // chain inside free lists
  std::atomic<BlockUse> use{BlockUse::kFree};
  std::uint16_t used = 0;  // bytes of this block that hold head and entries
  // Continuation of the same record; in the common stock: the next group of free blocks (pool.hpp).
  std::atomic<std::uint32_t> next{kNoBlock};
  std::uint32_t record = kNoBlock;  // first block of the record that this block belongs to
  std::uint32_t record_generation = 0;
  ThreadState* owner = nullptr;  // whose pool the block goes back to
};
static_assert(sizeof(BlockHead) == 32);

// Counters go on when details stop. Those of type Watched are read by the console while the request runs.
class Watched {
 public:
  std::uint32_t get() const { return value_.load(std::memory_order_relaxed); }
  void set(std::uint32_t value) { value_.store(value, std::memory_order_relaxed); }
  void increment() { set(get() + 1); }

 private:
  std::atomic<std::uint32_t> value_{0};
};

struct Counters {
  Watched statements;
  Watched errors;
  std::uint32_t statements_failed = 0;
  std::uint64_t statement_ticks = 0;
  std::uint64_t rows = 0;
  std::uint64_t call_ticks = 0;
  std::uint32_t calls = 0;
  std::uint32_t messages = 0;
  std::uint32_t statements_cut = 0;
  std::uint32_t spans_cut = 0;
  std::uint32_t errors_cut = 0;
  std::uint32_t messages_cut = 0;
  std::uint32_t strings_cut = 0;

  // For a record that is used again, while the console may still be looking at the last use.
  void reset() {
    statements.set(0);
    errors.set(0);
    statements_failed = calls = messages = 0;
    statement_ticks = rows = call_ticks = 0;
    statements_cut = spans_cut = errors_cut = messages_cut = strings_cut = 0;
  }
};

// Where the text of the last route entry is. One word, so that the in-flight view never sees half of it.
struct RoutePlace {
  std::uint32_t block = 0;
  std::uint16_t offset = 0;
  std::uint16_t size = 0;  // 0: not routed yet
};

// Head of a record, in its first block.
struct alignas(kEntryAlign) RecordHead {
  BlockHead block;
  std::uint32_t last_block = kNoBlock;   // where the log goes on
  std::uint32_t innermost = kNoOrdinal;  // ordinal of the innermost open span
  std::uint32_t ordinals = 0;  // spans, statements and calls that have an entry; of a free group: its blocks
  Watched activity;            // EntryKind of the innermost open span, 0 when none
  std::uint32_t spans = 0;     // spans and calls
  std::uint32_t response = kNoBlock;  // block of the body under way through the injector
  std::uint16_t flags = 0;
  std::uint16_t blocks = 1;
  std::uint8_t level = 0;
  // Up to here in the first cache line, which is all of the head that a span touches.

  std::uint16_t status = 0;
  std::uint16_t skip_reason = 0;  // bar::Skip, when a response was looked at
  std::uint32_t thread_number = 0;
  std::uint64_t id_high = 0;
  std::uint64_t id_low = 0;
  std::uint64_t start_ticks = 0;
  std::uint64_t end_ticks = 0;
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  std::uint64_t cpu_ns = 0;                  // valid with kFlagCpuTimed
  std::atomic<std::uint64_t> route_word{0};  // a RoutePlace; released after its text was written

  Counters counters;
  std::uint64_t cpu_mark_ns = 0;  // thread CPU time at the attach under way, 0 when none
  // With kFlagChild, of tasks and subrequests: their parent request.
  std::uint64_t parent_high = 0;
  std::uint64_t parent_low = 0;
  std::uint64_t parent_start_ticks = 0;

  void set_route(RoutePlace place) {
    route_word.store(std::bit_cast<std::uint64_t>(place), std::memory_order_release);
  }
  bool is_child() const { return (flags & kFlagChild) != 0; }
};
static_assert(sizeof(RecordHead) == 240);

struct Block {
  RecordHead head;  // only `head.block` in a continuation
  char arena[kBlockBytes - sizeof(RecordHead)];
};
static_assert(sizeof(Block) == kBlockBytes);
static_assert(sizeof(RecordHead) % kEntryAlign == 0);

// Not lower: the offset of an entry, in units of kEntryAlign, must stay above the tags of other handles
// (handle.hpp).
inline constexpr std::size_t kContinuationStart = 48;
static_assert(sizeof(BlockHead) <= kContinuationStart);
inline constexpr std::size_t kMaxEntryBytes = kBlockBytes - kContinuationStart;

// ---- Entries
// ------------------------------------------------------------------------------------------------- Strings
// follow their entry in the order of the size fields, without padding between them. `size` covers entry and
// strings, rounded up to kEntryAlign.

enum class EntryKind : std::uint8_t {
  kNone,
  kBegin,
  kRoute,
  kSpan,
  kStatement,
  kStatementError,
  kCall,
  kCallError,
  kError,
  kMessage,
  kPanel,
  kPanelCell,
  kHeader,
  kContentType,
};

enum : std::uint8_t {
  kEntryOpen = 1,
  kEntryFailed = 2,
  kEntryHandled = 4,
  kEntryPiece = 8,  // its end ends a piece of background work too; see background.hpp
};

struct Entry {
  EntryKind kind;
  std::uint8_t flags;
  std::uint16_t size;
  std::uint32_t parent;  // ordinal of the enclosing span, or kNoOrdinal
  std::uint64_t ticks;   // when it began or happened
};
static_assert(sizeof(Entry) == 16);

// The first entry of a request or task. strings: method, target, host, peer, protocol, traceparent. The
// target is as the client sent it: who reads it masks it. Of a task: "TASK" and its name as the target.
struct BeginEntry : Entry {
  std::uint16_t target_size;
  std::uint8_t method_size, host_size, peer_size, protocol_size, traceparent_size;
};

struct TextEntry : Entry {  // kRoute, kContentType, kMessage, kPanelCell; one string
  std::uint16_t text_size;
  std::uint8_t detail;  // message: severity; panel cell: depth
};

struct SpanEntry : Entry {  // one string: name. `end_ticks` 0: still open
  std::uint64_t end_ticks;
  std::uint32_t ordinal;
  std::uint16_t name_size;
  std::uint8_t span_kind;  // inlens_span_kind
  std::uint8_t outer_activity;
};

struct StatementEntry : Entry {  // strings: text, database
  std::uint64_t end_ticks;
  std::uint32_t ordinal;
  std::uint16_t text_size;  // 0: the worker knew the text of `text_hash` already
  std::uint16_t database_size;
  std::uint64_t text_hash;       // of the whole text, dialect included
  std::uint32_t text_full_size;  // at most what 32 bits hold
  std::uint32_t read_us;         // of the duration: reading rows
  std::int64_t rows;
  std::uint64_t duration_ns;  // given by the caller; 0: from the ticks
  const void* caller;
  std::uint8_t dialect;
  std::uint8_t outer_activity;
};

struct CallEntry : Entry {  // strings: method, url
  std::uint64_t end_ticks;
  std::uint32_t ordinal;
  std::uint32_t status;
  std::uint64_t bytes_out, bytes_in;
  std::uint64_t duration_ns;  // given by the caller; 0: from the ticks
  std::uint64_t dns_ns, connect_ns, tls_ns, first_byte_ns;
  const void* caller;
  std::uint16_t method_size, url_size;
  std::uint8_t outer_activity;
};

struct FailureEntry
    : Entry {  // kStatementError, kCallError: `parent` is the ordinal it belongs to. strings: code, message
  std::uint16_t code_size, message_size;
};

struct ErrorEntry : Entry {  // strings: type, message, code; then `frame_count` addresses
  std::uint16_t type_size, message_size, code_size, frame_count;
};

struct PanelEntry : Entry {  // string: title; `cells` kPanelCell entries follow
  std::uint32_t columns, cells;
  std::uint16_t title_size;
  std::uint8_t panel_kind;  // inlens_panel_kind
};

struct HeaderEntry : Entry {  // strings: name, value (masked)
  std::uint16_t name_size, value_size;
  std::uint8_t direction;  // inlens_direction
};

template <class E>
inline char* strings_of(E* entry) {
  return reinterpret_cast<char*>(entry) + sizeof(E);
}
template <class E>
inline const char* strings_of(const E* entry) {
  return reinterpret_cast<const char*>(entry) + sizeof(E);
}

// The first entry of a record: right behind its head.
inline BeginEntry* begin_entry(Block& record) {
  return reinterpret_cast<BeginEntry*>(reinterpret_cast<char*>(&record) + sizeof(RecordHead));
}
inline const BeginEntry* begin_entry(const Block& record) {
  return begin_entry(const_cast<Block&>(record));
}

}  // namespace inlens::hooks
