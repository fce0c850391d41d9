#include "tests/agent/worker/record_builder.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <new>
#include <stdexcept>

namespace inlens::worker {

using namespace hooks;

namespace {

std::uint32_t next_seed() {
  static std::uint32_t seed = 0;
  return seed += 1000;
}

std::uint16_t size16(std::string_view text) {
  return static_cast<std::uint16_t>(text.size());
}

std::uint32_t chain_length(const Pool& pool, std::uint32_t first) {
  std::uint32_t count = 0;
  for (; first != kNoBlock; first = pool[first].head.block.next_free.load()) ++count;
  return count;
}

}  // namespace

TestCore::TestCore(std::size_t pool_bytes) : core_(Core::make(pool_bytes, next_seed())) {
  if (core_ == nullptr) throw std::bad_alloc();
  install_core(core_);
}

TestCore::~TestCore() {
  install_core(nullptr);
  delete core_;
}

std::uint32_t TestCore::blocks_out() {
  std::uint32_t home = core_->pool().stocked();
  for (std::uint32_t number = 1; number <= core_->thread_count(); ++number) {
    home += core_->thread(number)->free_count +
            chain_length(core_->pool(), core_->thread(number)->returned.load());
  }
  return core_->pool().touched() - home;
}

RecordBuilder::RecordBuilder(TestCore& core, BlockUse use)
    : core_(core), index_(take_block(*core, core.thread())), block_(core->pool().at(index_)) {
  if (block_ == nullptr) throw std::runtime_error("the pool is empty");
  RecordHead& head = block_->head;
  head.block.use.store(use);
  head.block.next = kNoBlock;
  head.block.record = index_;
  head.block.used = sizeof(RecordHead);
  head.flags = 0;
  head.status = 0;
  head.last_block = index_;
  head.end_ticks = 0;
  head.bytes_in = head.bytes_out = head.cpu_ns = head.cpu_mark_ns = 0;
  head.parent_high = head.parent_low = head.parent_start_ticks = 0;
  head.innermost = kNoOrdinal;
  head.ordinals = 0;
  head.blocks = 1;
  head.skip_reason = 0;
  new (&head.counters) Counters();
  head.set_route({});
  head.level = 1;
  head.thread_number = core.thread().number;
  head.start_ticks = 0;
}

RecordBuilder& RecordBuilder::id(std::uint64_t low) {
  block_->head.id_high = 0xABCD;
  block_->head.id_low = low;
  return *this;
}

RecordBuilder& RecordBuilder::parent(std::uint64_t low, std::uint64_t start_ticks) {
  block_->head.parent_high = 0xABCD;
  block_->head.parent_low = low;
  block_->head.parent_start_ticks = start_ticks;
  block_->head.flags |= kFlagChild;
  return *this;
}

RecordBuilder& RecordBuilder::times(std::uint64_t start, std::uint64_t end) {
  block_->head.start_ticks = start;
  block_->head.end_ticks = end;
  return *this;
}

RecordBuilder& RecordBuilder::request(std::string_view method, std::string_view target,
                                      std::uint16_t status) {
  method_ = method;
  target_ = target;
  block_->head.status = status;
  return *this;
}

RecordBuilder& RecordBuilder::flags(std::uint16_t flags) {
  block_->head.flags |= flags;
  return *this;
}

template <class E>
E* RecordBuilder::add(EntryKind kind, std::size_t strings, std::uint64_t at) {
  begin_once();
  E* entry = append<E>(*core_, *block_, kind, strings, at);
  if (entry == nullptr) throw std::runtime_error("the record is full");
  return entry;
}

RecordBuilder& RecordBuilder::begin(std::string_view host, std::string_view peer, std::string_view protocol,
                                    std::string_view traceparent) {
  begun_ = true;
  const std::size_t strings =
      method_.size() + target_.size() + host.size() + peer.size() + protocol.size() + traceparent.size();
  auto* entry = add<BeginEntry>(EntryKind::kBegin, strings, block_->head.start_ticks);
  entry->method_size = static_cast<std::uint8_t>(method_.size());
  entry->target_size = size16(target_);
  entry->host_size = static_cast<std::uint8_t>(host.size());
  entry->peer_size = static_cast<std::uint8_t>(peer.size());
  entry->protocol_size = static_cast<std::uint8_t>(protocol.size());
  entry->traceparent_size = static_cast<std::uint8_t>(traceparent.size());
  char* to = put(put(strings_of(entry), method_), target_);
  put(put(put(put(to, host), peer), protocol), traceparent);
  return *this;
}

void RecordBuilder::begin_once() {
  const bool needs_one = block_->head.block.use.load() != BlockUse::kEvent;
  if (!std::exchange(begun_, true) && needs_one) begin({}, {}, {}, {});
}

RecordBuilder& RecordBuilder::route(std::string_view pattern) {
  block_->head.flags |= kFlagRouted;
  return text(EntryKind::kRoute, pattern);
}

RecordBuilder& RecordBuilder::text(EntryKind kind, std::string_view text, std::uint8_t detail,
                                   std::uint64_t at) {
  auto* entry = add<TextEntry>(kind, text.size(), at);
  entry->text_size = size16(text);
  entry->detail = detail;
  put(strings_of(entry), text);
  if (kind == EntryKind::kMessage) ++block_->head.counters.messages;
  return *this;
}

std::uint32_t RecordBuilder::span(std::uint8_t kind, std::string_view name, std::uint64_t from,
                                  std::uint64_t to, std::uint32_t parent) {
  auto* entry = add<SpanEntry>(EntryKind::kSpan, name.size(), from);
  entry->parent = parent;
  entry->flags = to == 0 ? kEntryOpen : 0;
  entry->end_ticks = to;
  entry->ordinal = block_->head.ordinals++;
  entry->name_size = size16(name);
  entry->span_kind = kind;
  put(strings_of(entry), name);
  ++block_->head.spans;
  return entry->ordinal;
}

std::uint32_t RecordBuilder::statement(const StatementSpec& spec) {
  const std::uint64_t hash = text_hash(spec.text, spec.dialect);
  const std::string_view text =
      spec.hash_only || core_->known_texts.knows(hash) ? std::string_view{} : spec.text;
  const std::string_view database = "shop.db";
  auto* entry = add<StatementEntry>(EntryKind::kStatement, text.size() + database.size(), spec.from);
  entry->parent = spec.parent;
  entry->flags =
      static_cast<std::uint8_t>((spec.to == 0 ? kEntryOpen : 0) | (spec.failed ? kEntryFailed : 0));
  entry->end_ticks = spec.to;
  entry->ordinal = block_->head.ordinals++;
  entry->text_size = size16(text);
  entry->database_size = size16(database);
  entry->text_hash = hash;
  entry->text_full_size = spec.text.size();
  entry->rows = spec.rows;
  entry->duration_ns = spec.duration_ns;
  entry->caller = nullptr;
  entry->dialect = spec.dialect;
  put(put(strings_of(entry), text), database);
  const std::uint32_t ordinal = entry->ordinal;

  Counters& counters = block_->head.counters;
  counters.statements.increment();
  counters.statements_failed += spec.failed ? 1 : 0;
  counters.statement_ticks += spec.duration_ns != 0 ? spec.duration_ns : ticks_between(spec.from, spec.to);
  counters.rows += static_cast<std::uint64_t>(std::max<std::int64_t>(spec.rows, 0));
  if (spec.failed) {
    auto* failure =
        add<FailureEntry>(EntryKind::kStatementError, spec.code.size() + spec.message.size(), spec.to);
    failure->parent = ordinal;
    failure->code_size = size16(spec.code);
    failure->message_size = size16(spec.message);
    put(put(strings_of(failure), spec.code), spec.message);
  }
  return ordinal;
}

std::uint32_t RecordBuilder::call(std::string_view method, std::string_view url, std::uint64_t from,
                                  std::uint64_t to, std::uint32_t status, std::uint32_t parent) {
  auto* entry = add<CallEntry>(EntryKind::kCall, method.size() + url.size(), from);
  entry->parent = parent;
  entry->flags = to == 0 ? kEntryOpen : 0;
  entry->end_ticks = to;
  entry->ordinal = block_->head.ordinals++;
  entry->status = status;
  entry->bytes_out = 10;
  entry->bytes_in = 20;
  entry->method_size = size16(method);
  entry->url_size = size16(url);
  put(put(strings_of(entry), method), url);
  ++block_->head.counters.calls;
  ++block_->head.spans;
  block_->head.counters.call_ticks += ticks_between(from, to);
  return entry->ordinal;
}

RecordBuilder& RecordBuilder::error(const ErrorSpec& spec) {
  const std::size_t frames = spec.frames.size() * sizeof(void*);
  auto* entry = add<ErrorEntry>(EntryKind::kError,
                                spec.type.size() + spec.message.size() + spec.code.size() + frames, spec.at);
  if (spec.handled) entry->flags |= kEntryHandled;
  entry->type_size = size16(spec.type);
  entry->message_size = size16(spec.message);
  entry->code_size = size16(spec.code);
  entry->frame_count = static_cast<std::uint16_t>(spec.frames.size());
  char* to = put(put(put(strings_of(entry), spec.type), spec.message), spec.code);
  if (frames != 0) std::memcpy(to, spec.frames.data(), frames);
  block_->head.counters.errors.increment();
  return *this;
}

RecordBuilder& RecordBuilder::panel(std::uint8_t kind, std::string_view title, std::uint32_t columns,
                                    std::initializer_list<std::string_view> cells) {
  auto* entry = add<PanelEntry>(EntryKind::kPanel, title.size(), 0);
  entry->columns = columns;
  entry->cells = static_cast<std::uint32_t>(cells.size());
  entry->title_size = size16(title);
  entry->panel_kind = kind;
  put(strings_of(entry), title);
  std::uint8_t row = 0;
  std::uint32_t column = 0;
  for (const std::string_view cell : cells) {
    text(EntryKind::kPanelCell, cell, row);
    if (++column == columns) {
      column = 0;
      ++row;
    }
  }
  return *this;
}

RecordBuilder& RecordBuilder::header(std::uint8_t direction, std::string_view name, std::string_view value) {
  auto* entry = add<HeaderEntry>(EntryKind::kHeader, name.size() + value.size(), 0);
  entry->name_size = size16(name);
  entry->value_size = size16(value);
  entry->direction = direction;
  put(put(strings_of(entry), name), value);
  return *this;
}

std::uint32_t RecordBuilder::push() {
  begin_once();
  if (!core_->queue().enqueue(core_.thread().token, index_)) throw std::runtime_error("the queue is full");
  return index_;
}

std::uint64_t text_hash(std::string_view text, std::uint8_t dialect) {
  return XXH3_64bits(text.data(), text.size()) ^ dialect * 0x9E3779B97F4A7C15;
}

}  // namespace inlens::worker
