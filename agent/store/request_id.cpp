// The textual form of a request's id, as X-Inlens-Id carries it. Pure, any thread.
#include <string_view>

#include "agent/store/snapshot.hpp"

namespace inlens::store {

namespace {

constexpr std::size_t kDigits = 32;

// 16 for what is no lower-case hexadecimal digit.
constexpr unsigned value_of(char digit) {
  if (digit >= '0' && digit <= '9') return static_cast<unsigned>(digit - '0');
  if (digit >= 'a' && digit <= 'f') return static_cast<unsigned>(digit - 'a') + 10;
  return 16;
}

}  // namespace

std::string to_hex(const RequestId& id) {
  std::string text(kDigits, '0');
  for (std::size_t i = 0; i < kDigits; ++i) {
    const std::uint64_t half = i < kDigits / 2 ? id.high : id.low;
    text[i] = "0123456789abcdef"[(half >> (60 - 4 * (i % 16))) & 0xF];
  }
  return text;
}

std::optional<RequestId> request_id_from_hex(std::string_view hex) {
  if (hex.size() != kDigits) return std::nullopt;
  RequestId id;
  for (std::size_t i = 0; i < kDigits; ++i) {
    const unsigned value = value_of(hex[i]);
    if (value > 15) return std::nullopt;
    std::uint64_t& half = i < kDigits / 2 ? id.high : id.low;
    half = half << 4 | value;
  }
  return id;
}

}  // namespace inlens::store
