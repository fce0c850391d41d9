// Random but well-formed token soup: any bytes become a text in which quotes and comments are closed as the
// dialect wants it, and every literal holds a secret. Two texts that differ in nothing but their secrets must
// normalise to the same result. Used by the property test and the fuzz target.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "collectors/sql/normalise.hpp"

namespace inlens::sql {

struct Secrets {
  std::string_view text;     // inside strings: no double quote, backslash, bracket or comment end
  std::string_view number;   // more digits than a type modifier has
  std::string_view comment;  // inside comments and dollar quotes: letters only
};

inline constexpr Secrets kSecrets = {"zqhidden", "8642097531", "zqcomment"};
inline constexpr Secrets kOtherSecrets = {"Zq''; --/*?$x ", "9753186420.25", "zqother"};

std::string make_soup(std::span<const uint8_t> choices, Dialect dialect, const Secrets& secrets);

// The opposite: scraps of statements put together without any care for what they leave open.
std::string make_scraps(std::span<const uint8_t> choices);

// The canonical text as it comes out token by token, without the short cut for plain runs.
std::string text_token_by_token(std::string_view sql, Dialect dialect, std::size_t max_bytes);

// Nothing secret shows, in any case and however the text was cut.
bool shows_secret(std::string_view text);

}  // namespace inlens::sql
