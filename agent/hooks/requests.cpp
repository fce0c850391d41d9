#include "agent/hooks/requests.hpp"

#include <algorithm>

#include "agent/hooks/handle.hpp"
#include "agent/hooks/hex.hpp"
#include "agent/hooks/log_writer.hpp"
#include "agent/hooks/this_thread.hpp"
#include "agent/platform/clock.hpp"

namespace inlens::hooks {

namespace {

constexpr std::uint32_t kMostMethod = 32, kMostHost = 255, kMostPeer = 64, kMostProtocol = 16,
                        kMostTrace = 64;
// Targets up to here fit the first block beside whatever else begin says.
constexpr std::size_t kRoomyTarget = kBlockBytes - sizeof(RecordHead) - sizeof(BeginEntry) - kEntryAlign -
                                     kMostMethod - kMostHost - kMostPeer - kMostProtocol - kMostTrace;
static_assert(kRoomyTarget >= 1500);

// One step of xoroshiro128; both words of an id come from one state, so ids of a thread differ as long as its
// states do. Ids need to be unique and not guessable from outside; nobody is let in by an id alone.
void make_id(std::uint64_t (&state)[2], RecordHead& head) {
  const std::uint64_t s0 = state[0];
  const std::uint64_t s1 = state[1] ^ s0;
  head.id_high = s0 + state[1];
  state[0] = (s0 << 24 | s0 >> 40) ^ s1 ^ (s1 << 16);
  state[1] = s1 << 37 | s1 >> 27;
  head.id_low = state[1];
}

// Puts the head of a fresh block in order; the generation stays even until publish().
[[gnu::always_inline]] inline void open_block(const ThreadState& state, Block& block, std::uint32_t index,
                                              BlockUse use) {
  RecordHead& head = block.head;
  head.block.use.store(use, std::memory_order_relaxed);
  head.block.next.store(kNoBlock, std::memory_order_relaxed);
  head.block.record = index;
  head.block.record_generation = head.block.generation.load(std::memory_order_relaxed) + 1;
  head.last_block = index;
  head.innermost = kNoOrdinal;
  head.ordinals = 0;
  head.activity.set(0);
  head.spans = 0;
  head.response = kNoBlock;
  head.flags = 0;
  head.status = 0;
  head.blocks = 1;
  head.skip_reason = 0;
  head.thread_number = state.number;
  head.end_ticks = 0;
  head.bytes_in = 0;
  head.bytes_out = 0;
  head.cpu_ns = 0;
  head.cpu_mark_ns = 0;
  head.set_route({});
  head.counters.reset();
}

void set_parent(RecordHead& head, std::uint64_t id_high, std::uint64_t id_low, std::uint64_t start_ticks) {
  head.parent_high = id_high;
  head.parent_low = id_low;
  head.parent_start_ticks = start_ticks;
  head.flags |= kFlagChild;
}

std::uint64_t publish(Block& block, std::uint32_t index) {
  const std::uint32_t generation = block.head.block.record_generation;
  // Partner: in-flight readers and handle checks, which load it with acquire.
  block.head.block.generation.store(generation, std::memory_order_release);
  return make_handle(kTagRecord, index, generation);
}

struct BeginStrings {
  std::string_view method, target, host, peer, protocol, traceparent;
};

// The record is fresh, so its log begins here and there is room for strings within their limits.
[[gnu::always_inline]] inline void write_begin(Block& block, const BeginStrings& strings, std::uint64_t now) {
  BeginEntry* entry = begin_entry(block);
  char* to = put(strings_of(entry), strings.method);
  to = put(to, strings.target);
  to = put(to, strings.host);
  to = put(to, strings.peer);
  to = put(to, strings.protocol);
  if (!strings.traceparent.empty()) to = put(to, strings.traceparent);
  const auto size = static_cast<std::uint16_t>((to - reinterpret_cast<char*>(entry) + kEntryAlign - 1) &
                                               ~(kEntryAlign - 1));
  entry->kind = EntryKind::kBegin;
  entry->flags = 0;
  entry->size = size;
  entry->parent = kNoOrdinal;
  entry->ticks = now;
  entry->target_size = static_cast<std::uint16_t>(strings.target.size());
  entry->method_size = static_cast<std::uint8_t>(strings.method.size());
  entry->host_size = static_cast<std::uint8_t>(strings.host.size());
  entry->peer_size = static_cast<std::uint8_t>(strings.peer.size());
  entry->protocol_size = static_cast<std::uint8_t>(strings.protocol.size());
  entry->traceparent_size = static_cast<std::uint8_t>(strings.traceparent.size());
  block.head.block.used = static_cast<std::uint16_t>(sizeof(RecordHead) + size);
}

void push(Core& core, ThreadState& state, Block& block, std::uint32_t index, LossKind kind) {
  hand_over(block);
  if (core.queue().enqueue(state.token, index)) [[likely]]
    return;
  state.totals.lose(LossReason::kQueueFull, kind);
  give_record(core, index);
}

// Ends the writing of a record: exactly one caller wins, so that a doubled end can never push a record twice.
bool close_record(Block& block, std::uint32_t generation) {
  return block.head.block.generation.compare_exchange_strong(
      generation, generation + 1, std::memory_order_acq_rel, std::memory_order_relaxed);
}

// Most requests of a server without a database count nothing.
bool counted_nothing(const Counters& counters) {
  return (counters.statements.get() | counters.errors.get() | counters.calls | counters.messages |
          counters.strings_cut) == 0;
}

void add_counters(ThreadTotals& totals, const Counters& counters) {
  if (const std::uint32_t statements = counters.statements.get(); statements != 0) {
    totals.statements.add(statements);
    totals.statement_ticks.add(counters.statement_ticks);
    if (counters.statements_failed != 0) totals.statements_failed.add(counters.statements_failed);
  }
  if (const std::uint32_t errors = counters.errors.get(); errors != 0) totals.errors.add(errors);
  if (counters.calls != 0) totals.calls.add(counters.calls);
  if (counters.messages != 0) totals.messages.add(counters.messages);
  if (counters.strings_cut != 0) {
    totals.lost_by_reason[static_cast<std::size_t>(LossReason::kStringCut)].add(counters.strings_cut);
  }
}

void add_request(ThreadTotals& totals, const inlens_request_result& result, std::uint64_t bytes_in,
                 std::uint64_t duration_ns) {
  const std::uint32_t status_class = result.status / 100;
  totals.status_classes[status_class < 6 ? status_class : 0].add();
  if (bytes_in != 0) totals.bytes_in.add(bytes_in);
  totals.bytes_out.add(result.bytes_out);
  totals.latency[bucket_of(duration_ns)].add();
  totals.latency_total_ns.add(duration_ns);
  totals.latency_max_ns.raise_to(duration_ns);
}

void stop_cpu(Block& block) {
  RecordHead& head = block.head;
  if (head.cpu_mark_ns == 0) return;
  const std::uint64_t now = thread_cpu_ns();
  if (now > head.cpu_mark_ns) head.cpu_ns += now - head.cpu_mark_ns;
  head.cpu_mark_ns = 0;
}

}  // namespace

Block* current_record(Core& core, std::uint64_t& request) noexcept {
  ThreadState* state = this_thread(core);
  if (state == nullptr) return nullptr;
  if (request == INLENS_CURRENT) {
    request = state->current;
    if (Block* block = open_record(core, request)) return block;
  }
  if (tag_of(request) != kTagBare && request != 0) state->totals.lose(LossReason::kUnpaired);
  return nullptr;
}

void release_response(Core& core, ThreadState& state, std::uint32_t index) {
  while (index != kNoBlock) {
    BlockHead& head = core.pool()[index].head.block;
    const std::uint32_t next = head.next.load(std::memory_order_relaxed);
    if ((head.generation.load(std::memory_order_relaxed) & 1) != 0) {
      head.generation.fetch_add(1, std::memory_order_release);
    }
    give_block(core, state, index);
    index = next;
  }
}

BeginFacts begin_facts(const Block& record) {
  const BeginEntry* entry = begin_entry(record);
  const char* host = strings_of(entry) + entry->method_size + entry->target_size;
  BeginFacts facts;
  facts.method = {strings_of(entry), entry->method_size};
  facts.host = {host, entry->host_size};
  facts.peer = {host + entry->host_size, entry->peer_size};
  facts.traceparent = {facts.peer.data() + entry->peer_size + entry->protocol_size, entry->traceparent_size};
  facts.subrequest = (record.head.flags & kFlagSubrequest) != 0;
  facts.tls = (record.head.flags & kFlagTls) != 0;
  return facts;
}

namespace {

[[gnu::always_inline]] inline std::uint64_t begin(Core& core, ThreadState& state, std::uint32_t index,
                                                  std::uint8_t level, std::uint16_t flags,
                                                  const inlens_request_info& info) noexcept {
  Block& block = core.pool()[index];
  RecordHead& head = block.head;
  open_block(state, block, index, BlockUse::kRequest);
  head.level = level;
  head.flags = flags | (info.flags & (kFlagTls | kFlagSubrequest | kFlagBackground));
  head.bytes_in = info.bytes_in;
  if (info.parent != 0) [[unlikely]] {
    if (const Block* parent = open_record(core, resolve_handle(state, info.parent)); parent != nullptr)
      set_parent(head, parent->head.id_high, parent->head.id_low, parent->head.start_ticks);
  }
  make_id(state.random, head);
  Counters& counters = head.counters;
  BeginStrings strings;
  strings.method = cut(view(info.method), kMostMethod, counters);
  strings.host = cut(view(info.host), kMostHost, counters);
  strings.peer = cut(view(info.peer), kMostPeer, counters);
  strings.protocol = cut(view(info.protocol), kMostProtocol, counters);
  strings.traceparent = cut(view(info.traceparent), kMostTrace, counters);
  const std::uint32_t limit = core.limits().string_bytes.load(std::memory_order_relaxed);
  strings.target = cut(view(info.target), std::min<std::uint32_t>(limit, kRoomyTarget), counters);
  const std::uint64_t now = ticks();
  head.start_ticks = now;
  write_begin(block, strings, now);
  return publish(block, index);
}

}  // namespace

std::uint64_t begin_request(Core& core, std::uint8_t level, const inlens_request_info& info) noexcept {
  ThreadState* state = this_thread(core);
  if (state == nullptr) [[unlikely]]
    return 0;
  state->totals.begun.add();
  const std::uint32_t index = take_block(core, *state);
  if (index == kNoBlock) [[unlikely]] {
    state->totals.lose(LossReason::kPoolEmpty, LossKind::kRequests);
    return make_bare(ticks());
  }
  return begin(core, *state, index, level, 0, info);
}

std::uint64_t begin_uncounted(Core& core, std::uint8_t level, const inlens_request_info& info) noexcept {
  ThreadState* state = this_thread(core);
  if (state == nullptr) return 0;
  const std::uint32_t index = take_block(core, *state);
  if (index == kNoBlock) {
    state->totals.lose(LossReason::kPoolEmpty, LossKind::kRequests);
    return 0;
  }
  return begin(core, *state, index, level, kFlagUncounted, info);
}

void end_request(Core& core, std::uint64_t request, const inlens_request_result& result) noexcept {
  ThreadState* state = this_thread(core);
  if (state == nullptr) [[unlikely]]
    return;
  request = resolve_handle(*state, request);
  if (tag_of(request) == kTagBare) [[unlikely]] {
    const std::uint64_t elapsed = (ticks() - request) & kTicksMask;
    add_request(state->totals, result, result.bytes_in, ticks_to_ns(elapsed));
    if (state->current == request) state->current = 0;
    return;
  }
  Block* block = open_record(core, request);
  if (block == nullptr || block->head.block.use.load(std::memory_order_relaxed) != BlockUse::kRequest ||
      !close_record(*block, low_of(request))) [[unlikely]] {
    state->totals.lose(LossReason::kUnpaired);
    return;
  }
  const std::uint64_t now = ticks();
  RecordHead& head = block->head;
  stop_cpu(*block);
  if (head.response != kNoBlock) [[unlikely]]
    release_response(core, *state, head.response);
  if (state->current == request) state->current = 0;
  head.end_ticks = now;
  head.status = static_cast<std::uint16_t>(result.status < 1000 ? result.status : 0);
  if ((result.flags & INLENS_RESULT_ABORTED) != 0) head.flags |= kFlagAborted;
  if (result.bytes_in != 0) head.bytes_in = result.bytes_in;
  head.bytes_out = result.bytes_out;
  if (const std::string_view given = view(result.content_type); !given.empty()) {
    const std::string_view type = cut(given, 127, head.counters);
    if (auto* entry = append<TextEntry>(core, *block, EntryKind::kContentType, type.size(), now)) {
      entry->text_size = static_cast<std::uint16_t>(type.size());
      put(strings_of(entry), type);
    }
  }
  if (!counted_nothing(head.counters)) add_counters(state->totals, head.counters);
  if ((head.flags & kFlagUncounted) == 0) [[likely]]
    add_request(state->totals, result, head.bytes_in, ticks_to_ns(ticks_between(head.start_ticks, now)));
  push(core, *state, *block, index_of(request), LossKind::kRequests);
}

void set_route(Core& core, std::uint64_t request, std::string_view pattern) noexcept {
  Block* block = record_to_write(core, request);
  if (block == nullptr) return;
  RecordHead& head = block->head;
  pattern = cut(pattern, 255, head.counters);
  Place place;
  auto* entry = append<TextEntry>(core, *block, EntryKind::kRoute, pattern.size(), head.start_ticks, &place);
  if (entry == nullptr) [[unlikely]]
    return lose(core, LossReason::kRecordFull, LossKind::kRequests);
  entry->text_size = static_cast<std::uint16_t>(pattern.size());
  put(strings_of(entry), pattern);
  head.flags |= kFlagRouted;
  head.set_route(
      {place.block, static_cast<std::uint16_t>(place.offset + sizeof(TextEntry)), entry->text_size});
}

std::uint64_t begin_task(Core& core, std::uint64_t request, std::string_view name) {
  ThreadState* state = this_thread(core);
  if (state == nullptr) return 0;
  request = resolve_handle(*state, request);
  const Block* parent = open_record(core, request);
  if (parent == nullptr) {
    if (tag_of(request) != kTagBare && request != 0) state->totals.lose(LossReason::kUnpaired);
    return 0;
  }
  const std::uint32_t index = take_block(core, *state);
  if (index == kNoBlock) {
    state->totals.lose(LossReason::kPoolEmpty, LossKind::kSpans);
    return 0;
  }
  Block& block = core.pool()[index];
  RecordHead& head = block.head;
  open_block(*state, block, index, BlockUse::kTask);
  const RecordHead& above = parent->head;
  head.level = above.level;
  // A task of a task belongs to the request.
  if (above.block.use.load(std::memory_order_relaxed) == BlockUse::kTask) {
    set_parent(head, above.parent_high, above.parent_low, above.parent_start_ticks);
  } else {
    set_parent(head, above.id_high, above.id_low, above.start_ticks);
  }
  make_id(state->random, head);
  const std::uint64_t now = ticks();
  head.start_ticks = now;
  // The trace that its own calls continue.
  const std::string_view traceparent = begin_facts(*parent).traceparent;
  write_begin(block, {"TASK", cut(name, 255, head.counters), {}, {}, {}, traceparent}, now);
  return publish(block, index);
}

void end_task(Core& core, std::uint64_t task) {
  ThreadState* state = this_thread(core);
  if (state == nullptr || task == 0) return;
  task = resolve_handle(*state, task);
  Block* block = open_record(core, task);
  if (block == nullptr || block->head.block.use.load(std::memory_order_relaxed) != BlockUse::kTask ||
      !close_record(*block, low_of(task))) {
    state->totals.lose(LossReason::kUnpaired);
    return;
  }
  stop_cpu(*block);
  if (state->current == task) state->current = 0;
  block->head.end_ticks = ticks();
  add_counters(state->totals, block->head.counters);
  push(core, *state, *block, index_of(task), LossKind::kSpans);
}

std::uint64_t attach(Core& core, std::uint64_t request) {
  ThreadState* state = this_thread(core);
  if (state == nullptr) return 0;
  const std::uint64_t previous = state->current;
  if (request == INLENS_CURRENT) return previous;
  state->current = request;
  // At full of every request, else of a sample.
  if (Block* block = open_record(core, request);
      block != nullptr && (block->head.level == static_cast<std::uint8_t>(Level::kFull) ||
                           (block->head.id_low & g_clock.cpu_sample_mask) == 0)) {
    block->head.flags |= kFlagCpuTimed;
    block->head.cpu_mark_ns = thread_cpu_ns();
  }
  return previous;
}

void detach(Core& core, std::uint64_t previous) {
  ThreadState* state = this_thread(core);
  if (state == nullptr) return;
  if (Block* block = open_record(core, state->current); block != nullptr) stop_cpu(*block);
  state->current = previous == INLENS_CURRENT ? 0 : previous;
}

std::uint64_t current(Core& core) {
  ThreadState* state = this_thread(core);
  if (state == nullptr) return 0;
  if (tag_of(state->current) == kTagBare || open_record(core, state->current) != nullptr)
    return state->current;
  return 0;
}

bool write_id(Core& core, std::uint64_t request, char (&out)[33]) {
  ThreadState* state = this_thread(core);
  if (state == nullptr) return false;
  const Block* block = open_record(core, resolve_handle(*state, request));
  if (block == nullptr) return false;
  const bool task = block->head.block.use.load(std::memory_order_relaxed) == BlockUse::kTask;
  write_hex(task ? block->head.parent_high : block->head.id_high, out);
  write_hex(task ? block->head.parent_low : block->head.id_low, out + 16);
  out[32] = '\0';
  return true;
}

}  // namespace inlens::hooks
