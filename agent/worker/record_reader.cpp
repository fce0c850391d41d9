#include "agent/worker/record_reader.hpp"

#include <algorithm>

#include "agent/hooks/core.hpp"
#include "agent/platform/mask.hpp"

namespace inlens::worker {

using namespace hooks;  // the record's layout

namespace {

// Bytes that an entry of a kind has without its strings; 0 for what is no kind.
constexpr std::size_t fixed_size(EntryKind kind) {
  switch (kind) {
    case EntryKind::kNone:
      return 0;
    case EntryKind::kBegin:
      return sizeof(BeginEntry);
    case EntryKind::kRoute:
    case EntryKind::kContentType:
    case EntryKind::kMessage:
    case EntryKind::kPanelCell:
      return sizeof(TextEntry);
    case EntryKind::kSpan:
      return sizeof(SpanEntry);
    case EntryKind::kStatement:
      return sizeof(StatementEntry);
    case EntryKind::kCall:
      return sizeof(CallEntry);
    case EntryKind::kStatementError:
    case EntryKind::kCallError:
      return sizeof(FailureEntry);
    case EntryKind::kError:
      return sizeof(ErrorEntry);
    case EntryKind::kPanel:
      return sizeof(PanelEntry);
    case EntryKind::kHeader:
      return sizeof(HeaderEntry);
  }
  return 0;
}

// Bytes that the entry says its strings have. The fixed part is known to be there.
std::size_t strings_size(const Entry& entry) {
  switch (entry.kind) {
    case EntryKind::kBegin: {
      const auto& begin = as<BeginEntry>(entry);
      return std::size_t{begin.method_size} + begin.target_size + begin.host_size + begin.peer_size +
             begin.protocol_size + begin.traceparent_size;
    }
    case EntryKind::kRoute:
    case EntryKind::kContentType:
    case EntryKind::kMessage:
    case EntryKind::kPanelCell:
      return as<TextEntry>(entry).text_size;
    case EntryKind::kSpan:
      return as<SpanEntry>(entry).name_size;
    case EntryKind::kStatement:
      return std::size_t{as<StatementEntry>(entry).text_size} + as<StatementEntry>(entry).database_size;
    case EntryKind::kCall:
      return std::size_t{as<CallEntry>(entry).method_size} + as<CallEntry>(entry).url_size;
    case EntryKind::kStatementError:
    case EntryKind::kCallError:
      return std::size_t{as<FailureEntry>(entry).code_size} + as<FailureEntry>(entry).message_size;
    case EntryKind::kError: {
      const auto& error = as<ErrorEntry>(entry);
      return std::size_t{error.type_size} + error.message_size + error.code_size +
             std::size_t{error.frame_count} * sizeof(void*);
    }
    case EntryKind::kPanel:
      return as<PanelEntry>(entry).title_size;
    case EntryKind::kHeader:
      return std::size_t{as<HeaderEntry>(entry).name_size} + as<HeaderEntry>(entry).value_size;
    case EntryKind::kNone:
      break;
  }
  return 0;
}

}  // namespace

const Entry* entry_at(const char* at, const char* end) {
  const auto left = static_cast<std::size_t>(end - at);
  if (left < sizeof(Entry)) return nullptr;
  const auto& entry = *reinterpret_cast<const Entry*>(at);
  const std::size_t fixed = fixed_size(entry.kind);
  const std::size_t size = entry.size;
  if (fixed == 0 || size > left || size % kEntryAlign != 0 || size < fixed) return nullptr;
  return strings_size(entry) <= size - fixed ? &entry : nullptr;
}

namespace {

// Appends the begin entry at `at` with the secrets of its target masked, and returns its size; 0, and nothing
// done, when it holds none, as most do.
std::size_t append_masked_begin(const char* at, const char* end, std::vector<char>& log) {
  const Entry* entry = entry_at(at, end);
  if (entry == nullptr || entry->kind != EntryKind::kBegin) return 0;
  const auto& begin = as<BeginEntry>(*entry);
  const BeginView strings = view(begin);
  if (!mask::url_may_hold_secret(strings.target)) return 0;
  char target[kBlockBytes];
  BeginEntry masked = begin;
  masked.target_size = static_cast<std::uint16_t>(mask::copy_url(strings.target, target, sizeof(target)));
  const std::size_t size = sizeof(BeginEntry) + strings_size(masked);
  masked.size = static_cast<std::uint16_t>((size + kEntryAlign - 1) & ~(kEntryAlign - 1));
  const auto append = [&log](const void* bytes, std::size_t count) {
    log.insert(log.end(), static_cast<const char*>(bytes), static_cast<const char*>(bytes) + count);
  };
  append(&masked, sizeof(masked));
  append(strings.method.data(), strings.method.size());
  append(target, masked.target_size);
  for (const std::string_view text : {strings.host, strings.peer, strings.protocol, strings.traceparent})
    append(text.data(), text.size());
  log.resize(log.size() + masked.size - size);
  return begin.size;
}

}  // namespace

bool copy_log(const Pool& pool, std::uint32_t first, std::vector<char>& log) {
  std::uint32_t index = first;
  for (std::size_t count = 0; index != kNoBlock; ++count) {
    const Block* block = pool.at(index);
    if (block == nullptr || count == kMaxBlocksPerRecord) return false;
    const BlockHead& head = block->head.block;
    if (count > 0 &&
        (head.record != first || head.use.load(std::memory_order_relaxed) != BlockUse::kContinuation)) {
      return false;
    }
    const std::size_t begin = count == 0 ? sizeof(RecordHead) : kContinuationStart;
    const std::size_t end = head.used;
    if (end < begin || end > kBlockBytes || end % kEntryAlign != 0) return false;
    const char* bytes = reinterpret_cast<const char*>(block);
    const std::size_t done = count == 0 ? append_masked_begin(bytes + begin, bytes + end, log) : 0;
    log.insert(log.end(), bytes + begin + done, bytes + end);
    index = head.next.load(std::memory_order_relaxed);
  }
  return true;
}

void read_facts(const RecordHead& head, RecordFacts& facts) {
  const Counters& counters = head.counters;
  facts.id = {head.id_high, head.id_low};
  facts.parent = head.is_child() ? store::RequestId{head.parent_high, head.parent_low} : store::RequestId{};
  facts.parent_start_ticks = head.is_child() ? head.parent_start_ticks : 0;
  facts.start_ticks = head.start_ticks;
  facts.end_ticks = std::max(head.end_ticks, head.start_ticks);
  facts.bytes_in = head.bytes_in;
  facts.bytes_out = head.bytes_out;
  facts.cpu_ns = head.cpu_ns;
  facts.statement_ticks = counters.statement_ticks;
  facts.call_ticks = counters.call_ticks;
  facts.rows = counters.rows;
  facts.thread_number = head.thread_number;
  facts.statements = counters.statements.get();
  facts.statements_failed = counters.statements_failed;
  facts.errors = counters.errors.get();
  facts.calls = counters.calls;
  facts.spans = head.spans;
  facts.messages = counters.messages;
  facts.statements_cut = counters.statements_cut;
  facts.spans_cut = counters.spans_cut;
  facts.errors_cut = counters.errors_cut;
  facts.messages_cut = counters.messages_cut;
  facts.strings_cut = counters.strings_cut;
  facts.flags = head.flags;
  facts.status = head.status;
  facts.skip_reason = head.skip_reason;
  facts.level = head.level;
}

}  // namespace inlens::worker
