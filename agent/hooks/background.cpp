#include "agent/hooks/background.hpp"

#include <cstring>

#include "agent/hooks/requests.hpp"
#include "agent/hooks/this_thread.hpp"
#include "agent/platform/clock.hpp"

namespace inlens::hooks {

namespace {

constexpr std::uint64_t kCutNs = 1'000'000'000;

// It holds as many statements as a request may: the next ones get a record of their own.
bool is_full(Core& core, const Block& record) {
  return record.head.counters.statements.get() >= core.limits().statements.load(std::memory_order_relaxed);
}

bool is_due(const ThreadState& state, std::uint64_t now) {
  return ticks_to_ns(ticks_between(state.background_began_ticks, now)) >= kCutNs;
}

// The same of another thread's.
bool is_due(Core& core, std::uint64_t request) {
  const Block* block = open_record(core, request);
  const std::uint64_t start = block != nullptr ? block->head.start_ticks : request & kTicksMask;
  return ticks_to_ns((ticks() - start) & kTicksMask) >= kCutNs;
}

std::uint64_t begin_background(Core& core, ThreadState& state, std::uint8_t level, std::uint64_t now) {
  state.background_began_ticks = now;
  const std::uint64_t words[2] = {state.name[0].load(std::memory_order_relaxed),
                                  state.name[1].load(std::memory_order_relaxed)};
  char name[sizeof(words)];
  std::memcpy(name, words, sizeof(words));
  constexpr std::string_view method = "JOB";
  inlens_request_info info{};
  info.method = {method.data(), method.size()};
  info.target = {name, strnlen(name, sizeof(name))};
  info.flags = INLENS_REQUEST_BACKGROUND;
  return begin_uncounted(core, level, info);
}

}  // namespace

Entered enter_background(Core& core, std::uint8_t level, std::uint64_t now) noexcept {
  ThreadState* state = this_thread(core);
  if (state == nullptr) [[unlikely]]
    return {};
  if (state->current != 0) {
    if (Block* record = open_record(core, state->current)) return {state->current, record};
    if (tag_of(state->current) == kTagBare) return {state->current, nullptr};
  }
  if (state->background_pieces > 0) [[unlikely]] {
    if (Block* record = open_record(core, state->background_written)) {
      if (!is_due(*state, now)) {
        ++state->background_pieces;
        return {state->background_written, record};
      }
      // Pieces that end on other threads, or never, must not keep the record open for ever.
      end_request(core, state->background_written, {});
    }
  }
  // Partner: leave_background; the record may come back from no other thread, but the worker may have ended
  // it.
  std::uint64_t request = state->background.exchange(0, std::memory_order_acquire);
  Block* record = open_record(core, request);
  if (record != nullptr && (is_full(core, *record) || is_due(*state, now))) [[unlikely]] {
    end_request(core, request, {});
    record = nullptr;
  }
  if (record == nullptr) [[unlikely]] {
    request = begin_background(core, *state, level, now);
    record = open_record(core, request);
  }
  state->background_written = request;
  state->background_pieces = 1;
  return {request, record};
}

void leave_background(Core& core, std::uint64_t request) noexcept {
  ThreadState* state = this_thread(core);
  if (state == nullptr || state->background_pieces == 0 || request != state->background_written) return;
  if (--state->background_pieces != 0) return;
  state->background_written = 0;
  // Partner: the exchanges of enter_background and end_idle_background.
  state->background.store(request, std::memory_order_release);
}

void end_background(Core& core, ThreadState& state) noexcept {
  if (state.background_pieces > 0) end_request(core, state.background_written, {});
  state.background_pieces = 0;
  state.background_written = 0;
  const std::uint64_t request = state.background.exchange(0, std::memory_order_acquire);
  if (open_record(core, request) != nullptr) end_request(core, request, {});
}

void end_idle_background(Core& core, bool all) noexcept {
  const std::uint32_t threads = core.thread_count();
  for (std::uint32_t number = 1; number <= threads; ++number) {
    ThreadState* state = core.thread(number);
    if (state == nullptr) continue;
    std::uint64_t request = state->background.load(std::memory_order_relaxed);
    if (request == 0 || (!all && !is_due(core, request))) continue;
    if (state->background.compare_exchange_strong(request, 0, std::memory_order_acquire,
                                                  std::memory_order_relaxed) &&
        open_record(core, request) != nullptr)
      end_request(core, request, {});
  }
}

}  // namespace inlens::hooks
