// Cuts SQL text into tokens, one per call, in one pass over the bytes. It is where dialects differ: what a
// quote means, whether a backslash escapes, what begins a comment. Used by StatementWriter and by verb_of().
//
// Whenever two readings of the text disagree about where a literal ends (a backslash before a quote in an
// unknown dialect, a quote that runs out of its hint, a quote behind a `#` that may have begun a comment),
// the lexer answers kRest: everything from there to the end counts as one literal. So does a quote that is
// never closed.
#pragma once

#include <cstdint>
#include <string_view>

#include "collectors/sql/char_class.hpp"
#include "collectors/sql/normalise.hpp"

namespace inlens::sql {

enum class TokenKind : uint8_t {
  kEnd,  // end of text; as a predecessor: start of text
  kWord,
  kName,     // a quoted name, with its quotes
  kLiteral,  // any literal or bind mark
  kInteger,  // a literal of at most kMaxModifierDigits digits, which may be a type modifier
  kRest,     // the unreadable rest of the text
  kSign,     // + or - that belongs to the value behind it
  kSymbol,
  kDot,
  kCast,  // ::
  kComma,
  kSemicolon,
  kOpen,   // ( or [
  kClose,  // ) or ], when one is open
  kHintOpen,
  kHintClose,
};

// Longer words and names are taken for literals: no server accepts such a name.
inline constexpr uint16_t kMaxNameBytes = 256;
inline constexpr uint16_t kMaxModifierDigits = 5;

struct Token {
  const char* text = nullptr;
  uint32_t depth = 0;  // brackets open around the token; the same for a bracket and its partner
  uint16_t size = 0;   // meaningless for literals
  TokenKind kind = TokenKind::kEnd;

  std::string_view view() const { return {text, size}; }
};

class Lexer {
 public:
  Lexer(std::string_view sql, Dialect dialect) noexcept;

  // The next token; kEnd for ever once the text is used up. Views point into the text given.
  const Token& next() noexcept {
    scan();
    return token_;
  }
  const Token& token() const noexcept { return token_; }

 private:
  using Byte = unsigned char;
  enum class Backslash : uint8_t { kPlain, kEscapes, kUnknown };

  friend class StatementWriter;  // reads on where it has copied a plain run

  void scan() noexcept;
  void scan_word() noexcept;
  void scan_number() noexcept;
  void scan_odd_number(const Byte* digits_end) noexcept;
  void scan_symbol() noexcept;
  void scan_dollar() noexcept;
  void scan_at() noexcept;
  void scan_colon() noexcept;
  void scan_percent() noexcept;
  void scan_semicolon() noexcept;
  void scan_open() noexcept;
  void scan_close() noexcept;

  void scan_string(const Byte* quote, Backslash backslash) noexcept;
  void scan_double_quote() noexcept;
  void scan_name(const Byte* quote, Byte closing) noexcept;
  void scan_oracle_string(const Byte* quote) noexcept;
  void scan_dollar_string(const Byte* tag_end) noexcept;
  void scan_prefixed(const Byte* prefix_end) noexcept;
  bool glued(const Byte* next, Byte quote) const noexcept;
  Backslash backslash_of_dialect() const noexcept;

  bool begins_line_comment() const noexcept;
  bool begins_hint() const noexcept;
  bool skip_line_comment() noexcept;
  bool skip_block_comment() noexcept;
  void open_hint() noexcept;
  void close_hint() noexcept;

  void take(TokenKind kind, const Byte* end) noexcept {
    token_.text = reinterpret_cast<const char*>(pos_);
    token_.depth = depth_;
    token_.size = static_cast<uint16_t>(end - pos_);
    token_.kind = kind;
    pos_ = end;
  }
  void take_opaque(TokenKind kind, const Byte* end) noexcept;
  void rest() noexcept;

  bool doubtful(const Byte* end) const noexcept;
  bool after_operand() const noexcept;
  bool at(const Byte* where, Byte c) const noexcept { return where < end_ && *where == c; }
  bool word_at(const Byte* where) const noexcept {
    return where < end_ && kCharClass[*where] == CharClass::kLetter;
  }
  bool digit_at(const Byte* where) const noexcept {
    return where < end_ && kCharClass[*where] == CharClass::kDigit;
  }
  const Byte* word_end(const Byte* from) const noexcept {
    while (from < end_ && kWordByte[*from]) ++from;
    return from;
  }
  const Byte* digits_end(const Byte* from) const noexcept {
    while (digit_at(from)) ++from;
    return from;
  }
  const Byte* find(const Byte* from, std::string_view what) const noexcept;

  static constexpr uint32_t kTypedDepth = 64;

  const Byte* pos_;
  const Byte* end_;
  const Byte* hint_end_ = nullptr;    // the `*/` of the hint being read
  const Byte* square_end_ = nullptr;  // first `]` after the last `[`: where a bracketed name would end
  uint64_t squares_ = 0;              // bit d: the bracket open at depth d is a `[`, for d < kTypedDepth
  uint32_t depth_ = 0;
  uint32_t hint_depth_ = 0;  // brackets opened before the hint cannot be closed within it
  bool hash_seen_ = false;   // a `#`: here an operator, in another dialect the start of a comment
  Dialect dialect_;
  Token token_;  // the last one; while scanning, the one before
};

}  // namespace inlens::sql
