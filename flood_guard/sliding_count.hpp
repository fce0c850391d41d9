// A sliding count in fixed steps: how many events fell into the last Steps steps, the current one included.
// Used by FloodGuard alone, on whatever thread owns the guard. Owns an array of Steps counters; never
// allocates.
//
// A window of length W, however it is aligned, touches at most W/step + 1 steps. With Steps = W/step + 1 the
// sum is therefore never less than the true count of any window of length W that ends now.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace inlens::guard {

template <uint64_t StepNs, std::size_t Steps>
class SlidingCount {
 public:
  // The sum as of now_ns. now_ns must not run backwards from one call to the next.
  uint64_t at(uint64_t now_ns) const noexcept {
    const uint64_t passed = now_ns / StepNs - newest_step_;
    if (passed == 0) return sum_;
    if (passed >= Steps) return 0;
    uint64_t sum = sum_;
    for (uint64_t i = 1; i <= passed; ++i) sum -= counts_[(newest_step_ + i) % Steps];
    return sum;
  }

  void add(uint64_t now_ns) noexcept {
    const uint64_t step = now_ns / StepNs;
    if (step != newest_step_) move_to(step);
    ++counts_[step % Steps];
    ++sum_;
  }

 private:
  void move_to(uint64_t step) noexcept {
    const uint64_t passed = step - newest_step_ < Steps ? step - newest_step_ : Steps;
    for (uint64_t i = 1; i <= passed; ++i) {
      uint32_t& oldest = counts_[(newest_step_ + i) % Steps];
      sum_ -= oldest;
      oldest = 0;
    }
    newest_step_ = step;
  }

  std::array<uint32_t, Steps> counts_{};
  uint64_t sum_ = 0;
  uint64_t newest_step_ = 0;
};

}  // namespace inlens::guard
