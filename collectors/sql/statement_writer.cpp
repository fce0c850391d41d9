#include "collectors/sql/statement_writer.hpp"

#include <array>
#include <cstring>

#include "collectors/sql/char_class.hpp"
#include "collectors/sql/keywords.hpp"

namespace inlens::sql {
namespace {

using Kind = TokenKind;
constexpr std::size_t kKinds = static_cast<std::size_t>(Kind::kHintClose) + 1;

constexpr uint16_t set_of(std::initializer_list<Kind> kinds) {
  uint16_t set = 0;
  for (Kind kind : kinds) set = static_cast<uint16_t>(set | 1u << static_cast<unsigned>(kind));
  return set;
}

// Which kinds of token stand right behind which, without a space. No pair may read as something else when
// glued: symbols, signs and literals are always kept apart.
constexpr auto kGlued = [] {
  constexpr uint16_t always = set_of({Kind::kComma, Kind::kSemicolon, Kind::kClose});
  std::array<uint16_t, kKinds> glued{};
  for (auto& set : glued) set = always;
  const auto add = [&](Kind before, uint16_t set) {
    auto& entry = glued[static_cast<std::size_t>(before)];
    entry = static_cast<uint16_t>(entry | set);
  };
  add(Kind::kEnd, 0xffff);
  add(Kind::kOpen, static_cast<uint16_t>(~set_of({Kind::kHintClose})));
  add(Kind::kDot, set_of({Kind::kWord, Kind::kName, Kind::kLiteral, Kind::kSymbol, Kind::kOpen, Kind::kDot}));
  add(Kind::kCast, set_of({Kind::kWord, Kind::kName}));
  for (Kind value : {Kind::kWord, Kind::kName, Kind::kLiteral, Kind::kInteger, Kind::kClose}) {
    add(value, set_of({Kind::kDot, Kind::kCast}));
  }
  return glued;
}();

bool ends_ddl(std::string_view word) noexcept {
  return word == "select" || word == "values" || word == "insert" || word == "begin";
}

}  // namespace

bool StatementWriter::put(const Token& token) noexcept {
  if (rows_ == Rows::kNone || !swallow_row(token)) write(token);
  return !full_;
}

std::size_t StatementWriter::finish() noexcept {
  if (rows_ == Rows::kCommaRow && !full_) write_held_comma(true, {});
  if (in_hint_) tail_ = hint_tail_;
  in_hint_ = false;
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
  if (token.kind != Kind::kInteger && token.kind != Kind::kComma) modifiers_left_ = 0;
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
      if (in_hint_) tail_ = hint_tail_;
      in_hint_ = false;
      return write_literal();
    case Kind::kLiteral:
      return write_literal();
    case Kind::kSign:
      return write_sign(token);
    case Kind::kCast:
      type_may_follow_ = true;
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
  char* to = reserve(Kind::kWord, word.size(), 0);
  if (!to) return;
  for (std::size_t i = 0; i < word.size(); ++i) {
    to[i] = static_cast<char>(kFold[static_cast<unsigned char>(word[i])]);
  }
  word_begin_ = static_cast<std::size_t>(to - text_);
  const std::string_view folded{to, word.size()};
  const bool expected =
      type_may_follow_ && (before == Kind::kWord || before == Kind::kName || before == Kind::kCast);
  if (expected || ddl_) {
    note_type(folded, expected);
  } else {
    after_type_ = false;
    type_may_follow_ = folded == "as";
  }
  if (folded == "values" || folded == "value") rows_ = Rows::kExpected;
  if (before == Kind::kEnd || before == Kind::kSemicolon) ddl_ = folded == "create" || folded == "alter";
}

// Where a type is expected, its name may have several words: character varying (20).
void StatementWriter::note_type(std::string_view word, bool expected) noexcept {
  after_type_ = expected && is_type_name(word);
  if (ends_ddl(word)) ddl_ = false;
  type_may_follow_ = after_type_ || word == "as" || (ddl_ && !is_keyword(word));
}

void StatementWriter::write_name(std::string_view name) noexcept {
  char* to = reserve(Kind::kName, name.size(), 0);
  if (!to) return;
  memcpy(to, name.data(), name.size());
  to[0] = static_cast<char>(kFold[static_cast<unsigned char>(to[0])]);  // the prefix of U&"…"
  type_may_follow_ = ddl_;
}

void StatementWriter::write_integer(const Token& token) noexcept {
  const bool modifier =
      modifiers_left_ > 0 && (tail_.previous == Kind::kOpen || tail_.previous == Kind::kComma);
  if (!modifier) {
    modifiers_left_ = 0;
    return write_literal();
  }
  --modifiers_left_;
  append(Kind::kInteger, token.view());
}

void StatementWriter::write_literal() noexcept {
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
  if (!append(Kind::kOpen, token.view())) return;
  modifiers_left_ = modifiers ? 2 : 0;
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
  ddl_ = false;
}

void StatementWriter::open_hint(const Token& token) noexcept {
  hint_tail_ = tail_;
  in_hint_ = append(Kind::kHintOpen, token.view());
}

// A hint that cannot be closed is taken out again by finish().
void StatementWriter::close_hint(const Token& token) noexcept {
  if (!append(Kind::kHintClose, token.view())) return;
  in_hint_ = false;
  tail_.depth = token.depth;
}

// A comma in a hint does not part the elements of a list around the hint.
bool StatementWriter::has_list(uint32_t depth) const noexcept {
  return depth > 0 && depth <= kMaxLists && !(in_hint_ && depth == hint_tail_.depth);
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
  const char* element = text_ + list.element;
  const std::size_t bytes = tail_.size - list.element;
  if (list.previous_end - list.previous_begin == bytes &&
      memcmp(text_ + list.previous_begin, element, bytes) == 0 && memchr(element, '?', bytes)) {
    tail_.size = list.previous_end;
    return;
  }
  list.previous_begin = list.element;
  list.previous_end = tail_.size;
}

bool StatementWriter::append(TokenKind kind, std::string_view text) noexcept {
  char* to = reserve(kind, text.size(), text[0]);
  if (!to) return false;
  memcpy(to, text.data(), text.size());
  return true;
}

// Room for a token behind the space it may need; null, and full for ever, when there is none.
char* StatementWriter::reserve(TokenKind kind, std::size_t bytes, char first) noexcept {
  const bool space = space_before(kind, first);
  if (full_ || bytes + space > capacity_ - tail_.size) {
    full_ = true;
    return nullptr;
  }
  char* to = text_ + tail_.size;
  if (space) *to++ = ' ';
  tail_.size += bytes + space;
  tail_.previous = kind;
  return to;
}

bool StatementWriter::space_before(TokenKind kind, char first) const noexcept {
  if (kGlued[static_cast<std::size_t>(tail_.previous)] >> static_cast<unsigned>(kind) & 1) return false;
  if (kind != Kind::kOpen) return true;
  switch (tail_.previous) {
    case Kind::kName:
      return false;
    case Kind::kLiteral:
    case Kind::kClose:
      return first == '(';
    case Kind::kWord:
      return is_keyword({text_ + word_begin_, tail_.size - word_begin_});
    default:
      return true;
  }
}

}  // namespace inlens::sql
