// How many connections were opened within the last minute, per row of the hooks' table: taken once a second
// by the worker and left in the row. Worker thread only.
#pragma once

#include <array>
#include <cstdint>

#include "agent/hooks/core.hpp"

namespace inlens::worker {

class ConnectionRates {
 public:
  void sample(hooks::Core& core, std::int64_t steady_ms) noexcept;

 private:
  static constexpr std::size_t kSeconds = 60;
  static constexpr std::size_t kRows = hooks::kConnectionTargets + 1;

  std::array<std::array<std::uint64_t, kRows>, kSeconds> opened_{};
  std::size_t taken_ = 0;
  std::int64_t last_ms_ = 0;
};

}  // namespace inlens::worker
