#include "console/api/json.hpp"

namespace inlens::console::api {

std::string to_text(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string fingerprint_hex(std::uint64_t fingerprint) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; fingerprint >>= 4) text[i] = digits[fingerprint & 15];
  return text;
}

}  // namespace inlens::console::api
