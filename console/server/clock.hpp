// The time as the console needs it, passed in so that tests can move it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

namespace inlens::console {

struct Moment {
  std::int64_t steady_ms = 0;  // never jumps: for periods
  std::int64_t unix_ms = 0;    // for people
};

// Threads: called from any console or mounted thread.
using Clock = std::function<Moment()>;

inline Moment system_moment() {
  using std::chrono::milliseconds;
  const auto in_ms = [](auto time) {
    return std::chrono::duration_cast<milliseconds>(time.time_since_epoch()).count();
  };
  return {in_ms(std::chrono::steady_clock::now()), in_ms(std::chrono::system_clock::now())};
}

}  // namespace inlens::console
