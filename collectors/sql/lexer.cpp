// Words, numbers, symbols and brackets. What can hide a quote is in lexer_quotes.cpp and lexer_comments.cpp.
#include "collectors/sql/lexer.hpp"

#include <cstring>

#include "collectors/sql/char_class.hpp"
#include "collectors/sql/keywords.hpp"

namespace inlens::sql {

Lexer::Lexer(std::string_view sql, Dialect dialect) noexcept
    : pos_(reinterpret_cast<const Byte*>(sql.data())), end_(pos_ + sql.size()), dialect_(dialect) {}

Token Lexer::scan() noexcept {
  for (;;) {
    while (pos_ < end_ && kCharClass[*pos_] == CharClass::kSpace) ++pos_;
    if (pos_ == end_) return {};
    switch (kCharClass[*pos_]) {
      case CharClass::kSpace:
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
      case CharClass::kQuestion: {
        const Byte* end = pos_ + 1;
        while (digit_at(end)) ++end;
        return take(TokenKind::kLiteral, end);
      }
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

Token Lexer::scan_word() noexcept {
  const Byte* end = word_end(pos_ + 1);
  const bool prefixed = end - pos_ <= 2 && end < end_ && (*end == '\'' || *end == '&');
  if (prefixed) return scan_prefixed(end);
  return take(end - pos_ <= kMaxNameBytes ? TokenKind::kWord : TokenKind::kLiteral, end);
}

// Greedy: letters glued to a number (0xff, 12kb, 1_000) are part of the literal, as is the sign of an
// exponent.
Token Lexer::scan_number() noexcept {
  const bool hex = *pos_ == '0' && pos_ + 1 < end_ && kFold[pos_[1]] == 'x';
  const Byte* end = pos_ + 1;
  bool digits_only = *pos_ != '.';
  while (end < end_) {
    const bool exponent_sign =
        (*end == '+' || *end == '-') && !hex && kFold[end[-1]] == 'e' && digit_at(end + 1);
    if ((!kWordByte[*end] || *end == '$') && *end != '.' && !exponent_sign) break;
    digits_only = digits_only && digit_at(end);
    ++end;
  }
  return take(digits_only && end - pos_ <= kMaxModifierDigits ? TokenKind::kInteger : TokenKind::kLiteral,
              end);
}

namespace {

// Operators of more than one character. `<@` and `@@` are Postgres' alone: elsewhere an @ begins a variable.
constexpr std::string_view kOperators[] = {
    "<=>", "->>", "!~*", "#>>", "~~*", "<=", ">=", "<>", "!=", "||", "&&",
    "<<",  ">>",  "->",  "=>",  "==",  "~*", "~~", "!~", "#>", "#-", "^="};

constexpr bool begins_operator(unsigned char c) {
  for (std::string_view op : kOperators) {
    if (static_cast<unsigned char>(op[0]) == c) return true;
  }
  return false;
}

constexpr auto kBeginsOperator =
    detail::make_table<bool>([](unsigned c) { return begins_operator(static_cast<unsigned char>(c)); });

std::size_t operator_size(std::string_view text) noexcept {
  for (std::string_view op : kOperators) {
    if (text.starts_with(op)) return op.size();
  }
  return 1;
}

}  // namespace

Token Lexer::scan_symbol() noexcept {
  if (pos_ == hint_end_) return close_hint();
  const bool sign = *pos_ == '-' || *pos_ == '+';
  std::size_t size = 1;
  if (kBeginsOperator[*pos_]) {
    size = operator_size({reinterpret_cast<const char*>(pos_), static_cast<std::size_t>(end_ - pos_)});
    if (dialect_ == Dialect::kPostgres && *pos_ == '<' && at(pos_ + 1, '@')) size = 2;
    if (hint_end_ && pos_ + size > hint_end_) size = 1;
  }
  return take(sign && size == 1 && !after_operand() ? TokenKind::kSign : TokenKind::kSymbol, pos_ + size);
}

// $1, $? and $name are bind marks, $tag$ … $tag$ is a string in Postgres; MySQL allows $ in names.
Token Lexer::scan_dollar() noexcept {
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
  while (digit_at(end)) ++end;
  return take(TokenKind::kLiteral, end);
}

// @name is a bind mark or a variable, @@name a setting of the server.
Token Lexer::scan_at() noexcept {
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

Token Lexer::scan_colon() noexcept {
  const Byte* end = pos_ + 1;
  if (at(end, ':')) return take(TokenKind::kCast, end + 1);
  if (at(end, '=')) return take(TokenKind::kSymbol, end + 1);
  if (word_at(end) || digit_at(end)) return take(TokenKind::kLiteral, word_end(end));
  return take(TokenKind::kSymbol, end);
}

// %s and %(name)s are bind marks where a value is expected; anywhere else % is the remainder.
Token Lexer::scan_percent() noexcept {
  const Byte* end = pos_ + 1;
  if (at(end, '(') && word_at(end + 1)) {
    end = word_end(end + 1);
    end = at(end, ')') ? end + 1 : pos_ + 1;
  }
  if (at(end, 's') && word_end(end) == end + 1 && !after_operand()) return take(TokenKind::kLiteral, end + 1);
  return take(TokenKind::kSymbol, pos_ + 1);
}

Token Lexer::scan_semicolon() noexcept {
  if (hint_end_) return take(TokenKind::kSymbol, pos_ + 1);
  depth_ = 0;
  return take(TokenKind::kSemicolon, pos_ + 1);
}

Token Lexer::scan_open() noexcept {
  const bool square = *pos_ == '[';
  if (square && dialect_ == Dialect::kSqlite) return scan_name(pos_, ']');
  if (square && dialect_ == Dialect::kGeneric && pos_ >= square_end_) square_end_ = find(pos_, "]");
  Token token = take(TokenKind::kOpen, pos_ + 1);
  if (depth_ < kTypedDepth) {
    const uint64_t bit = uint64_t{1} << depth_;
    squares_ = square ? squares_ | bit : squares_ & ~bit;
  }
  ++depth_;
  return token;
}

// In an unknown dialect a `]` without its `[` may be the second half of `]]` in a bracketed name.
Token Lexer::scan_close() noexcept {
  const bool floor = depth_ == (hint_end_ ? hint_depth_ : 0);
  if (*pos_ == ']' && dialect_ == Dialect::kGeneric) {
    const bool typed = depth_ <= kTypedDepth;
    if (floor || (typed && !(squares_ >> (depth_ - 1) & 1))) return rest();
  }
  if (floor) return take(TokenKind::kSymbol, pos_ + 1);
  --depth_;
  return take(TokenKind::kClose, pos_ + 1);
}

Token Lexer::take(TokenKind kind, const Byte* end) noexcept {
  Token token{reinterpret_cast<const char*>(pos_), depth_, static_cast<uint16_t>(end - pos_), kind};
  pos_ = end;
  return token;
}

Token Lexer::rest() noexcept {
  pos_ = end_;
  hint_end_ = nullptr;
  return {nullptr, depth_, 0, TokenKind::kRest};
}

bool Lexer::after_operand() const noexcept {
  switch (last_.kind) {
    case TokenKind::kName:
    case TokenKind::kLiteral:
    case TokenKind::kInteger:
    case TokenKind::kClose:
      return true;
    case TokenKind::kWord:
      return !is_keyword(last_.view());
    default:
      return false;
  }
}

bool Lexer::word_at(const Byte* where) const noexcept {
  return where < end_ && kCharClass[*where] == CharClass::kLetter;
}

bool Lexer::digit_at(const Byte* where) const noexcept {
  return where < end_ && kCharClass[*where] == CharClass::kDigit;
}

const Lexer::Byte* Lexer::word_end(const Byte* from) const noexcept {
  while (from < end_ && kWordByte[*from]) ++from;
  return from;
}

// The first occurrence, or the end of the text.
const Lexer::Byte* Lexer::find(const Byte* from, std::string_view what) const noexcept {
  const auto* found = memmem(from, static_cast<std::size_t>(end_ - from), what.data(), what.size());
  return found ? static_cast<const Byte*>(found) : end_;
}

}  // namespace inlens::sql
