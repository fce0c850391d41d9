// ASCII-only, case-blind helpers for header values, tag names and policies. Pure functions for every file of
// the bar; they run on host threads and never look at a locale.
#pragma once

#include <cstddef>
#include <string_view>

namespace inlens::bar {

constexpr char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}
constexpr bool is_alpha(char c) noexcept {
  return lower(c) >= 'a' && lower(c) <= 'z';
}
constexpr bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

// The white space of HTML and of CSP; header values have a subset of it.
constexpr bool is_space(char c) noexcept {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

constexpr bool same(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

constexpr bool begins_with(std::string_view text, std::string_view prefix) noexcept {
  return text.size() >= prefix.size() && same(text.substr(0, prefix.size()), prefix);
}

constexpr std::string_view trim(std::string_view text) noexcept {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// Cuts `rest` at the first `separator` and returns the trimmed part before it. `rest` must not be empty.
constexpr std::string_view take_part(std::string_view& rest, char separator) noexcept {
  const std::size_t at = rest.find(separator);
  const std::string_view part = rest.substr(0, at);
  rest = at == std::string_view::npos ? std::string_view{} : rest.substr(at + 1);
  return trim(part);
}

// Takes the next word between white space; empty when there is none left.
constexpr std::string_view take_word(std::string_view& rest) noexcept {
  rest = trim(rest);
  std::size_t size = 0;
  while (size < rest.size() && !is_space(rest[size])) ++size;
  const std::string_view word = rest.substr(0, size);
  rest.remove_prefix(size);
  return word;
}

}  // namespace inlens::bar
