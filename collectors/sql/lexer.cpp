// Words, numbers, symbols and brackets. What can hide a quote is in lexer_quotes.cpp and lexer_comments.cpp.
#include "collectors/sql/lexer.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "collectors/sql/char_class.hpp"
#include "collectors/sql/keywords.hpp"

namespace inlens::sql {

Lexer::Lexer(std::string_view sql, Dialect dialect) noexcept
    : pos_(reinterpret_cast<const Byte*>(sql.data())), end_(pos_ + sql.size()), dialect_(dialect) {}

void Lexer::scan() noexcept {
  for (;;) {
    if (pos_ == end_) return take(TokenKind::kEnd, pos_);
    switch (kCharClass[*pos_]) {
      case CharClass::kSpace:
        ++pos_;
        continue;
      case CharClass::kLetter:
        return scan_word();
      case CharClass::kDigit:
        return scan_number();
      case CharClass::kQuote:
        return scan_string(pos_, backslash_of_dialect());
      case CharClass::kDoubleQuote:
        return scan_double_quote();
      case CharClass::kBacktick:
        if (dialect_ == Dialect::kPostgres) return take(TokenKind::kSymbol, pos_ + 1);
        return scan_name(pos_, '`');
      case CharClass::kDash:
        if (!begins_line_comment()) return scan_symbol();
        if (!skip_line_comment()) return rest();
        continue;
      case CharClass::kSlash:
        if (!at(pos_ + 1, '*')) return take(TokenKind::kSymbol, pos_ + 1);
        if (begins_hint()) return open_hint();
        if (!skip_block_comment()) return rest();
        continue;
      case CharClass::kHash:
        if (dialect_ == Dialect::kMysql) {
          if (!skip_line_comment()) return rest();
          continue;
        }
        hash_seen_ = dialect_ == Dialect::kGeneric;
        return scan_symbol();
      case CharClass::kPlus:
      case CharClass::kSymbol:
        return scan_symbol();
      case CharClass::kDollar:
        return scan_dollar();
      case CharClass::kColon:
        return scan_colon();
      case CharClass::kAt:
        return scan_at();
      case CharClass::kPercent:
        return scan_percent();
      case CharClass::kQuestion:
        return take(TokenKind::kLiteral, digits_end(pos_ + 1));
      case CharClass::kDot:
        if (digit_at(pos_ + 1) && !after_operand()) return scan_number();
        return take(TokenKind::kDot, pos_ + 1);
      case CharClass::kComma:
        return take(TokenKind::kComma, pos_ + 1);
      case CharClass::kSemicolon:
        return scan_semicolon();
      case CharClass::kOpen:
      case CharClass::kOpenSquare:
        return scan_open();
      case CharClass::kClose:
      case CharClass::kCloseSquare:
        return scan_close();
    }
  }
}

void Lexer::scan_word() noexcept {
  const Byte* end = word_end(pos_ + 1);
  const auto size = end - pos_;
  if (size <= 2 && end < end_ && (*end == '\'' || *end == '&')) return scan_prefixed(end);
  take(size <= kMaxNameBytes ? TokenKind::kWord : TokenKind::kLiteral, end);
}

void Lexer::scan_number() noexcept {
  const Byte* end = pos_;
  while (digit_at(end)) ++end;
  if (end < end_ && (kWordByte[*end] || *end == '.')) return scan_odd_number(end);
  take(end - pos_ <= kMaxModifierDigits ? TokenKind::kInteger : TokenKind::kLiteral, end);
}

// Greedy: letters glued to a number (0xff, 12kb, 1_000) are part of the literal, as is the sign of an
// exponent.
void Lexer::scan_odd_number(const Byte* end) noexcept {
  const bool hex = *pos_ == '0' && kFold[*end] == 'x';
  for (; end < end_; ++end) {
    const bool part = (kWordByte[*end] && *end != '$') || *end == '.';
    const bool exponent_sign =
        (*end == '+' || *end == '-') && !hex && kFold[end[-1]] == 'e' && digit_at(end + 1);
    if (!part && !exponent_sign) break;
  }
  return take(TokenKind::kLiteral, end);
}

namespace {

// Operators of more than one character. `<@` and `@@` are Postgres' alone: elsewhere an @ begins a variable.
constexpr std::string_view kOperators[] = {
    "<=>", "->>", "!~*", "#>>", "~~*", "<=", ">=", "<>", "!=", "||", "&&",
    "<<",  ">>",  "->",  "=>",  "==",  "~*", "~~", "!~", "#>", "#-", "^="};

static_assert(std::all_of(std::begin(kOperators), std::end(kOperators), [](std::string_view op) {
  return kOperatorTail[static_cast<unsigned char>(op[1])];
}));

std::size_t operator_size(std::string_view text) noexcept {
  for (std::string_view op : kOperators) {
    if (text.starts_with(op)) return op.size();
  }
  return 1;
}

}  // namespace

void Lexer::scan_symbol() noexcept {
  if (pos_ == hint_end_) return close_hint();
  std::size_t size = 1;
  if (pos_ + 1 < end_ && kOperatorTail[pos_[1]]) {
    size = operator_size({reinterpret_cast<const char*>(pos_), static_cast<std::size_t>(end_ - pos_)});
    if (dialect_ == Dialect::kPostgres && *pos_ == '<' && pos_[1] == '@') size = 2;
    if (hint_end_ && pos_ + size > hint_end_) size = 1;
  }
  const bool sign = size == 1 && (*pos_ == '-' || *pos_ == '+') && !after_operand();
  return take(sign ? TokenKind::kSign : TokenKind::kSymbol, pos_ + size);
}

// $1, $? and $name are bind marks, $tag$ … $tag$ is a string in Postgres; MySQL allows $ in names.
void Lexer::scan_dollar() noexcept {
  const Byte* end = pos_ + 1;
  const bool word = word_at(end);
  if (dialect_ == Dialect::kMysql && word) return scan_word();
  if (dialect_ == Dialect::kPostgres || dialect_ == Dialect::kGeneric) {
    const Byte* tag_end = end;
    if (word) {
      while (tag_end < end_ && *tag_end != '$' && kWordByte[*tag_end]) ++tag_end;
    }
    if (at(tag_end, '$')) return scan_dollar_string(tag_end + 1);
  }
  if (at(end, '?')) return take(TokenKind::kLiteral, end + 1);
  if (word) return take(TokenKind::kLiteral, word_end(end));
  if (!digit_at(end)) return take(TokenKind::kSymbol, end);
  return take(TokenKind::kLiteral, digits_end(end));
}

// @name is a bind mark or a variable, @@name a setting of the server.
void Lexer::scan_at() noexcept {
  const Byte* end = pos_ + 1;
  const bool twice = at(end, '@');
  if (twice && dialect_ == Dialect::kPostgres) return take(TokenKind::kSymbol, end + 1);
  if (twice && word_at(end + 1)) {
    end = word_end(end + 1);
    return take(end - pos_ <= kMaxNameBytes ? TokenKind::kWord : TokenKind::kLiteral, end);
  }
  if (at(end, '>')) return take(TokenKind::kSymbol, end + 1);
  if (word_at(end) || digit_at(end)) return take(TokenKind::kLiteral, word_end(end));
  return take(TokenKind::kSymbol, end);
}

void Lexer::scan_colon() noexcept {
  const Byte* end = pos_ + 1;
  if (at(end, ':')) return take(TokenKind::kCast, end + 1);
  if (at(end, '=')) return take(TokenKind::kSymbol, end + 1);
  if (word_at(end) || digit_at(end)) return take(TokenKind::kLiteral, word_end(end));
  return take(TokenKind::kSymbol, end);
}

// %s and %(name)s are bind marks where a value is expected; anywhere else % is the remainder.
void Lexer::scan_percent() noexcept {
  const Byte* end = pos_ + 1;
  if (at(end, '(') && word_at(end + 1)) {
    end = word_end(end + 1);
    end = at(end, ')') ? end + 1 : pos_ + 1;
  }
  if (at(end, 's') && word_end(end) == end + 1 && !after_operand()) return take(TokenKind::kLiteral, end + 1);
  return take(TokenKind::kSymbol, pos_ + 1);
}

void Lexer::scan_semicolon() noexcept {
  if (hint_end_) return take(TokenKind::kSymbol, pos_ + 1);
  depth_ = 0;
  return take(TokenKind::kSemicolon, pos_ + 1);
}

void Lexer::scan_open() noexcept {
  const bool square = *pos_ == '[';
  if (square && dialect_ == Dialect::kSqlite) return scan_name(pos_, ']');
  if (square && dialect_ == Dialect::kGeneric && pos_ >= square_end_) square_end_ = find(pos_, "]");
  take(TokenKind::kOpen, pos_ + 1);
  if (depth_ < kTypedDepth) {
    const uint64_t bit = uint64_t{1} << depth_;
    squares_ = square ? squares_ | bit : squares_ & ~bit;
  }
  ++depth_;
}

// In an unknown dialect a `]` without its `[` may be the second half of `]]` in a bracketed name.
void Lexer::scan_close() noexcept {
  const bool floor = depth_ == (hint_end_ ? hint_depth_ : 0);
  if (*pos_ == ']' && dialect_ == Dialect::kGeneric) {
    const bool typed = depth_ <= kTypedDepth;
    if (floor || (typed && !(squares_ >> (depth_ - 1) & 1))) return rest();
  }
  if (floor) return take(TokenKind::kSymbol, pos_ + 1);
  --depth_;
  return take(TokenKind::kClose, pos_ + 1);
}

void Lexer::rest() noexcept {
  hint_end_ = nullptr;
  take(TokenKind::kRest, end_);
}

bool Lexer::after_operand() const noexcept {
  switch (token_.kind) {
    case TokenKind::kName:
    case TokenKind::kLiteral:
    case TokenKind::kInteger:
    case TokenKind::kClose:
      return true;
    case TokenKind::kWord:
      return !is_keyword(token_.view());
    default:
      return false;
  }
}

// The first occurrence, or the end of the text.
const Lexer::Byte* Lexer::find(const Byte* from, std::string_view what) const noexcept {
  const auto* found = memmem(from, static_cast<std::size_t>(end_ - from), what.data(), what.size());
  return found ? static_cast<const Byte*>(found) : end_;
}

}  // namespace inlens::sql
