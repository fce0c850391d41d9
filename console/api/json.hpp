// The JSON that the console speaks, and the conversions that every view needs.
//
// Views are built only when somebody looks: on the console's thread, or on a host's thread for the mounted
// console. All functions are pure; nothing is owned here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "agent/config/json.hpp"

namespace inlens::console::api {

using Json = nlohmann::ordered_json;  // keys in the order of the API description

// Valid JSON whatever was captured: bytes that are not UTF-8 become U+FFFD.
std::string to_text(const Json& value);

std::string fingerprint_hex(std::uint64_t fingerprint);  // 16 lower-case digits

inline Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

// Times and offsets are never negative in answers, even when a clock stepped back.
inline std::uint64_t whole(std::int64_t value) {
  return value < 0 ? 0 : static_cast<std::uint64_t>(value);
}

}  // namespace inlens::console::api
