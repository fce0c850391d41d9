// Stands in front of the C library's allocator and refuses memory on demand. Only what happens inside
// in_agent() and on threads that are not the host's is refused, so that the test itself always gets what it
// asks for.
#pragma once

#include <cstdint>
#include <utility>

namespace failing_malloc {

enum class Refuse { kOne, kAllFrom };

// From now on the `nth` allocation (1: the next) is refused, or all from there on.
void arm(std::uint32_t nth, Refuse refuse);
// Gives everything again; says how many were refused.
std::uint32_t disarm();
std::uint32_t refused();  // so far

// Whether the calling thread's allocations are the host's own; a new thread's are not.
void set_host_thread(bool is_host);

template <class Work>
auto in_agent(Work&& work) {
  struct Scope {
    Scope() { set_host_thread(false); }
    ~Scope() { set_host_thread(true); }
  } scope;
  return std::forward<Work>(work)();
}

}  // namespace failing_malloc
