#include "agent/hooks/events.hpp"

#include <algorithm>

#include "agent/hooks/handle.hpp"
#include "agent/hooks/log_writer.hpp"
#include "agent/hooks/requests.hpp"
#include "agent/hooks/this_thread.hpp"
#include "agent/platform/clock.hpp"
#include "agent/platform/mask.hpp"

namespace inlens::hooks {

namespace {

constexpr std::size_t kMaxString = 2000;
constexpr std::size_t kMaxFrames = 32;
constexpr std::uint32_t kMaxPanelColumns = 32;
constexpr std::uint32_t kMaxPanelCells = 2000;

// Free text with its secrets masked, cut to the configured length, in a buffer of its own.
class MaskedText {
 public:
  MaskedText(Core& core, std::string_view text, Counters* counters) {
    const std::size_t limit =
        std::min<std::size_t>(core.limits().string_bytes.load(std::memory_order_relaxed), kMaxString);
    if (text.size() > limit && counters != nullptr) ++counters->strings_cut;
    size_ = mask::copy_text(text.substr(0, limit), buffer_, limit);
  }
  std::string_view view() const { return {buffer_, size_}; }

 private:
  char buffer_[kMaxString];
  std::size_t size_ = 0;
};

bool append_error(Core& core, Block& record, const ErrorInfo& info) {
  Counters& counters = record.head.counters;
  const std::string_view type = cut(info.type, 255, counters);
  const std::string_view code = cut(info.code, 64, counters);
  const MaskedText masked(core, info.message, &counters);
  // While the guard would drop the error, its stack is not worth the copy.
  const bool dropped = core.guard_closed.load(std::memory_order_relaxed);
  const std::size_t frames = dropped ? 0 : std::min(info.frames.size(), kMaxFrames);
  const std::size_t fixed = sizeof(ErrorEntry) + type.size() + code.size() + frames * sizeof(void*);
  const std::string_view message = masked.view().substr(0, kMaxEntryBytes - kEntryAlign - fixed);
  auto* entry =
      append<ErrorEntry>(core, record, EntryKind::kError,
                         type.size() + message.size() + code.size() + frames * sizeof(void*), ticks());
  if (entry == nullptr) return false;
  if (info.handled) entry->flags |= kEntryHandled;
  entry->type_size = static_cast<std::uint16_t>(type.size());
  entry->message_size = static_cast<std::uint16_t>(message.size());
  entry->code_size = static_cast<std::uint16_t>(code.size());
  entry->frame_count = static_cast<std::uint16_t>(frames);
  char* to = put(put(put(strings_of(entry), type), message), code);
  if (frames > 0) std::memcpy(to, info.frames.data(), frames * sizeof(void*));
  return true;
}

// An error outside of any request travels in a record of its own.
void report_alone(Core& core, ThreadState& state, const ErrorInfo& info) {
  state.totals.errors.add();
  const std::uint32_t index = take_block(core, state);
  if (index == kNoBlock) {
    state.totals.lose(LossReason::kPoolEmpty, LossKind::kErrors);
    return;
  }
  Block& block = core.pool()[index];
  RecordHead& head = block.head;
  head.block.use.store(BlockUse::kEvent, std::memory_order_relaxed);
  head.block.next.store(kNoBlock, std::memory_order_relaxed);
  head.block.record = index;
  head.block.used = sizeof(RecordHead);
  head.last_block = index;
  head.blocks = 1;
  head.innermost = kNoOrdinal;
  head.end_ticks = ticks();
  head.counters.reset();
  append_error(core, block, info);
  hand_over(block);
  if (!core.queue().enqueue(state.token, index)) {
    state.totals.lose(LossReason::kQueueFull, LossKind::kErrors);
    give_block(core, state, index);
  }
}

struct Target {
  ThreadState* state = nullptr;
  Block* block = nullptr;
  std::uint64_t request = 0;
};

Target target_of(Core& core, std::uint64_t request) {
  Target target;
  target.state = this_thread(core);
  if (target.state == nullptr) return target;
  target.request = resolve_handle(*target.state, request);
  target.block = open_record(core, target.request);
  return target;
}

bool is_stale(const Target& target) {
  return target.request != 0 && tag_of(target.request) != kTagBare;
}

}  // namespace

void report_error(Core& core, std::uint64_t request, const ErrorInfo& info) {
  const Target target = target_of(core, request);
  if (target.state == nullptr) return;
  if (target.block == nullptr) {
    if (is_stale(target)) target.state->totals.lose(LossReason::kUnpaired);
    report_alone(core, *target.state, info);
    return;
  }
  Counters& counters = target.block->head.counters;
  counters.errors.increment();
  if (counters.errors.get() > core.limits().errors.load(std::memory_order_relaxed)) {
    ++counters.errors_cut;
    target.state->totals.lose(LossReason::kLimit, LossKind::kErrors);
  } else if (!append_error(core, *target.block, info)) {
    ++counters.errors_cut;
    target.state->totals.lose(LossReason::kRecordFull, LossKind::kErrors);
  }
}

void add_message(Core& core, std::uint64_t request, std::uint8_t severity, std::string_view text) {
  const Target target = target_of(core, request);
  if (target.state == nullptr) return;
  if (target.block == nullptr) {
    if (is_stale(target)) target.state->totals.lose(LossReason::kUnpaired);
    return;
  }
  Counters& counters = target.block->head.counters;
  if (++counters.messages > core.limits().messages.load(std::memory_order_relaxed)) {
    ++counters.messages_cut;
    target.state->totals.lose(LossReason::kLimit, LossKind::kMessages);
    return;
  }
  const MaskedText masked(core, text, &counters);
  auto* entry = append<TextEntry>(core, *target.block, EntryKind::kMessage, masked.view().size(), ticks());
  if (entry == nullptr) {
    ++counters.messages_cut;
    target.state->totals.lose(LossReason::kRecordFull, LossKind::kMessages);
    return;
  }
  entry->text_size = static_cast<std::uint16_t>(masked.view().size());
  entry->detail = severity;
  put(strings_of(entry), masked.view());
}

void add_panel(Core& core, std::uint64_t request, const PanelInfo& info) {
  const Target target = target_of(core, request);
  if (target.state == nullptr) return;
  if (target.block == nullptr) {
    if (is_stale(target)) target.state->totals.lose(LossReason::kUnpaired);
    return;
  }
  Block& record = *target.block;
  const std::uint32_t columns = std::min(info.columns, kMaxPanelColumns);
  if (columns == 0) return;
  const std::uint32_t rows = std::min(info.rows, kMaxPanelCells / columns);
  const std::string_view title = cut(info.title, 255, record.head.counters);
  const std::uint64_t now = ticks();
  auto* panel = append<PanelEntry>(core, record, EntryKind::kPanel, title.size(), now);
  bool whole = panel != nullptr && rows == info.rows && columns == info.columns;
  if (panel != nullptr) {
    panel->columns = columns;
    panel->cells = 0;
    panel->title_size = static_cast<std::uint16_t>(title.size());
    panel->panel_kind = info.kind;
    put(strings_of(panel), title);
    for (std::uint32_t i = 0; i < rows * columns; ++i) {
      const std::uint32_t row = i / columns;
      const std::uint32_t column = i % columns;
      // In a pair whose key names a secret, the value is masked.
      const bool secret = columns == 2 && column == 1 && mask::is_secret_key(info.cell(info.user, row, 0));
      const MaskedText masked(core, secret ? mask::kMasked : info.cell(info.user, row, column),
                              &record.head.counters);
      auto* cell = append<TextEntry>(core, record, EntryKind::kPanelCell, masked.view().size(), now);
      if (cell == nullptr) {
        whole = false;
        break;
      }
      cell->text_size = static_cast<std::uint16_t>(masked.view().size());
      cell->detail = info.depths != nullptr ? info.depths[row] : 0;
      put(strings_of(cell), masked.view());
      ++panel->cells;
    }
  }
  if (!whole)
    target.state->totals.lose(panel == nullptr ? LossReason::kRecordFull : LossReason::kLimit,
                              LossKind::kPanels);
}

void add_header(Core& core, std::uint64_t request, std::uint8_t direction, std::string_view name,
                std::string_view value) {
  const Target target = target_of(core, request);
  if (target.state == nullptr) return;
  if (target.block == nullptr) {
    if (is_stale(target)) target.state->totals.lose(LossReason::kUnpaired);
    return;
  }
  Block& record = *target.block;
  if (record.head.level < static_cast<std::uint8_t>(Level::kStandard)) return;
  name = cut(name, 127, record.head.counters);
  char masked[kMaxString];
  std::string_view kept = mask::kMasked;
  if (!mask::is_secret_key(name)) {
    const std::size_t limit = kMaxString - 128;
    if (value.size() > limit) ++record.head.counters.strings_cut;
    const bool url = value.find("://") < 16 || (!value.empty() && value.front() == '/');
    kept = {masked, url ? mask::copy_url(value, masked, limit) : mask::copy_text(value, masked, limit)};
  }
  auto* entry = append<HeaderEntry>(core, record, EntryKind::kHeader, name.size() + kept.size(), ticks());
  if (entry == nullptr) {
    target.state->totals.lose(LossReason::kRecordFull, LossKind::kHeaders);
    return;
  }
  entry->name_size = static_cast<std::uint16_t>(name.size());
  entry->value_size = static_cast<std::uint16_t>(kept.size());
  entry->direction = direction;
  put(put(strings_of(entry), name), kept);
}

}  // namespace inlens::hooks
