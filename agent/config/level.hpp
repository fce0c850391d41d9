// What is collected, `collect.level`. Alone in its header because the hooks need nothing else of the
// settings.
#pragma once

#include <cstdint>

namespace inlens {

enum class Level : std::uint8_t { kOff = 0, kLight = 1, kStandard = 2, kFull = 3 };

}  // namespace inlens
