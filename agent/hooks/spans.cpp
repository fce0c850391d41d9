#include "agent/hooks/spans.hpp"

#include <algorithm>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "agent/hooks/background.hpp"
#include "agent/hooks/handle.hpp"
#include "agent/hooks/log_writer.hpp"
#include "agent/hooks/requests.hpp"
#include "agent/hooks/this_thread.hpp"
#include "agent/platform/clock.hpp"
#include "agent/platform/mask.hpp"

namespace inlens::hooks {

namespace {

constexpr std::size_t kMaxString = 2000;
constexpr unsigned kCutTicksShift = 8;

std::uint64_t make_span(const Block& record, const Place& place) {
  return make_handle(place.offset / kEntryAlign, place.block, record.head.block.record_generation);
}

// For a span beyond a cap: still timed, no entry.
std::uint64_t make_cut_span(Core& core, const Block& record, std::uint64_t now) {
  return make_handle(kTagRecord, core.pool().index_of(&record),
                     static_cast<std::uint32_t>(now >> kCutTicksShift));
}

// Gives a new entry its place in the nesting.
template <class E>
void enter(Block& record, E& entry) {
  RecordHead& head = record.head;
  entry.ordinal = head.ordinals++;
  entry.end_ticks = 0;
  entry.flags = kEntryOpen;
  entry.outer_activity = static_cast<std::uint8_t>(head.activity.get());
  head.innermost = entry.ordinal;
  head.activity.set(static_cast<std::uint32_t>(entry.kind));
}

// Ending an entry closes what is nested in it; an inner one that ends later changes nothing.
template <class E>
void leave(Block& record, E& entry, std::uint64_t now) {
  entry.end_ticks = now;
  entry.flags = static_cast<std::uint8_t>(entry.flags & ~kEntryOpen);
  RecordHead& head = record.head;
  if (head.innermost != kNoOrdinal && head.innermost >= entry.ordinal) {
    head.innermost = entry.parent;
    head.activity.set(entry.outer_activity);
  }
}

// What an end call refers to.
template <class E>
struct Ended {
  Block* record = nullptr;  // nullptr: nothing to do
  E* entry = nullptr;       // nullptr with a record: the span was beyond a cap
  std::uint64_t cut_ticks = 0;
};

// An end of what has no entry: beyond a cap, of a request without a record, or of nothing at all. Cold.
template <class E>
Ended<E> ended_without_entry(Core& core, std::uint64_t span) {
  Ended<E> ended;
  if (span == 0 || tag_of(span) == kTagBare) return ended;
  if (tag_of(span) != kTagRecord) {
    if (ThreadState* state = this_thread(core); state != nullptr) state->totals.lose(LossReason::kUnpaired);
    return ended;
  }
  Block* block = core.pool().at(index_of(span));
  if (block == nullptr || (block->head.block.generation.load(std::memory_order_acquire) & 1) == 0)
    return ended;
  ended.record = block;
  const auto begin = static_cast<std::uint32_t>(span);
  ended.cut_ticks = static_cast<std::uint64_t>(static_cast<std::uint32_t>(ticks() >> kCutTicksShift) - begin)
                    << kCutTicksShift;
  return ended;
}

template <class E>
Ended<E> ended_of(Core& core, std::uint64_t span, EntryKind kind) {
  Block* block = core.pool().at(index_of(span));
  const std::size_t offset = tag_of(span) * kEntryAlign;
  if (offset >= kContinuationStart && block != nullptr &&
      block->head.block.record_generation == low_of(span) && offset + sizeof(E) <= block->head.block.used)
      [[likely]] {
    Block* record = core.pool().at(block->head.block.record);
    auto* entry = reinterpret_cast<E*>(reinterpret_cast<char*>(block) + offset);
    if (record != nullptr && record->head.block.generation.load(std::memory_order_acquire) == low_of(span) &&
        entry->kind == kind && (entry->flags & kEntryOpen) != 0) [[likely]] {
      return {record, entry, 0};
    }
  }
  return ended_without_entry<E>(core, span);
}

void add_failure(Core& core, Block& record, EntryKind kind, std::uint32_t ordinal, std::string_view code,
                 std::string_view message, std::uint64_t now) {
  code = cut(code, 64, record.head.counters);
  char masked[kMaxString];
  if (message.size() > kMaxString) ++record.head.counters.strings_cut;
  const std::size_t size = mask::copy_text(message, masked, kMaxString - 64);
  auto* entry = append<FailureEntry>(core, record, kind, code.size() + size, now);
  if (entry == nullptr) {
    return lose(core, LossReason::kRecordFull, LossKind::kStatements);
  }
  entry->parent = ordinal;
  entry->code_size = static_cast<std::uint16_t>(code.size());
  entry->message_size = static_cast<std::uint16_t>(size);
  put(put(strings_of(entry), code), {masked, size});
}

std::uint32_t limit_of(const std::atomic<std::uint32_t>& limit) {
  return limit.load(std::memory_order_relaxed);
}

// Of the whole text. XXH3 without a seed is the cheaper one: its secret is constant.
std::uint64_t hash_of_statement(std::string_view text, std::uint8_t dialect) {
  return XXH3_64bits(text.data(), text.size()) ^ dialect * 0x9E3779B97F4A7C15;
}

SpanEntry* append_span(Core& core, Block& record, std::uint8_t kind, std::string_view name, std::uint64_t now,
                       Place* place) {
  Counters& counters = record.head.counters;
  name = cut(name, 255, counters);
  if (++record.head.spans > limit_of(core.limits().spans)) {
    ++counters.spans_cut;
    lose(core, LossReason::kLimit, LossKind::kSpans);
    return nullptr;
  }
  auto* entry = append<SpanEntry>(core, record, EntryKind::kSpan, name.size(), now, place);
  if (entry == nullptr) {
    ++counters.spans_cut;
    lose(core, LossReason::kRecordFull, LossKind::kSpans);
    return nullptr;
  }
  entry->name_size = static_cast<std::uint16_t>(name.size());
  entry->span_kind = kind;
  put(strings_of(entry), name);
  return entry;
}

}  // namespace

std::uint64_t begin_span(Core& core, std::uint64_t request, std::uint8_t kind, std::string_view name) {
  Block* record = record_to_write(core, request);
  if (record == nullptr) return 0;
  Place place;
  SpanEntry* entry = append_span(core, *record, kind, name, ticks(), &place);
  if (entry == nullptr) return 0;
  enter(*record, *entry);
  return make_span(*record, place);
}

void end_span(Core& core, std::uint64_t span) {
  const auto ended = ended_of<SpanEntry>(core, span, EntryKind::kSpan);
  if (ended.entry != nullptr) leave(*ended.record, *ended.entry, ticks());
}

void add_span(Core& core, std::uint64_t request, std::uint8_t kind, std::string_view name,
              std::uint64_t duration_ns) {
  Block* record = record_to_write(core, request);
  if (record == nullptr) return;
  const std::uint64_t now = ticks();
  const std::uint64_t length = ns_to_ticks(duration_ns);
  SpanEntry* entry = append_span(core, *record, kind, name, now > length ? now - length : 0, nullptr);
  if (entry == nullptr) return;
  entry->ordinal = record->head.ordinals++;
  entry->end_ticks = now;
  entry->outer_activity = 0;
}

namespace {

// A statement of a request that goes on without a record: counted and timed only.
std::uint64_t begin_bare_statement(Core& core, std::uint64_t request) {
  ThreadState* state = tag_of(request) == kTagBare ? this_thread(core) : nullptr;
  if (state == nullptr) return 0;
  state->totals.statements.add();
  return make_bare(ticks());
}

// `length` is what the host gave, or 0.
void end_bare_statement(Core& core, std::uint64_t statement, std::uint64_t length, bool failed) {
  ThreadState* state = tag_of(statement) == kTagBare ? this_thread(core) : nullptr;
  if (state == nullptr) return;
  state->totals.statement_ticks.add(length != 0 ? length : (ticks() - statement) & kTicksMask);
  if (failed) state->totals.statements_failed.add();
}

}  // namespace

namespace {

bool is_inside_marked(const RecordHead& head, const inlens_statement_info& info) {
  return (info.flags & INLENS_STATEMENT_OBSERVED) != 0 &&
         head.activity.get() == static_cast<std::uint32_t>(EntryKind::kStatement);
}

// Counts a statement and gives it an entry that began at `began`; nullptr: it goes on without one.
[[gnu::always_inline]] inline StatementEntry* append_statement(Core& core, Block& record,
                                                               const inlens_statement_info& info,
                                                               std::uint64_t began, Place* place) {
  Counters& counters = record.head.counters;
  counters.statements.increment();
  if (counters.statements.get() > limit_of(core.limits().statements)) [[unlikely]] {
    ++counters.statements_cut;
    lose(core, LossReason::kLimit, LossKind::kStatements);
    return nullptr;
  }
  const std::string_view whole = view(info.text);
  const auto dialect = static_cast<std::uint8_t>(info.dialect <= INLENS_DIALECT_MYSQL ? info.dialect : 0);
  const std::uint64_t hash = hash_of_statement(whole, dialect);
  std::string_view text;
  if (!core.known_texts.knows(hash)) [[unlikely]]
    text = cut(whole, limit_of(core.limits().string_bytes), counters);
  const std::string_view database = cut(view(info.database), 100, counters);
  auto* entry = append<StatementEntry>(core, record, EntryKind::kStatement, text.size() + database.size(),
                                       began, place);
  if (entry == nullptr) [[unlikely]] {
    ++counters.statements_cut;
    lose(core, LossReason::kRecordFull, LossKind::kStatements);
    return nullptr;
  }
  entry->text_size = static_cast<std::uint16_t>(text.size());
  entry->database_size = static_cast<std::uint16_t>(database.size());
  entry->text_hash = hash;
  entry->text_full_size = static_cast<std::uint32_t>(std::min<std::size_t>(whole.size(), UINT32_MAX));
  entry->read_us = 0;
  entry->rows = -1;
  entry->duration_ns = 0;
  entry->caller = info.caller;
  entry->dialect = dialect;
  if (text.size() + database.size() != 0) put(put(strings_of(entry), text), database);
  return entry;
}

// What a statement's end adds to its record's counters, its time apart.
void count_result(Counters& counters, const inlens_statement_result& result) {
  if (result.rows > 0) counters.rows += static_cast<std::uint64_t>(result.rows);
  if (result.outcome == INLENS_OUTCOME_FAILED) ++counters.statements_failed;
}

[[gnu::always_inline]] inline void set_result(Core& core, Block& record, StatementEntry& entry,
                                              const inlens_statement_result& result, std::uint64_t now) {
  entry.duration_ns = result.duration_ns;
  entry.read_us = static_cast<std::uint32_t>(std::min<std::uint64_t>(result.read_ns / 1000, UINT32_MAX));
  entry.rows = result.rows;
  if (result.outcome != INLENS_OUTCOME_FAILED) [[likely]]
    return;
  entry.flags |= kEntryFailed;
  add_failure(core, record, EntryKind::kStatementError, entry.ordinal, view(result.error_code),
              view(result.error_message), now);
}

// A statement with an entry, or what stands for one without.
[[gnu::always_inline]] inline std::uint64_t begin_in(Core& core, const Entered& in,
                                                     const inlens_statement_info& info, std::uint64_t now,
                                                     std::uint8_t flags) {
  Block* record = in.record;
  if (record == nullptr) [[unlikely]]
    return begin_bare_statement(core, in.request);
  if (is_inside_marked(record->head, info)) return 0;
  Place place;
  StatementEntry* entry = append_statement(core, *record, info, now, &place);
  if (entry == nullptr) [[unlikely]]
    return make_cut_span(core, *record, now);
  enter(*record, *entry);
  entry->flags |= flags;
  return make_span(*record, place);
}

bool has_entry(std::uint64_t span) {
  return tag_of(span) >= kContinuationStart / kEntryAlign;
}

bool is_piece(std::uint64_t request, const inlens_statement_info& info) {
  return (info.flags & INLENS_STATEMENT_BACKGROUND) != 0 && request == INLENS_CURRENT;
}

}  // namespace

std::uint64_t begin_statement(Core& core, std::uint8_t level, std::uint64_t request,
                              const inlens_statement_info& info) noexcept {
  const std::uint64_t now = ticks();
  if (!is_piece(request, info)) {
    Block* record = record_to_write(core, request);
    return begin_in(core, {request, record}, info, now, 0);
  }
  const Entered in = enter_background(core, level, now);
  const std::uint64_t span = begin_in(core, in, info, now, kEntryPiece);
  if (has_entry(span)) [[likely]]
    return span;
  // Nothing would tell its end which record the piece was of.
  leave_background(core, in.request);
  return in.request == current(core) ? span : 0;
}

void end_statement(Core& core, std::uint64_t statement, const inlens_statement_result& result) noexcept {
  const auto ended = ended_of<StatementEntry>(core, statement, EntryKind::kStatement);
  if (ended.record == nullptr) [[unlikely]]
    return end_bare_statement(core, statement, ns_to_ticks(result.duration_ns),
                              result.outcome == INLENS_OUTCOME_FAILED);
  Block& record = *ended.record;
  Counters& counters = record.head.counters;
  count_result(counters, result);
  const std::uint64_t given = result.duration_ns != 0 ? ns_to_ticks(result.duration_ns) : 0;
  if (ended.entry == nullptr) [[unlikely]] {
    counters.statement_ticks += given != 0 ? given : ended.cut_ticks;
    return;
  }
  StatementEntry& entry = *ended.entry;
  const std::uint64_t now = ticks();
  leave(record, entry, now);
  counters.statement_ticks += given != 0 ? given : ticks_between(entry.ticks, now);
  set_result(core, record, entry, result, now);
  if ((entry.flags & kEntryPiece) != 0)
    leave_background(core, make_handle(kTagRecord, record.head.block.record, low_of(statement)));
}

void add_statement(Core& core, std::uint8_t level, std::uint64_t request, const inlens_statement_info& info,
                   const inlens_statement_result& result) noexcept {
  const std::uint64_t now = ticks();
  const std::uint64_t length = ns_to_ticks(result.duration_ns);
  const bool piece = is_piece(request, info);
  Entered in;
  if (piece) {
    in = enter_background(core, level, now);
  } else {
    in.record = record_to_write(core, request);
    in.request = request;
  }
  Block* record = in.record;
  if (record == nullptr) [[unlikely]] {
    end_bare_statement(core, begin_bare_statement(core, in.request), length,
                       result.outcome == INLENS_OUTCOME_FAILED);
  } else if (!is_inside_marked(record->head, info)) {
    StatementEntry* entry = append_statement(core, *record, info, now > length ? now - length : 0, nullptr);
    count_result(record->head.counters, result);
    record->head.counters.statement_ticks += length;
    if (entry != nullptr) {
      entry->ordinal = record->head.ordinals++;
      entry->end_ticks = now;
      entry->outer_activity = 0;
      set_result(core, *record, *entry, result, now);
    }
  }
  if (piece) leave_background(core, in.request);
}

std::uint64_t begin_call(Core& core, std::uint64_t request, const inlens_call_info& info) noexcept {
  Block* block = record_to_write(core, request);
  if (block == nullptr) {
    ThreadState* state = tag_of(request) == kTagBare ? this_thread(core) : nullptr;
    if (state == nullptr) return 0;
    state->totals.calls.add();
    return make_bare(ticks());
  }
  Block& record = *block;
  Counters& counters = record.head.counters;
  ++counters.calls;
  const std::uint64_t now = ticks();
  if (++record.head.spans > limit_of(core.limits().spans)) {
    ++counters.spans_cut;
    lose(core, LossReason::kLimit, LossKind::kSpans);
    return make_cut_span(core, record, now);
  }
  char masked[kMaxString];
  const std::string_view given = view(info.url);
  if (given.size() > kMaxString - 64) ++counters.strings_cut;
  const std::string_view url(masked, mask::copy_url(given, masked, kMaxString - 64));
  const std::string_view method = cut(view(info.method), 32, counters);
  Place place;
  auto* entry = append<CallEntry>(core, record, EntryKind::kCall, method.size() + url.size(), now, &place);
  if (entry == nullptr) {
    ++counters.spans_cut;
    lose(core, LossReason::kRecordFull, LossKind::kSpans);
    return make_cut_span(core, record, now);
  }
  entry->status = 0;
  entry->bytes_out = 0;
  entry->bytes_in = 0;
  entry->duration_ns = 0;
  entry->dns_ns = entry->connect_ns = entry->tls_ns = entry->first_byte_ns = 0;
  entry->caller = info.caller;
  entry->method_size = static_cast<std::uint16_t>(method.size());
  entry->url_size = static_cast<std::uint16_t>(url.size());
  put(put(strings_of(entry), method), url);
  enter(record, *entry);
  return make_span(record, place);
}

void end_call(Core& core, std::uint64_t call, const inlens_call_result& result) noexcept {
  const auto ended = ended_of<CallEntry>(core, call, EntryKind::kCall);
  if (ended.record == nullptr) return;
  Counters& counters = ended.record->head.counters;
  const std::uint64_t given = result.duration_ns != 0 ? ns_to_ticks(result.duration_ns) : 0;
  if (ended.entry == nullptr) {
    counters.call_ticks += given != 0 ? given : ended.cut_ticks;
    return;
  }
  CallEntry& entry = *ended.entry;
  const std::uint64_t now = ticks();
  leave(*ended.record, entry, now);
  counters.call_ticks += given != 0 ? given : ticks_between(entry.ticks, now);
  entry.duration_ns = result.duration_ns;
  entry.dns_ns = result.dns_ns;
  entry.connect_ns = result.connect_ns;
  entry.tls_ns = result.tls_ns;
  entry.first_byte_ns = result.first_byte_ns;
  entry.status = result.status;
  entry.bytes_out = result.bytes_out;
  entry.bytes_in = result.bytes_in;
  if (result.outcome == INLENS_OUTCOME_FAILED) {
    entry.flags |= kEntryFailed;
    add_failure(core, *ended.record, EntryKind::kCallError, entry.ordinal, view(result.error_code),
                view(result.error_message), now);
  }
}

}  // namespace inlens::hooks
