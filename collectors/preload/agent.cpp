#include "collectors/preload/agent.hpp"

#include <errno.h>
#include <inlens/inlens.h>

#include <atomic>

#include "collectors/preload/inside.hpp"

namespace inlens::preload {

__thread unsigned t_inside = 0;

namespace {

enum class State { kNew, kStarting, kRunning, kRefused };

std::atomic<State> g_state{State::kNew};

bool start() noexcept {
  State expected = State::kNew;
  if (!g_state.compare_exchange_strong(expected, State::kStarting)) return expected == State::kRunning;
  const int error = errno;
  inlens_start_options options{};
  options.struct_size = sizeof(options);
  options.abi_version = INLENS_ABI_VERSION;
  const bool running = inlens_start(&options) >= INLENS_OK;
  g_state.store(running ? State::kRunning : State::kRefused, std::memory_order_release);
  errno = error;
  return running;
}

}  // namespace

bool agent_is_running() noexcept {
  const State state = g_state.load(std::memory_order_acquire);
  if (state == State::kNew) [[unlikely]]
    return start();
  return state == State::kRunning;
}

}  // namespace inlens::preload
