#include "collectors/preload/agent.hpp"

#include <errno.h>
#include <inlens/inlens.h>
#include <link.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

#include "collectors/preload/inside.hpp"

namespace inlens::preload {

__thread unsigned t_inside = 0;

namespace {

enum class State { kNew, kStarting, kRunning, kRefused };

constexpr int kMostWaits = 200;  // a millisecond each

std::atomic<State> g_state{State::kNew};
std::atomic<pid_t> g_starter{0};

// A program that is linked to Inlens starts the agent itself, with settings of its own: until then nothing is
// seen.
bool program_knows_inlens() noexcept {
  const link_map* program = _r_debug.r_map;
  const char* names = nullptr;
  for (const ElfW(Dyn)* entry = program->l_ld; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(entry->d_un.d_ptr);
  for (const ElfW(Dyn)* entry = program->l_ld; names != nullptr && entry->d_tag != DT_NULL; ++entry) {
    constexpr const char* kLibrary = "libinlens.so";
    if (entry->d_tag == DT_NEEDED &&
        std::strncmp(names + entry->d_un.d_val, kLibrary, std::strlen(kLibrary)) == 0)
      return true;
  }
  return false;
}

void start() noexcept {
  if (program_knows_inlens()) return g_state.store(State::kRunning, std::memory_order_release);
  g_starter.store(getpid(), std::memory_order_relaxed);
  inlens_start_options options{};
  options.struct_size = sizeof(options);
  options.abi_version = INLENS_ABI_VERSION;
  const bool running = inlens_start(&options) >= INLENS_OK;
  g_state.store(running ? State::kRunning : State::kRefused, std::memory_order_release);
}

// Another thread is starting the agent, or did in the process that this one was forked from, where it has got
// no further.
void wait_for_start() noexcept {
  constexpr timespec kMillisecond{0, 1'000'000};
  for (int i = 0; i < kMostWaits && g_state.load(std::memory_order_acquire) == State::kStarting; ++i) {
    if (const pid_t starter = g_starter.load(std::memory_order_relaxed); starter != 0 && starter != getpid())
      return g_state.store(State::kRefused, std::memory_order_release);
    nanosleep(&kMillisecond, nullptr);
  }
}

[[gnu::cold, gnu::noinline]] bool is_started() noexcept {
  const int error = errno;
  State expected = State::kNew;
  if (g_state.compare_exchange_strong(expected, State::kStarting))
    start();
  else if (expected == State::kStarting)
    wait_for_start();
  errno = error;
  return g_state.load(std::memory_order_acquire) == State::kRunning;
}

}  // namespace

bool agent_is_running() noexcept {
  const State state = g_state.load(std::memory_order_acquire);
  if (state == State::kNew || state == State::kStarting) [[unlikely]]
    return is_started();
  return state == State::kRunning;
}

}  // namespace inlens::preload
