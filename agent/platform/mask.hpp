// Masks secrets, by key name and by the shape of a value: passwords, tokens, cookies, keys, card
// numbers. On doubt it masks. Writes into the caller's buffer, allocates nothing, accepts any bytes. Threads:
// any. Blocks: never.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace inlens::mask {

inline constexpr std::string_view kMasked = "***";

// Further key names from `mask.keys`; at most 32 of 64 bytes. Replaces the earlier ones. `keys` must live for
// ever.
struct ExtraKeys {
  const std::string_view* names = nullptr;
  std::size_t count = 0;
};
void set_extra_keys(const ExtraKeys* keys) noexcept;

// "password", "X-Api-Key", "sessionId" …: compared without case, hyphens and underscores.
bool is_secret_key(std::string_view key) noexcept;

// JSON web tokens, bearer credentials, card numbers (Luhn), keys with a telling prefix.
bool has_secret_shape(std::string_view value) noexcept;

// A quick look that spares most targets the copy: false only when copy_url would change nothing.
bool url_may_hold_secret(std::string_view url) noexcept;

// Copies a request target or URL, with the values of secret query keys, user information and values of a
// secret shape masked. Returns the bytes written, at most `capacity`.
std::size_t copy_url(std::string_view url, char* out, std::size_t capacity) noexcept;

// Copies free text (a message, a header's value) with `key=value`, `key: value` and `"key":"value"` of secret
// keys and words of a secret shape masked.
std::size_t copy_text(std::string_view text, char* out, std::size_t capacity) noexcept;

}  // namespace inlens::mask
