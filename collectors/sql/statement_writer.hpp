// Writes tokens back as the one canonical form of a statement, into a buffer of fixed size. Used by
// normalise() only, on the stack of whoever calls it; owns nothing.
//
// The form depends on nothing but the tokens, and reading it again gives the same tokens. Along the way
// - a literal becomes `?`, and swallows signs before it;
// - in brackets, an element that holds a `?` and repeats the one before it is left out: in (?, ?, ?) is in
// (?);
// - after VALUES, every row but the first is left out;
// - short integers stay when they modify a type: x::varchar(20).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "collectors/sql/lexer.hpp"

namespace inlens::sql {

class StatementWriter {
 public:
  StatementWriter(char* buffer, std::size_t capacity) noexcept : text_(buffer), capacity_(capacity) {}

  // False once a token did not fit; then, or after the last token, call finish().
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

  static constexpr uint32_t kMaxLists = 32;  // elements of deeper brackets are written as they come

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
  void note_type(std::string_view word, bool expected) noexcept;
  void end_element(uint32_t depth) noexcept;
  bool has_list(uint32_t depth) const noexcept;

  bool append(TokenKind kind, std::string_view text) noexcept;
  char* reserve(TokenKind kind, std::size_t bytes, char first) noexcept;
  bool space_before(TokenKind kind, char first) const noexcept;

  char* const text_;
  const std::size_t capacity_;
  Tail tail_;
  Tail hint_tail_;  // before the open hint
  bool in_hint_ = false;
  bool full_ = false;

  Rows rows_ = Rows::kNone;
  uint32_t rows_depth_ = 0;  // of the brackets of a row

  bool ddl_ = false;              // in CREATE or ALTER, where a type may follow any name
  bool type_may_follow_ = false;  // holds while the last token is a word, a name or a cast
  bool after_type_ = false;  // holds while the last token is a word: it is a type, where a type is expected
  uint8_t modifiers_left_ = 0;

  uint32_t semicolons_ = 0;
  std::size_t word_begin_ = 0;  // holds while the last token is a word
  List lists_[kMaxLists];
};

}  // namespace inlens::sql
