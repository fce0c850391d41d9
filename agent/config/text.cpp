#include "agent/config/text.hpp"

#include <cstdint>

namespace inlens::config {
namespace {

constexpr std::uint32_t kSmallest[] = {0, 0x20, 0x80, 0x800, 0x10000};

std::size_t announced_length(unsigned char first) noexcept {
  if (first < 0x80) return 1;
  if (first >= 0xC0 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  if (first >= 0xF0 && first < 0xF8) return 4;
  return 0;
}

bool is_control(std::uint32_t point) noexcept {
  return point < 0x20 || (point >= 0x7F && point < 0xA0) || point == 0x2028 || point == 0x2029;
}

}  // namespace

std::size_t printable_length(std::string_view text) noexcept {
  if (text.empty()) return 0;
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t length = announced_length(first);
  if (length == 0 || length > text.size()) return 0;
  std::uint32_t point = length == 1 ? first : first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0U) != 0x80U) return 0;
    point = (point << 6) | (next & 0x3FU);
  }
  const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
  if (point < kSmallest[length] || point > 0x10FFFF || surrogate || is_control(point)) return 0;
  return length;
}

bool is_printable(std::string_view text) noexcept {
  while (!text.empty()) {
    const std::size_t length = printable_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string printable(std::string_view text, std::size_t max_bytes) {
  std::string line;
  while (!text.empty()) {
    const std::size_t length = printable_length(text);
    if (line.size() + (length == 0 ? 1 : length) > max_bytes) return line + "…";
    line += length == 0 ? std::string_view("?") : text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return line;
}

}  // namespace inlens::config
