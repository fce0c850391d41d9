#include "collectors/sql/statement_writer.hpp"

#include <array>
#include <cstring>

#include "collectors/sql/char_class.hpp"
#include "collectors/sql/keywords.hpp"

namespace inlens::sql {

using Kind = TokenKind;

bool StatementWriter::put(const Token& token) noexcept {
  if (context_.rows == Rows::kNone || !swallow_row(token)) write(token);
  return !full_;
}

std::size_t StatementWriter::finish() noexcept {
  if (context_.rows == Rows::kCommaRow && !full_) write_held_comma(true, {});
  if (context_.in_hint) tail_ = hint_tail_;
  context_.in_hint = false;
  end_statement();
  if (tail_.size > 0 && text_[tail_.size - 1] == ';') {
    --tail_.size;
    --semicolons_;
  }
  return tail_.size;
}

// Tidies the end of a statement, which may have been cut within a list.
void StatementWriter::end_statement() noexcept {
  while (tail_.size > 0 && text_[tail_.size - 1] == ',') --tail_.size;
  end_element(tail_.depth);
}

void StatementWriter::write(const Token& token) noexcept {
  if (token.kind != Kind::kInteger && token.kind != Kind::kComma) context_.modifiers_left = 0;
  switch (token.kind) {
    case Kind::kEnd:
      return;
    case Kind::kWord:
      return write_word(token.view());
    case Kind::kName:
      return write_name(token.view());
    case Kind::kInteger:
      return write_integer(token);
    case Kind::kRest:
      if (context_.in_hint) tail_ = hint_tail_;
      context_.in_hint = false;
      return write_literal();
    case Kind::kLiteral:
      return write_literal();
    case Kind::kSign:
      return write_sign(token);
    case Kind::kCast:
      context_.type_may_follow = true;
      [[fallthrough]];
    case Kind::kSymbol:
    case Kind::kDot:
      append(token.kind, token.view());
      return;
    case Kind::kComma:
      end_element(token.depth);
      return write_comma(token.depth);
    case Kind::kSemicolon:
      return write_semicolon();
    case Kind::kOpen:
      return write_open(token);
    case Kind::kClose:
      return write_close(token);
    case Kind::kHintOpen:
      return open_hint(token);
    case Kind::kHintClose:
      return close_hint(token);
  }
}

void StatementWriter::write_word(std::string_view word) noexcept {
  const Kind before = tail_.previous;
  char* to = reserve(Kind::kWord, word.size());
  if (!to) return;
  for (std::size_t i = 0; i < word.size(); ++i) {
    to[i] = static_cast<char>(kFold[static_cast<unsigned char>(word[i])]);
  }
  const std::string_view folded{to, word.size()};
  word_begin_ = static_cast<std::size_t>(to - text_);
  note_type(folded, before);
  if (is(folded, "values") || is(folded, "value")) context_.rows = Rows::kExpected;
  if (before == Kind::kEnd || before == Kind::kSemicolon)
    context_.ddl = is(folded, "create") || is(folded, "alter");
}

// Where a type is expected, its name may have several words: character varying (20).
void StatementWriter::note_type(std::string_view word, TokenKind before) noexcept {
  const bool may_be_type = before == Kind::kWord || before == Kind::kName || before == Kind::kCast;
  after_type_ = context_.type_may_follow && may_be_type && is_type_name(word);
  if (is(word, "select") || is(word, "values") || is(word, "insert") || is(word, "begin"))
    context_.ddl = false;
  context_.type_may_follow = after_type_ || is(word, "as") || (context_.ddl && !is_keyword(word));
}

void StatementWriter::write_name(std::string_view name) noexcept {
  char* to = reserve(Kind::kName, name.size());
  if (!to) return;
  memcpy(to, name.data(), name.size());
  to[0] = static_cast<char>(kFold[static_cast<unsigned char>(to[0])]);  // the prefix of U&"…"
  context_.type_may_follow = context_.ddl;
}

void StatementWriter::write_integer(const Token& token) noexcept {
  const bool in_place = tail_.previous == Kind::kOpen || tail_.previous == Kind::kComma;
  if (context_.modifiers_left == 0 || !in_place) return write_literal();
  --context_.modifiers_left;
  append(Kind::kInteger, token.view());
}

void StatementWriter::write_literal() noexcept {
  context_.modifiers_left = 0;
  if (tail_.previous == Kind::kSign) {
    tail_.size = tail_.sign_begin;
    tail_.previous = tail_.before_sign;
  }
  append(Kind::kLiteral, "?");
}

void StatementWriter::write_sign(const Token& token) noexcept {
  if (tail_.previous != Kind::kSign) {
    tail_.sign_begin = tail_.size;
    tail_.before_sign = tail_.previous;
  }
  append(Kind::kSign, token.view());
}

void StatementWriter::write_open(const Token& token) noexcept {
  const bool modifiers = tail_.previous == Kind::kWord && after_type_ && token.text[0] == '(';
  char* to = reserve(Kind::kOpen, 1, space_before_bracket(token.text[0]));
  if (!to) return;
  *to = token.text[0];
  context_.modifiers_left = modifiers ? 2 : 0;
  tail_.depth = token.depth + 1;
  if (token.depth < kMaxLists) lists_[token.depth] = {tail_.size, 0, 0};
}

void StatementWriter::write_close(const Token& token) noexcept {
  end_element(token.depth + 1);
  if (append(Kind::kClose, token.view())) tail_.depth = token.depth;
}

void StatementWriter::write_comma(uint32_t depth) noexcept {
  append(Kind::kComma, ",");
  if (has_list(depth)) lists_[depth - 1].element = tail_.size + 1;
}

void StatementWriter::write_semicolon() noexcept {
  end_statement();
  const bool empty = tail_.size == 0 || text_[tail_.size - 1] == ';';
  if (empty) tail_.previous = tail_.size == 0 ? Kind::kEnd : Kind::kSemicolon;
  if (empty || !append(Kind::kSemicolon, ";")) return;
  ++semicolons_;
  tail_.depth = 0;
  context_.ddl = false;
}

void StatementWriter::open_hint(const Token& token) noexcept {
  hint_tail_ = tail_;
  context_.in_hint = append(Kind::kHintOpen, token.view());
}

// A hint that cannot be closed is taken out again by finish().
void StatementWriter::close_hint(const Token& token) noexcept {
  if (!append(Kind::kHintClose, token.view())) return;
  context_.in_hint = false;
  tail_.depth = token.depth;
}

// A comma in a hint does not part the elements of a list around the hint.
bool StatementWriter::has_list(uint32_t depth) const noexcept {
  return depth > 0 && depth <= kMaxLists && !(context_.in_hint && depth == hint_tail_.depth);
}

// Closes the element that ends here, in the innermost of `depth` brackets, and takes it out if it says
// nothing new. Equal text is equal tokens; without a `?` it may be meant: (null, null).
void StatementWriter::end_element(uint32_t depth) noexcept {
  if (!has_list(depth)) return;
  List& list = lists_[depth - 1];
  if (list.element >= tail_.size) {
    list.previous_end = list.previous_begin = 0;
    return;
  }
  const std::string_view element{text_ + list.element, tail_.size - list.element};
  const std::string_view previous{text_ + list.previous_begin, list.previous_end - list.previous_begin};
  const bool same_value = is(element, "?") && is(previous, "?");  // the usual case, without a call
  if (same_value || (element == previous && element.find('?') != std::string_view::npos)) {
    tail_.size = list.previous_end;
    return;
  }
  list.previous_begin = list.element;
  list.previous_end = tail_.size;
}

bool StatementWriter::append(TokenKind kind, std::string_view text) noexcept {
  char* to = reserve(kind, text.size());
  if (!to) return false;
  for (char c : text) *to++ = c;
  return true;
}

// Room for a token behind the space it may need; null, and full for ever, when there is none.
char* StatementWriter::reserve(TokenKind kind, std::size_t bytes, bool space) noexcept {
  const std::size_t begin = tail_.size + space;
  if (full_ || begin + bytes > capacity_) {
    full_ = true;
    return nullptr;
  }
  text_[tail_.size] = ' ';  // the token overwrites it where no space is needed
  tail_.size = begin + bytes;
  tail_.previous = kind;
  return text_ + begin;
}

bool StatementWriter::space_before_bracket(char bracket) const noexcept {
  if (is_glued(tail_.previous, Kind::kOpen)) return false;
  switch (tail_.previous) {
    case Kind::kName:
      return false;
    case Kind::kLiteral:
    case Kind::kClose:
      return bracket == '(';
    case Kind::kWord:
      return is_keyword({text_ + word_begin_, tail_.size - word_begin_});
    default:
      return true;
  }
}

}  // namespace inlens::sql
