// A header line as the host holds it; the bar never copies one.
#pragma once

#include <string_view>

namespace inlens::bar {

struct HeaderView {
  std::string_view name;
  std::string_view value;
};

}  // namespace inlens::bar
