// JSON text for the settings: reads a bounded file and parses it with errors as values. Used by agent/config
// alone, on the thread that loads the settings.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include "agent/config/json.hpp"

namespace inlens::config {

inline constexpr std::size_t kMaxFileBytes = 1'000'000;
inline constexpr int kMaxDepth = 8;

struct TextError {
  std::string message;  // one line: "line 3, column 5 is not valid JSON"
};

// The whole of a regular file. Blocks: for the disk; never on a pipe or device, which are refused.
std::variant<std::string, TextError> read_file(const std::string& path);

// Objects come sorted by key: nlohmann's ordered objects take quadratic time.
//
// Errors: never throws on any bytes.
std::variant<nlohmann::json, TextError> parse_json(std::string_view text);

}  // namespace inlens::config
