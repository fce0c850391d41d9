// Numbers as hexadecimal digits, eight at a time. Inside hooks/ only.
#pragma once

#include <bit>
#include <cstdint>

namespace inlens::hooks {

// The eight digits of `value`, most significant first, as bytes in memory.
inline std::uint64_t digits_of(std::uint32_t value) {
  std::uint64_t nibbles = value;
  nibbles = (nibbles << 16 | nibbles) & 0x0000FFFF0000FFFF;
  nibbles = (nibbles << 8 | nibbles) & 0x00FF00FF00FF00FF;
  nibbles = (nibbles << 4 | nibbles) & 0x0F0F0F0F0F0F0F0F;
  const std::uint64_t letters = (nibbles + 0x0606060606060606) >> 4 & 0x0101010101010101;
  const std::uint64_t digits = nibbles + 0x3030303030303030 + letters * ('a' - '0' - 10);
  return std::endian::native == std::endian::little ? __builtin_bswap64(digits) : digits;
}

// 16 digits, no NUL.
inline void write_hex(std::uint64_t value, char* out) {
  const std::uint64_t digits[2] = {digits_of(static_cast<std::uint32_t>(value >> 32)),
                                   digits_of(static_cast<std::uint32_t>(value))};
  __builtin_memcpy(out, digits, sizeof(digits));
}

}  // namespace inlens::hooks
