#include "agent/abi/responses.hpp"

#include <algorithm>
#include <new>
#include <span>

#include "agent/abi/guard.hpp"
#include "agent/abi/runtime.hpp"
#include "agent/hooks/handle.hpp"
#include "agent/hooks/requests.hpp"
#include "agent/hooks/this_thread.hpp"
#include "agent/platform/for_ever.hpp"
#include "console/bar/decision.hpp"
#include "console/bar/injector.hpp"
#include "console/bar/loader_tag.hpp"

namespace inlens::abi {

namespace {

using hooks::Block;
using hooks::Core;
using hooks::ThreadState;

constexpr std::size_t kMaxHeaders = 128;
constexpr std::string_view kBasePath = "/~inlens/";

std::atomic<const BarSettings*> g_settings{nullptr};

// Lives in a pool block of its own, the injector in the one chained behind it.
struct ResponseState {
  std::uint64_t request;
  bar::Injector* injector;
  std::size_t fragment_size, host_size, nonce_size;
  char fragment[bar::kMaxLoaderTagBytes];
  char host[256];
  char nonce[256];
};
static_assert(sizeof(ResponseState) <= hooks::kMaxEntryBytes);
static_assert(sizeof(bar::Injector) <= hooks::kMaxEntryBytes);
static_assert(alignof(bar::Injector) <= hooks::kEntryAlign);

char* body_of(Block& block) {
  return reinterpret_cast<char*>(&block) + hooks::kContinuationStart;
}

ResponseState* find_response(Core& core, inlens_response response) noexcept {
  Block* block = hooks::open_record(core, response);
  if (block == nullptr ||
      block->head.block.use.load(std::memory_order_relaxed) != hooks::BlockUse::kResponse) {
    return nullptr;
  }
  return reinterpret_cast<ResponseState*>(body_of(*block));
}

void count(ThreadState& state, Block& record, bar::Skip skip) noexcept {
  record.head.skip_reason = static_cast<std::uint16_t>(skip);
  if (skip == bar::Skip::kNone) {
    record.head.flags |= hooks::kFlagDecorated;
    state.totals.bars_inserted.add();
  } else if (static_cast<std::size_t>(skip) < state.totals.pages_skipped.size()) {
    state.totals.pages_skipped[static_cast<std::size_t>(skip)].add();
  }
}

// The lines of a head as the bar wants them. Not cleared first: there is room for many and most heads are
// small.
class HeaderViews {
 public:
  HeaderViews(const inlens_header* headers, std::size_t count) noexcept
      : size_(headers == nullptr ? 0 : std::min(count, kMaxHeaders)) {
    for (std::size_t i = 0; i < size_; ++i)
      new (&slots_[i].line) bar::HeaderView{view(headers[i].name), view(headers[i].value)};
  }
  std::span<const bar::HeaderView> lines() const noexcept { return {&slots_[0].line, size_}; }

 private:
  union Slot {
    Slot() noexcept {}
    bar::HeaderView line;
  };
  static_assert(sizeof(Slot) == sizeof(bar::HeaderView));
  std::size_t size_;
  Slot slots_[kMaxHeaders];
};

bool is_forwarded(std::span<const bar::HeaderView> headers) noexcept {
  for (const bar::HeaderView& header : headers) {
    for (const std::string_view name : {"x-forwarded-for", "forwarded", "x-real-ip", "via"}) {
      if (header.name.size() == name.size() && strncasecmp(header.name.data(), name.data(), name.size()) == 0)
        return true;
    }
  }
  return false;
}

bool is_loopback(std::string_view peer) noexcept {
  return peer.substr(0, 4) == "127." || peer == "::1" || peer.substr(0, 11) == "::ffff:127.";
}

// A proxy on this machine makes every caller look local, so one that was forwarded is not.
bool may_see_bar(const BarSettings& settings, const hooks::BeginFacts& facts,
                 std::span<const bar::HeaderView> request_headers) {
  if (settings.local_callers && is_loopback(facts.peer) && !is_forwarded(request_headers)) return true;
  return console_session_of(request_headers, facts.peer, facts.tls);
}

inlens_response open_response(Core& core, ThreadState& state, Block& record, inlens_request request,
                              const hooks::BeginFacts& facts, std::string_view nonce,
                              const BarSettings& settings, bar::Skip& reason) {
  const std::uint32_t first = hooks::take_block(core, state);
  const std::uint32_t second = first == hooks::kNoBlock ? first : hooks::take_block(core, state);
  if (second == hooks::kNoBlock) {
    if (first != hooks::kNoBlock) hooks::give_block(core, state, first);
    reason = bar::Skip::kNoRecord;
    return INLENS_NONE;
  }
  Block& block = core.pool()[first];
  auto* response = new (body_of(block)) ResponseState;
  char id[33];
  hooks::write_id(core, request, id);
  response->request = request;
  response->host_size = facts.host.copy(response->host, sizeof(response->host));
  response->nonce_size = nonce.copy(response->nonce, sizeof(response->nonce));
  const std::string_view kept_nonce(response->nonce, response->nonce_size);
  response->fragment_size = bar::write_loader_tag(response->fragment, sizeof(response->fragment), kBasePath,
                                                  settings.loader_version, id, kept_nonce);
  if (response->fragment_size == 0) {
    hooks::give_block(core, state, first);
    hooks::give_block(core, state, second);
    reason = bar::Skip::kCsp;  // the page's nonce is not one
    return INLENS_NONE;
  }
  const bar::LoaderSource source{kBasePath, {response->host, response->host_size}, facts.tls};
  response->injector = new (body_of(core.pool()[second]))
      bar::Injector({response->fragment, response->fragment_size}, source, kept_nonce);
  core.pool()[second].head.block.use.store(hooks::BlockUse::kContinuation, std::memory_order_relaxed);
  core.pool()[second].head.block.next.store(hooks::kNoBlock, std::memory_order_relaxed);
  block.head.block.next.store(second, std::memory_order_relaxed);
  block.head.block.use.store(hooks::BlockUse::kResponse, std::memory_order_relaxed);
  const std::uint32_t generation = block.head.block.generation.load(std::memory_order_relaxed) + 1;
  block.head.block.generation.store(generation, std::memory_order_release);
  record.head.response = first;
  return hooks::make_handle(hooks::kTagRecord, first, generation);
}

bar::Decision decide(const BarSettings& settings, const inlens_response_head& head,
                     const hooks::BeginFacts& facts) {
  bar::Decision decision;
  if (!settings.enabled) {
    decision.reason = bar::Skip::kSwitchedOff;
    return decision;
  }
  const HeaderViews response_lines(head.headers, head.header_count);
  const bar::ResponseHead response{static_cast<int>(head.status), response_lines.lines()};
  decision.reason = bar::early_skip(facts.method, facts.subrequest, response);
  if (decision.reason != bar::Skip::kNone) return decision;
  const HeaderViews request_lines(head.request_headers, head.request_header_count);
  bar::RequestFacts asked = bar::request_facts(facts.method, request_lines.lines(), facts.tls);
  asked.subrequest = facts.subrequest;
  asked.loader = {kBasePath, facts.host, facts.tls};
  decision = bar::decide(asked, response);
  if (head.header_count > kMaxHeaders || head.request_header_count > kMaxHeaders) {
    decision = {false, bar::Skip::kTooManyHeaders, {}};
  }
  if (decision.decorate && !may_see_bar(settings, facts, request_lines.lines())) {
    decision = {false, bar::Skip::kCaller, {}};
  }
  return decision;
}

inlens_response begin_response(Core& core, inlens_request request, const inlens_response_head& head,
                               inlens_response_edit& edit) {
  const BarSettings* settings = g_settings.load(std::memory_order_acquire);
  ThreadState* state = core.this_thread();
  if (state == nullptr || settings == nullptr) return INLENS_NONE;
  request = hooks::resolve_handle(*state, request);
  Block* record = hooks::open_record(core, request);
  if (record == nullptr || record->head.response != hooks::kNoBlock) return INLENS_NONE;
  const hooks::BeginFacts facts = hooks::begin_facts(*record);
  bar::Decision decision = decide(*settings, head, facts);
  inlens_response response = INLENS_NONE;
  if (decision.decorate) {
    response =
        open_response(core, *state, *record, request, facts, decision.nonce, *settings, decision.reason);
  }
  edit.skip_reason = {bar::text(decision.reason).data(), bar::text(decision.reason).size()};
  if (response == INLENS_NONE) {
    count(*state, *record, decision.reason);
    return INLENS_NONE;
  }
  edit.decorate = true;
  edit.drop_content_length = true;
  edit.drop_validators = true;
  constexpr std::string_view no_store = "no-store";
  edit.cache_control = {no_store.data(), no_store.size()};
  return response;
}

struct HostSink {
  inlens_sink_fn sink;
  void* user;
  static void pass(void* self, const char* data, std::size_t size, bar::Piece) {
    const auto& host = *static_cast<const HostSink*>(self);
    host.sink(host.user, {data, size});
  }
};

// Ends a response whatever its sink throws.
class ResponseEnd {
 public:
  ResponseEnd(ResponseState& response, inlens_response handle) noexcept
      : response_(response), handle_(handle) {}
  ~ResponseEnd() {
    with_core([this](Core& core) {
      ThreadState* state = core.this_thread();
      if (state == nullptr) return;
      if (Block* record = hooks::open_record(core, response_.request); record != nullptr) {
        count(*state, *record, response_.injector->skip());
        record->head.response = hooks::kNoBlock;
      }
      hooks::release_response(core, *state, hooks::index_of(handle_));
    });
  }
  ResponseEnd(const ResponseEnd&) = delete;
  ResponseEnd& operator=(const ResponseEnd&) = delete;

 private:
  ResponseState& response_;
  inlens_response handle_;
};

}  // namespace

void set_bar_settings(const BarSettings& settings) {
  g_settings.store(make_for_ever<BarSettings>(settings), std::memory_order_release);
}

}  // namespace inlens::abi

using namespace inlens;
using abi::view;

extern "C" {

inlens_response inlens_response_begin(inlens_request request, const inlens_response_head* given,
                                      inlens_response_edit* out) {
  inlens_response_edit edit{};
  inlens_response response = INLENS_NONE;
  if (request != INLENS_NONE && given != nullptr && out != nullptr) {
    response = abi::when_open(INLENS_NONE, [&](hooks::Core& core, std::uint8_t) {
      inlens_response_head storage;
      return abi::begin_response(core, request, abi::known(given, storage), edit);
    });
  }
  if (out == nullptr || out->struct_size <= sizeof(std::size_t)) return INLENS_NONE;
  edit.struct_size = out->struct_size;
  std::memcpy(out, &edit, out->struct_size < sizeof(edit) ? out->struct_size : sizeof(edit));
  return response;
}

// The sink is the host's own code: it runs outside the guard, and what it throws passes through.
void inlens_response_write(inlens_response response, inlens_str data, inlens_sink_fn sink, void* user) {
  if (sink == nullptr || data.data == nullptr || data.size == 0) return;
  abi::ResponseState* state = nullptr;
  abi::with_core([&](hooks::Core& core) { state = abi::find_response(core, response); });
  if (state == nullptr) {
    sink(user, data);
    return;
  }
  abi::HostSink host{sink, user};
  state->injector->write(view(data), &abi::HostSink::pass, &host);
}

void inlens_response_finish(inlens_response response, inlens_sink_fn sink, void* user) {
  if (response == INLENS_NONE) return;
  abi::ResponseState* state = nullptr;
  abi::with_core([&](hooks::Core& core) { state = abi::find_response(core, response); });
  if (state == nullptr) return;
  const abi::ResponseEnd end(*state, response);
  if (sink == nullptr) return;
  abi::HostSink host{sink, user};
  state->injector->finish(&abi::HostSink::pass, &host);
}

}  // extern "C"
