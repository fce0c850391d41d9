#include "agent/abi/fork.hpp"

#include <pthread.h>

#include "agent/abi/lifecycle.hpp"
#include "agent/hooks/core.hpp"

namespace inlens::abi {

namespace {

void in_child() noexcept {
  if (!abandon_runtime_in_child()) return;
  hooks::install_core(nullptr);
  hooks::g_gate.store(hooks::kGateForked, std::memory_order_relaxed);
}

}  // namespace

bool watch_forks() noexcept {
  static const bool watching = pthread_atfork(nullptr, nullptr, in_child) == 0;
  return watching;
}

}  // namespace inlens::abi
