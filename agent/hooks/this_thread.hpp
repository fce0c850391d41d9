// The calling thread's state, one TLS word. Inside hooks/ only.
#pragma once

#include "agent/hooks/core.hpp"

namespace inlens::hooks {

// Plain __thread: no constructor, so reading it is one __tls_get_addr call and never an initialisation.
extern __thread ThreadState* t_state __attribute__((visibility("hidden")));

// Stands for "this thread's storage is gone": hooks called from later destructors do nothing.
inline ThreadState* const kGoneThread = reinterpret_cast<ThreadState*>(std::uintptr_t{1});

inline ThreadState* this_thread(Core& core) noexcept {
  ThreadState* state = t_state;
  if (reinterpret_cast<std::uintptr_t>(state) > 1) [[likely]]
    return state;
  return core.this_thread();
}

}  // namespace inlens::hooks
