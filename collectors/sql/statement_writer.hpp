// Writes tokens back as the one canonical form of a statement, into a buffer of fixed size. Used by
// normalise() only, on the stack of whoever calls it; owns nothing.
//
// The form depends on nothing but the tokens, and reading it again gives the same tokens. Along the way
// - a literal becomes `?`, and swallows signs before it;
// - a bracketed element that holds a `?` and repeats the one before it is left out: (?, ?, ?) is (?);
// - after VALUES, every row but the first is left out;
// - short integers stay when they modify a type: x::varchar(20).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "collectors/sql/lexer.hpp"
#include "collectors/sql/spacing.hpp"

namespace inlens::sql {

class FoldedText;

class StatementWriter {
 public:
  StatementWriter(char* buffer, std::size_t capacity) noexcept : text_(buffer), capacity_(capacity) {}

  // Writes all that the lexer finds, or all that fits; then call finish(). `text` is what the lexer reads.
  void write_all(Lexer& lexer, const FoldedText& text) noexcept;

  // Writes one token; false when it did not fit. write_all() does the same, faster.
  bool put(const Token& token) noexcept;

  // Tidies the end of the text, so that texts cut within a list look alike; the final size.
  std::size_t finish() noexcept;

  bool truncated() const noexcept { return full_; }
  uint32_t statements() const noexcept { return tail_.size == 0 ? 0 : semicolons_ + 1; }

 private:
  // Elements of one open bracket, as offsets into the text.
  struct List {
    std::size_t element;  // where the current element begins
    std::size_t previous_begin;
    std::size_t previous_end;  // 0: there is no previous element
  };
  // The end of what is written; saved and put back where something is taken out again.
  struct Tail {
    std::size_t size = 0;
    TokenKind previous = TokenKind::kEnd;
    uint32_t depth = 0;                       // brackets open
    std::size_t sign_begin = 0;               // where the signs at the end begin,
    TokenKind before_sign = TokenKind::kEnd;  // and what stands before them
  };
  enum class Rows : uint8_t { kNone, kExpected, kFirst, kDone, kComma, kCommaRow, kSkipping };

  struct PlainRun;
  // Everything that makes a token mean more than itself, in eight bytes so that plain() is one comparison.
  struct Context {
    Rows rows = Rows::kNone;
    bool in_hint = false;
    bool ddl = false;              // in CREATE or ALTER, where a type may follow any name
    bool type_may_follow = false;  // holds while the last token is a word, a name or a cast
    uint8_t modifiers_left = 0;
    uint8_t unused[3] = {};

    bool plain() const noexcept { return std::bit_cast<uint64_t>(*this) == 0; }
  };

  static constexpr uint32_t kMaxLists = 32;  // elements of deeper brackets are written as they come

  void copy_plain_run(Lexer& lexer, const FoldedText& text) noexcept;
  void write(const Token& token) noexcept;
  void write_word(std::string_view word) noexcept;
  void write_name(std::string_view name) noexcept;
  void write_integer(const Token& token) noexcept;
  void write_literal() noexcept;
  void write_sign(const Token& token) noexcept;
  void write_open(const Token& token) noexcept;
  void write_close(const Token& token) noexcept;
  void write_comma(uint32_t depth) noexcept;
  void write_semicolon() noexcept;
  void open_hint(const Token& token) noexcept;
  void close_hint(const Token& token) noexcept;

  void end_statement() noexcept;
  bool swallow_row(const Token& token) noexcept;
  bool swallow_after_row_comma(const Token& token) noexcept;
  void write_held_comma(bool row, const Token& next) noexcept;
  void note_type(std::string_view word, TokenKind before) noexcept;
  void end_element(uint32_t depth) noexcept;
  bool has_list(uint32_t depth) const noexcept;

  // The literal's size is known, so this compares without a call.
  template <std::size_t N>
  static bool is(std::string_view word, const char (&literal)[N]) noexcept {
    return word.size() == N - 1 && memcmp(word.data(), literal, N - 1) == 0;
  }

  bool append(TokenKind kind, std::string_view text) noexcept;
  char* reserve(TokenKind kind, std::size_t bytes, bool space) noexcept;
  char* reserve(TokenKind kind, std::size_t bytes) noexcept {
    return reserve(kind, bytes, !is_glued(tail_.previous, kind));
  }
  bool space_before_bracket(char bracket) const noexcept;

  char* const text_;
  const std::size_t capacity_;
  Tail tail_;
  Tail hint_tail_;  // before the open hint
  Context context_;
  bool full_ = false;
  bool after_type_ = false;  // holds while the last token is a word: it is a type, where a type is expected
  uint32_t rows_depth_ = 0;  // of the brackets of a row
  uint32_t semicolons_ = 0;
  std::size_t word_begin_ = 0;  // holds while the last token is a word
  List lists_[kMaxLists];
};

}  // namespace inlens::sql
