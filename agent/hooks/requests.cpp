#include "agent/hooks/requests.hpp"

#include <algorithm>

#include "agent/hooks/handle.hpp"
#include "agent/hooks/log_writer.hpp"
#include "agent/hooks/this_thread.hpp"
#include "agent/platform/clock.hpp"
#include "agent/platform/mask.hpp"

namespace inlens::hooks {

namespace {

constexpr std::uint64_t kCurrent = UINT64_MAX;
constexpr std::size_t kMaxString = 2000;
constexpr std::uint32_t kCpuSampleEvery = 16;
constexpr std::size_t kBeginStrings =
    255 + 64 + 16 + 64;  // host, peer, protocol, traceparent at their longest

// Words of the card are released one by one: a reader that saw a newer word must also see the newer
// generation.
void store_word(std::uint64_t& word, std::uint64_t value) {
  std::atomic_ref<std::uint64_t>(word).store(value, std::memory_order_release);
}

// The up to 7 bytes of `text` from `at` to `size`, as the low bytes of a word.
std::uint64_t load_tail(std::string_view text, std::size_t at, std::size_t size) noexcept {
  const std::size_t count = size - at;
  const char* from = text.data() + at;
  if (size >= 8) {  // out of a load that ends with them
    std::uint64_t word;
    __builtin_memcpy(&word, from + count - 8, 8);
    return word >> (64 - 8 * count);
  }
  if (count >= 4) {
    std::uint32_t low, high;
    __builtin_memcpy(&low, from, 4);
    __builtin_memcpy(&high, from + count - 4, 4);
    return low | static_cast<std::uint64_t>(high) << (8 * count - 32);
  }
  const auto byte = [from](std::size_t i) {
    return static_cast<std::uint64_t>(static_cast<unsigned char>(from[i]));
  };
  return byte(0) | byte(count / 2) << (8 * (count / 2)) | byte(count - 1) << (8 * (count - 1));
}

void store_text(char* to, std::size_t capacity, std::string_view text) {
  auto* words = reinterpret_cast<std::uint64_t*>(to);
  const std::size_t size = text.size() < capacity ? text.size() : capacity;
  std::size_t at = 0;
  std::uint64_t word = 0;
  for (; at + 8 <= size; at += 8) {
    __builtin_memcpy(&word, text.data() + at, 8);
    store_word(words[at / 8], word);
  }
  if (at < size) store_word(words[at / 8], load_tail(text, at, size));
}

// xoroshiro128+: ids need to be unique and not guessable from outside; nobody is let in by an id alone.
std::uint64_t next_random(std::uint64_t (&state)[2]) {
  const std::uint64_t s0 = state[0];
  std::uint64_t s1 = state[1];
  const std::uint64_t result = s0 + s1;
  s1 ^= s0;
  state[0] = (s0 << 24 | s0 >> 40) ^ s1 ^ (s1 << 16);
  state[1] = s1 << 37 | s1 >> 27;
  return result;
}

// Puts the head of a fresh block in order. The generation stays even until the card is written.
Block& open_block(Core& core, ThreadState& state, std::uint32_t index, BlockUse use) {
  Block& block = core.pool()[index];
  RecordHead& head = block.head;
  head.block.use.store(use, std::memory_order_relaxed);
  head.block.next = kNoBlock;
  head.block.record = index;
  head.block.used = sizeof(RecordHead);
  head.flags = 0;
  head.status = 0;
  head.last_block = index;
  head.end_ticks = 0;
  head.bytes_in = 0;
  head.bytes_out = 0;
  head.cpu_ns = 0;
  head.cpu_mark_ns = 0;
  head.parent_high = 0;
  head.parent_low = 0;
  head.parent_start_ticks = 0;
  head.innermost = kNoOrdinal;
  head.ordinals = 0;
  head.blocks = 1;
  head.skip_reason = 0;
  head.response = kNoBlock;
  head.counters.reset();
  store_word(head.card.route_size, 0);
  head.block.record_generation = head.block.generation.load(std::memory_order_relaxed) + 1;
  (void)state;
  return block;
}

struct CardInfo {
  std::uint64_t id_high, id_low, start_ticks;
  std::uint32_t thread_number;
  std::uint8_t level, flags;
  std::string_view method, target;
};

void write_card(Card& card, const CardInfo& info) {
  store_word(card.id_high, info.id_high);
  store_word(card.id_low, info.id_low);
  store_word(card.start_ticks, info.start_ticks);
  const std::string_view method = info.method.substr(0, kCardMethod);
  const std::string_view target = info.target.substr(0, kCardTarget);
  store_word(card.facts_word, std::bit_cast<std::uint64_t>(CardFacts{
                                  info.thread_number, info.level, static_cast<std::uint8_t>(method.size()),
                                  static_cast<std::uint8_t>(target.size()), info.flags}));
  store_text(card.method, kCardMethod, method);
  store_text(card.target, kCardTarget, target);
}

std::uint64_t publish(Core& core, Block& block) {
  const std::uint32_t generation = block.head.block.record_generation;
  // Partner: in-flight readers and handle checks, which load it with acquire.
  block.head.block.generation.store(generation, std::memory_order_release);
  return make_handle(kTagRecord, core.pool().index_of(&block), generation);
}

// Puts the begin's strings behind the head. The record is fresh, so there is room, and its log begins here.
void write_begin(Core& core, Block& block, const BeginInfo& info, std::string_view rest, std::uint64_t now) {
  Counters& counters = block.head.counters;
  if (!rest.empty()) [[unlikely]] {
    const std::uint32_t limit = core.limits().string_bytes.load(std::memory_order_relaxed);
    const std::size_t room =
        kBlockBytes - sizeof(RecordHead) - sizeof(BeginEntry) - kBeginStrings - kEntryAlign;
    rest = cut(rest, std::min<std::uint32_t>(limit > kCardTarget ? limit - kCardTarget : 0, room), counters);
  }
  const std::string_view host = cut(info.host, 255, counters);
  const std::string_view peer = cut(info.peer, 64, counters);
  const std::string_view protocol = cut(info.protocol, 16, counters);
  const std::string_view traceparent = cut(info.traceparent, 64, counters);
  auto* entry = reinterpret_cast<BeginEntry*>(reinterpret_cast<char*>(&block) + sizeof(RecordHead));
  char* to = strings_of(entry);
  if (!rest.empty()) [[unlikely]]
    to = put(to, rest);
  to = put(to, host);
  to = put(to, peer);
  to = put(to, protocol);
  if (!traceparent.empty()) to = put(to, traceparent);
  const auto size = static_cast<std::uint16_t>((to - reinterpret_cast<char*>(entry) + kEntryAlign - 1) &
                                               ~(kEntryAlign - 1));
  entry->kind = EntryKind::kBegin;
  entry->flags = 0;
  entry->size = size;
  entry->parent = kNoOrdinal;
  entry->ticks = now;
  entry->target_rest_size = static_cast<std::uint16_t>(rest.size());
  entry->host_size = static_cast<std::uint16_t>(host.size());
  entry->peer_size = static_cast<std::uint16_t>(peer.size());
  entry->protocol_size = static_cast<std::uint16_t>(protocol.size());
  entry->traceparent_size = static_cast<std::uint16_t>(traceparent.size());
  block.head.block.used = static_cast<std::uint16_t>(sizeof(RecordHead) + size);
}

void push(Core& core, ThreadState& state, Block& block, LossKind kind) {
  const std::uint32_t index = core.pool().index_of(&block);
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

void add_request(ThreadTotals& totals, const EndInfo& info, std::uint64_t bytes_in,
                 std::uint64_t duration_ns) {
  totals.ended.add();
  const std::uint32_t status_class = info.status / 100;
  totals.status_classes[status_class < 6 ? status_class : 0].add();
  if (bytes_in != 0) totals.bytes_in.add(bytes_in);
  totals.bytes_out.add(info.bytes_out);
  totals.latency[bucket_of(duration_ns)].add();
  totals.latency_total_ns.add(duration_ns);
  if (duration_ns > totals.latency_max_ns.get())
    totals.latency_max_ns.add(duration_ns - totals.latency_max_ns.get());
}

void stop_cpu(Block& block) {
  RecordHead& head = block.head;
  if (head.cpu_mark_ns == 0) return;
  const std::uint64_t now = thread_cpu_ns();
  if (now > head.cpu_mark_ns) head.cpu_ns += now - head.cpu_mark_ns;
  head.cpu_mark_ns = 0;
}

}  // namespace

void release_response(Core& core, ThreadState& state, std::uint32_t index) {
  while (index != kNoBlock) {
    BlockHead& head = core.pool()[index].head.block;
    const std::uint32_t next = head.next;
    if ((head.generation.load(std::memory_order_relaxed) & 1) != 0) {
      head.generation.fetch_add(1, std::memory_order_release);
    }
    give_block(core, state, index);
    index = next;
  }
}

BeginFacts begin_facts(const Block& record) {
  BeginFacts facts;
  const CardFacts card = record.head.card.facts();
  facts.method = {record.head.card.method, card.method_size};
  facts.subrequest = (record.head.flags & kFlagSubrequest) != 0;
  facts.tls = (record.head.flags & kFlagTls) != 0;
  const char* first = reinterpret_cast<const char*>(&record) + sizeof(RecordHead);
  const auto* entry = reinterpret_cast<const BeginEntry*>(first);
  if (record.head.block.used <= sizeof(RecordHead) || entry->kind != EntryKind::kBegin) return facts;
  const char* strings = first + sizeof(BeginEntry) + entry->target_rest_size;
  facts.host = {strings, entry->host_size};
  facts.peer = {strings + entry->host_size, entry->peer_size};
  return facts;
}

std::uint64_t resolve_handle(ThreadState& state, std::uint64_t request) {
  return request == kCurrent ? state.current : request;
}

std::uint64_t begin_request(Core& core, std::uint8_t level, const BeginInfo& info) {
  ThreadState* state = this_thread(core);
  if (state == nullptr) return 0;
  state->totals.begun.add();
  const std::uint32_t index = take_block(core, *state);
  if (index == kNoBlock) [[unlikely]] {
    state->totals.lose(LossReason::kPoolEmpty, LossKind::kRequests);
    return make_bare(ticks());
  }
  Block& block = open_block(core, *state, index, BlockUse::kRequest);
  RecordHead& head = block.head;
  head.flags = info.flags;
  head.bytes_in = info.bytes_in;
  if (level == static_cast<std::uint8_t>(Level::kFull) || (++state->cpu_sample % kCpuSampleEvery) == 0) {
    head.flags |= kFlagCpuTimed;
  }
  if (info.parent != 0) {
    if (const Block* parent = open_record(core, resolve_handle(*state, info.parent)); parent != nullptr) {
      head.parent_high = parent->head.card.id_high;
      head.parent_low = parent->head.card.id_low;
      head.parent_start_ticks = parent->head.card.start_ticks;
    }
  }
  char masked[kMaxString];
  std::string_view target = info.target;
  if (target.size() > kMaxString || mask::url_may_hold_secret(target)) [[unlikely]] {
    if (target.size() > kMaxString) ++head.counters.strings_cut;
    target = {masked, mask::copy_url(target, masked, sizeof(masked))};
  }
  const std::uint64_t now = ticks();
  write_card(head.card, {next_random(state->random), next_random(state->random), now, state->number, level,
                         static_cast<std::uint8_t>(head.flags), info.method, target});
  const std::string_view rest = target.size() > kCardTarget ? target.substr(kCardTarget) : std::string_view{};
  write_begin(core, block, info, rest, now);
  return publish(core, block);
}

void end_request(Core& core, std::uint64_t request, const EndInfo& info) {
  ThreadState* state = this_thread(core);
  if (state == nullptr) return;
  request = resolve_handle(*state, request);
  if (tag_of(request) == kTagBare) {
    const std::uint64_t elapsed = (ticks() - request) & kTicksMask;
    add_request(state->totals, info, info.bytes_in, ticks_to_ns(elapsed));
    if (state->current == request) state->current = 0;
    return;
  }
  Block* block = open_record(core, request);
  if (block == nullptr || block->head.block.use.load(std::memory_order_relaxed) != BlockUse::kRequest ||
      !close_record(*block, low_of(request))) {
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
  head.status = static_cast<std::uint16_t>(info.status < 1000 ? info.status : 0);
  if (info.aborted) head.flags |= kFlagAborted;
  if (info.bytes_in != 0) head.bytes_in = info.bytes_in;
  head.bytes_out = info.bytes_out;
  if (!info.content_type.empty()) {
    const std::string_view type = cut(info.content_type, 127, head.counters);
    if (auto* entry = append<TextEntry>(core, *state, *block, EntryKind::kContentType, type.size(), now)) {
      entry->text_size = static_cast<std::uint16_t>(type.size());
      put(strings_of(entry), type);
    }
  }
  add_counters(state->totals, head.counters);
  add_request(state->totals, info, head.bytes_in, ticks_to_ns(ticks_between(head.card.start_ticks, now)));
  push(core, *state, *block, LossKind::kRequests);
}

void set_route(Core& core, std::uint64_t request, std::string_view pattern) {
  ThreadState* state = this_thread(core);
  if (state == nullptr) return;
  request = resolve_handle(*state, request);
  Block* block = open_record(core, request);
  if (block == nullptr) {
    if (tag_of(request) != kTagBare) state->totals.lose(LossReason::kUnpaired);
    return;
  }
  RecordHead& head = block->head;
  pattern = cut(pattern, 255, head.counters);
  store_word(head.card.route_size, 0);
  store_text(head.card.route, kCardRoute, pattern);
  store_word(head.card.route_size, pattern.size() < kCardRoute ? pattern.size() : kCardRoute);
  if (auto* entry =
          append<TextEntry>(core, *state, *block, EntryKind::kRoute, pattern.size(), head.card.start_ticks)) {
    entry->text_size = static_cast<std::uint16_t>(pattern.size());
    put(strings_of(entry), pattern);
    head.flags |= kFlagRouted;
  } else {
    state->totals.lose(LossReason::kRecordFull, LossKind::kRequests);
  }
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
  Block& block = open_block(core, *state, index, BlockUse::kTask);
  RecordHead& head = block.head;
  // A task of a task belongs to the request.
  const bool nested = parent->head.block.use.load(std::memory_order_relaxed) == BlockUse::kTask;
  head.parent_high = nested ? parent->head.parent_high : parent->head.card.id_high;
  head.parent_low = nested ? parent->head.parent_low : parent->head.card.id_low;
  head.parent_start_ticks = nested ? parent->head.parent_start_ticks : parent->head.card.start_ticks;
  const std::uint64_t now = ticks();
  name = cut(name, 255, head.counters);
  write_card(head.card, {next_random(state->random), next_random(state->random), now, state->number,
                         parent->head.card.facts().level, 0, "TASK", name});
  if (auto* entry = append<TextEntry>(core, *state, block, EntryKind::kTaskName, name.size(), now)) {
    entry->text_size = static_cast<std::uint16_t>(name.size());
    put(strings_of(entry), name);
  }
  return publish(core, block);
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
  push(core, *state, *block, LossKind::kSpans);
}

std::uint64_t attach(Core& core, std::uint64_t request) {
  ThreadState* state = this_thread(core);
  if (state == nullptr) return 0;
  const std::uint64_t previous = state->current;
  if (request == kCurrent) return previous;
  state->current = request;
  if (Block* block = open_record(core, request);
      block != nullptr && (block->head.flags & kFlagCpuTimed) != 0) {
    block->head.cpu_mark_ns = thread_cpu_ns();
  }
  return previous;
}

void detach(Core& core, std::uint64_t previous) {
  ThreadState* state = this_thread(core);
  if (state == nullptr) return;
  if (Block* block = open_record(core, state->current); block != nullptr) stop_cpu(*block);
  state->current = previous == kCurrent ? 0 : previous;
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
  std::uint64_t words[2] = {task ? block->head.parent_high : block->head.card.id_high,
                            task ? block->head.parent_low : block->head.card.id_low};
  for (int i = 0; i < 32; ++i) {
    const auto digit = static_cast<unsigned>(words[i / 16] >> (60 - 4 * (i % 16))) & 0xF;
    out[i] = "0123456789abcdef"[digit];
  }
  out[32] = '\0';
  return true;
}

}  // namespace inlens::hooks
