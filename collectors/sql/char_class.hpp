// Byte classes of SQL text: one 256-entry table that the lexer dispatches on, one for the bytes that continue
// a word, and one that folds ASCII letters. Constant data, shared by every dialect.
#pragma once

#include <array>
#include <cstdint>

namespace inlens::sql {

enum class CharClass : uint8_t {
  kSymbol,  // operators, and every byte without a meaning of its own (NUL and control characters too)
  kSpace,
  kLetter,  // letters, '_' and all bytes above ASCII: names may hold any of them
  kDigit,
  kQuote,
  kDoubleQuote,
  kBacktick,
  kDash,
  kPlus,
  kSlash,
  kHash,
  kDollar,
  kColon,
  kAt,
  kPercent,
  kQuestion,
  kDot,
  kComma,
  kSemicolon,
  kOpen,
  kClose,
  kOpenSquare,
  kCloseSquare,
};

namespace detail {

constexpr bool is_letter(unsigned c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
}

constexpr CharClass class_of(unsigned c) {
  if (is_letter(c)) return CharClass::kLetter;
  if (c >= '0' && c <= '9') return CharClass::kDigit;
  switch (c) {
    case ' ':
    case '\t':
    case '\n':
    case '\v':
    case '\f':
    case '\r':
      return CharClass::kSpace;
    case '\'':
      return CharClass::kQuote;
    case '"':
      return CharClass::kDoubleQuote;
    case '`':
      return CharClass::kBacktick;
    case '-':
      return CharClass::kDash;
    case '+':
      return CharClass::kPlus;
    case '/':
      return CharClass::kSlash;
    case '#':
      return CharClass::kHash;
    case '$':
      return CharClass::kDollar;
    case ':':
      return CharClass::kColon;
    case '@':
      return CharClass::kAt;
    case '%':
      return CharClass::kPercent;
    case '?':
      return CharClass::kQuestion;
    case '.':
      return CharClass::kDot;
    case ',':
      return CharClass::kComma;
    case ';':
      return CharClass::kSemicolon;
    case '(':
      return CharClass::kOpen;
    case ')':
      return CharClass::kClose;
    case '[':
      return CharClass::kOpenSquare;
    case ']':
      return CharClass::kCloseSquare;
    default:
      return CharClass::kSymbol;
  }
}

template <typename Value, typename Make>
constexpr std::array<Value, 256> make_table(Make make) {
  std::array<Value, 256> table{};
  for (unsigned c = 0; c < 256; ++c) table[c] = make(c);
  return table;
}

}  // namespace detail

inline constexpr auto kCharClass =
    detail::make_table<CharClass>([](unsigned c) { return detail::class_of(c); });

// Bytes that continue a word or a number once it has begun.
inline constexpr auto kWordByte = detail::make_table<bool>(
    [](unsigned c) { return detail::is_letter(c) || (c >= '0' && c <= '9') || c == '$'; });

// Bytes that may make an operator of two or more characters out of the symbol before them.
inline constexpr auto kOperatorTail = detail::make_table<bool>([](unsigned c) {
  return c == '=' || c == '>' || c == '<' || c == '|' || c == '&' || c == '*' || c == '~' || c == '-' ||
         c == '@';
});

inline constexpr auto kFold = detail::make_table<unsigned char>(
    [](unsigned c) { return static_cast<unsigned char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });

}  // namespace inlens::sql
