// The edge of the library: every extern "C" body runs inside guarded(), which keeps errno and lets nothing
// out. Also the conversions from the ABI's structs, whose callers may be older than we are. Inside abi/ only.
// Threads: host threads.
#pragma once

#include <inlens/inlens.h>
#include <pthread.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "agent/abi/fork.hpp"
#include "agent/hooks/core.hpp"
#include "agent/hooks/log_writer.hpp"

namespace inlens::abi {

using hooks::view;

// The caller's struct as far as it knows it, zeros behind. A struct_size that cannot be one counts as an
// empty struct.
template <class T>
const T& known(const T* given, T& storage) noexcept {
  if (given != nullptr && given->struct_size >= sizeof(T)) [[likely]]
    return *given;
  storage = T{};
  if (given != nullptr && given->struct_size > sizeof(std::size_t)) {
    std::memcpy(static_cast<void*>(&storage), given, given->struct_size);
  }
  return storage;
}

// The same for the hot hooks, which take a struct of this version as it is; an older or missing one is met
// out of their way.
template <class T, class Body>
[[gnu::noinline, gnu::cold]] decltype(auto) with_older(const T* given, Body&& body) noexcept {
  T storage;
  return body(known(given, storage));
}
template <class T, class Body>
decltype(auto) with_known(const T* given, Body&& body) noexcept {
  if (given != nullptr && given->struct_size >= sizeof(T)) [[likely]]
    return body(*given);
  return with_older(given, body);
}

// Runs `body` and answers `neutral` should anything be thrown. What the host calls back through us is not run
// in here. Hooks leave errno alone: the few places in hooks/ that make system calls put it back.
template <class R, class Body>
R hooked(R neutral, Body&& body) noexcept {
  try {
    return std::forward<Body>(body)();
  } catch (...) {
    if (hooks::Core* core = hooks::g_core.load(std::memory_order_acquire); core != nullptr) {
      core->guarded_exceptions.fetch_add(1, std::memory_order_relaxed);
    }
    return neutral;
  }
}

// The same for calls that may do more than hooks: errno is kept.
template <class R, class Body>
R guarded(R neutral, Body&& body) noexcept {
  const int error = errno;
  const R result = hooked(neutral, std::forward<Body>(body));
  errno = error;
  return result;
}

// A host thread's cancellation must not begin inside the library, as unwinding could not leave it.
class NoCancellation {
 public:
  NoCancellation() noexcept { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  ~NoCancellation() { pthread_setcancelstate(before_, nullptr); }
  NoCancellation(const NoCancellation&) = delete;
  NoCancellation& operator=(const NoCancellation&) = delete;

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

// guarded() for the calls that wait or read files; hooks hold no point of cancellation.
template <class R, class Body>
R guarded_slow(R neutral, Body&& body) noexcept {
  const NoCancellation hold;
  return guarded(neutral, std::forward<Body>(body));
}

// For hooks on something that was begun: nothing to do where nothing ever was.
template <class Body>
void with_core(Body&& body) noexcept {
  hooks::Core* core = hooks::g_core.load(std::memory_order_acquire);
  if (core == nullptr) return;
  hooked(0, [&] {
    body(*core);
    return 0;
  });
}

// For hooks that begin something: the gate is open, or a forked child starts here. Passes core and level.
template <class R, class Body>
R when_open(R neutral, Body&& body) noexcept {
  const std::uint8_t gate = hooks::g_gate.load(std::memory_order_relaxed);
  if (gate == 0) [[likely]]
    return neutral;
  return hooked(neutral, [&]() -> R {
    std::uint8_t level = gate;
    if (gate == hooks::kGateForked) [[unlikely]]
      level = start_in_child();
    hooks::Core* core = hooks::g_core.load(std::memory_order_acquire);
    if (level == 0 || core == nullptr) return neutral;
    return body(*core, level);
  });
}

}  // namespace inlens::abi
