#include "agent/hooks/spans.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

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

// The record that a new entry goes into, with everything a hook needs at hand. `block` is nullptr when there
// is none: then `bare` says whether the request lives on without a record.
struct Target {
  ThreadState* state = nullptr;
  Block* block = nullptr;
  bool bare = false;
};

Target target_of(Core& core, std::uint64_t request) {
  Target target;
  target.state = this_thread(core);
  if (target.state == nullptr) return target;
  request = resolve_handle(*target.state, request);
  target.block = open_record(core, request);
  if (target.block != nullptr) return target;
  target.bare = tag_of(request) == kTagBare;
  if (!target.bare && request != 0) target.state->totals.lose(LossReason::kUnpaired);
  return target;
}

std::uint64_t make_span(Core& core, const Block& record, const Place& place) {
  (void)core;
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
  entry.outer_activity = static_cast<std::uint8_t>(head.counters.activity.get());
  head.innermost = entry.ordinal;
  head.counters.activity.set(static_cast<std::uint32_t>(entry.kind));
}

// Ending an entry closes what is nested in it; an inner one that ends later changes nothing.
template <class E>
void leave(Block& record, E& entry, std::uint64_t now) {
  entry.end_ticks = now;
  entry.flags = static_cast<std::uint8_t>(entry.flags & ~kEntryOpen);
  RecordHead& head = record.head;
  if (head.innermost != kNoOrdinal && head.innermost >= entry.ordinal) {
    head.innermost = entry.parent;
    head.counters.activity.set(entry.outer_activity);
  }
}

// What an end call refers to.
template <class E>
struct Ended {
  ThreadState* state = nullptr;
  Block* record = nullptr;  // nullptr: nothing to do
  E* entry = nullptr;       // nullptr with a record: the span was beyond a cap
  std::uint64_t cut_ticks = 0;
};

template <class E>
Ended<E> ended_of(Core& core, std::uint64_t span, EntryKind kind) {
  Ended<E> ended;
  ended.state = this_thread(core);
  if (ended.state == nullptr || span == 0) return ended;
  if (tag_of(span) == kTagBare) return ended;
  Block* block = core.pool().at(index_of(span));
  if (tag_of(span) == kTagRecord) {  // beyond a cap
    if (block == nullptr || (block->head.block.generation.load(std::memory_order_acquire) & 1) == 0)
      return ended;
    ended.record = block;
    const auto begin = static_cast<std::uint32_t>(span);
    ended.cut_ticks =
        static_cast<std::uint64_t>(static_cast<std::uint32_t>(ticks() >> kCutTicksShift) - begin)
        << kCutTicksShift;
    return ended;
  }
  const std::size_t offset = tag_of(span) * kEntryAlign;
  if (block != nullptr && block->head.block.record_generation == low_of(span) &&
      offset + sizeof(E) <= block->head.block.used) {
    Block* record = core.pool().at(block->head.block.record);
    auto* entry = reinterpret_cast<E*>(reinterpret_cast<char*>(block) + offset);
    if (record != nullptr && record->head.block.generation.load(std::memory_order_acquire) == low_of(span) &&
        entry->kind == kind && (entry->flags & kEntryOpen) != 0) {
      ended.record = record;
      ended.entry = entry;
      return ended;
    }
  }
  ended.state->totals.lose(LossReason::kUnpaired);
  return ended;
}

void add_failure(Core& core, ThreadState& state, Block& record, EntryKind kind, std::uint32_t ordinal,
                 std::string_view code, std::string_view message, std::uint64_t now) {
  code = cut(code, 64, record.head.counters);
  char masked[kMaxString];
  if (message.size() > kMaxString) ++record.head.counters.strings_cut;
  const std::size_t size = mask::copy_text(message, masked, kMaxString - 64);
  auto* entry = append<FailureEntry>(core, state, record, kind, code.size() + size, now);
  if (entry == nullptr) {
    state.totals.lose(LossReason::kRecordFull, LossKind::kStatements);
    return;
  }
  entry->parent = ordinal;
  entry->code_size = static_cast<std::uint16_t>(code.size());
  entry->message_size = static_cast<std::uint16_t>(size);
  put(put(strings_of(entry), code), {masked, size});
}

std::uint32_t limit_of(const std::atomic<std::uint32_t>& limit) {
  return limit.load(std::memory_order_relaxed);
}

SpanEntry* append_span(Core& core, const Target& target, std::uint8_t kind, std::string_view name,
                       std::uint64_t now, Place* place) {
  Counters& counters = target.block->head.counters;
  name = cut(name, 255, counters);
  if (++counters.spans > limit_of(core.limits().spans)) {
    ++counters.spans_cut;
    target.state->totals.lose(LossReason::kLimit, LossKind::kSpans);
    return nullptr;
  }
  auto* entry =
      append<SpanEntry>(core, *target.state, *target.block, EntryKind::kSpan, name.size(), now, place);
  if (entry == nullptr) {
    ++counters.spans_cut;
    target.state->totals.lose(LossReason::kRecordFull, LossKind::kSpans);
    return nullptr;
  }
  entry->name_size = static_cast<std::uint16_t>(name.size());
  entry->span_kind = kind;
  put(strings_of(entry), name);
  return entry;
}

}  // namespace

std::uint64_t begin_span(Core& core, std::uint64_t request, std::uint8_t kind, std::string_view name) {
  const Target target = target_of(core, request);
  if (target.block == nullptr) return 0;
  Place place;
  SpanEntry* entry = append_span(core, target, kind, name, ticks(), &place);
  if (entry == nullptr) return 0;
  enter(*target.block, *entry);
  return make_span(core, *target.block, place);
}

void end_span(Core& core, std::uint64_t span) {
  const auto ended = ended_of<SpanEntry>(core, span, EntryKind::kSpan);
  if (ended.entry != nullptr) leave(*ended.record, *ended.entry, ticks());
}

void add_span(Core& core, std::uint64_t request, std::uint8_t kind, std::string_view name,
              std::uint64_t duration_ns) {
  const Target target = target_of(core, request);
  if (target.block == nullptr) return;
  const std::uint64_t now = ticks();
  const std::uint64_t length = ns_to_ticks(duration_ns);
  SpanEntry* entry = append_span(core, target, kind, name, now > length ? now - length : 0, nullptr);
  if (entry == nullptr) return;
  entry->ordinal = target.block->head.ordinals++;
  entry->end_ticks = now;
  entry->outer_activity = 0;
}

std::uint64_t begin_statement(Core& core, std::uint64_t request, const StatementInfo& info) {
  const Target target = target_of(core, request);
  if (target.block == nullptr) {
    if (target.bare) {
      target.state->totals.statements.add();
      return make_bare(ticks());
    }
    return 0;
  }
  Block& record = *target.block;
  Counters& counters = record.head.counters;
  counters.statements.increment();
  const std::uint64_t now = ticks();
  if (counters.statements.get() > limit_of(core.limits().statements)) [[unlikely]] {
    ++counters.statements_cut;
    target.state->totals.lose(LossReason::kLimit, LossKind::kStatements);
    return make_cut_span(core, record, now);
  }
  const std::uint64_t hash = XXH3_64bits_withSeed(info.text.data(), info.text.size(), info.dialect + 1U);
  std::string_view text;
  if (!core.known_texts.knows(hash)) text = cut(info.text, limit_of(core.limits().string_bytes), counters);
  const std::string_view database = cut(info.database, 100, counters);
  Place place;
  auto* entry = append<StatementEntry>(core, *target.state, record, EntryKind::kStatement,
                                       text.size() + database.size(), now, &place);
  if (entry == nullptr) [[unlikely]] {
    ++counters.statements_cut;
    target.state->totals.lose(LossReason::kRecordFull, LossKind::kStatements);
    return make_cut_span(core, record, now);
  }
  entry->text_size = static_cast<std::uint16_t>(text.size());
  entry->database_size = static_cast<std::uint16_t>(database.size());
  entry->text_hash = hash;
  entry->text_full_size = info.text.size();
  entry->rows = -1;
  entry->duration_ns = 0;
  entry->caller = info.caller;
  entry->dialect = info.dialect;
  put(put(strings_of(entry), text), database);
  enter(record, *entry);
  return make_span(core, record, place);
}

void end_statement(Core& core, std::uint64_t statement, const StatementResult& result) {
  const auto ended = ended_of<StatementEntry>(core, statement, EntryKind::kStatement);
  if (ended.record == nullptr) {
    if (ended.state != nullptr && tag_of(statement) == kTagBare) {
      ended.state->totals.statement_ticks.add((ticks() - statement) & kTicksMask);
      if (result.failed) ended.state->totals.statements_failed.add();
    }
    return;
  }
  Counters& counters = ended.record->head.counters;
  if (result.rows > 0) counters.rows += static_cast<std::uint64_t>(result.rows);
  if (result.failed) ++counters.statements_failed;
  const std::uint64_t given = result.duration_ns != 0 ? ns_to_ticks(result.duration_ns) : 0;
  if (ended.entry == nullptr) {
    counters.statement_ticks += given != 0 ? given : ended.cut_ticks;
    return;
  }
  StatementEntry& entry = *ended.entry;
  const std::uint64_t now = ticks();
  leave(*ended.record, entry, now);
  counters.statement_ticks += given != 0 ? given : ticks_between(entry.ticks, now);
  entry.duration_ns = result.duration_ns;
  entry.rows = result.rows;
  if (result.failed) {
    entry.flags |= kEntryFailed;
    add_failure(core, *ended.state, *ended.record, EntryKind::kStatementError, entry.ordinal,
                result.error_code, result.error_message, now);
  }
}

std::uint64_t begin_call(Core& core, std::uint64_t request, const CallInfo& info) {
  const Target target = target_of(core, request);
  if (target.block == nullptr) {
    if (target.bare) target.state->totals.calls.add();
    return target.bare ? make_bare(ticks()) : 0;
  }
  Block& record = *target.block;
  Counters& counters = record.head.counters;
  ++counters.calls;
  const std::uint64_t now = ticks();
  if (++counters.spans > limit_of(core.limits().spans)) {
    ++counters.spans_cut;
    target.state->totals.lose(LossReason::kLimit, LossKind::kSpans);
    return make_cut_span(core, record, now);
  }
  char masked[kMaxString];
  if (info.url.size() > kMaxString - 64) ++counters.strings_cut;
  const std::string_view url(masked, mask::copy_url(info.url, masked, kMaxString - 64));
  const std::string_view method = cut(info.method, 32, counters);
  Place place;
  auto* entry = append<CallEntry>(core, *target.state, record, EntryKind::kCall, method.size() + url.size(),
                                  now, &place);
  if (entry == nullptr) {
    ++counters.spans_cut;
    target.state->totals.lose(LossReason::kRecordFull, LossKind::kSpans);
    return make_cut_span(core, record, now);
  }
  entry->status = 0;
  entry->bytes_out = 0;
  entry->bytes_in = 0;
  entry->method_size = static_cast<std::uint16_t>(method.size());
  entry->url_size = static_cast<std::uint16_t>(url.size());
  put(put(strings_of(entry), method), url);
  enter(record, *entry);
  return make_span(core, record, place);
}

void end_call(Core& core, std::uint64_t call, const CallResult& result) {
  const auto ended = ended_of<CallEntry>(core, call, EntryKind::kCall);
  if (ended.record == nullptr) return;
  Counters& counters = ended.record->head.counters;
  if (ended.entry == nullptr) {
    counters.call_ticks += ended.cut_ticks;
    return;
  }
  CallEntry& entry = *ended.entry;
  const std::uint64_t now = ticks();
  leave(*ended.record, entry, now);
  counters.call_ticks += ticks_between(entry.ticks, now);
  entry.status = result.status;
  entry.bytes_out = result.bytes_out;
  entry.bytes_in = result.bytes_in;
  if (result.failed) {
    entry.flags |= kEntryFailed;
    add_failure(core, *ended.state, *ended.record, EntryKind::kCallError, entry.ordinal, {},
                result.error_message, now);
  }
}

}  // namespace inlens::hooks
