// Strings and quoted names: everything whose end depends on the dialect.
#include <cstring>

#include "collectors/sql/char_class.hpp"
#include "collectors/sql/keywords.hpp"
#include "collectors/sql/lexer.hpp"

namespace inlens::sql {
namespace {

bool is_word(const Token& token, std::string_view lower) noexcept {
  if (token.kind != TokenKind::kWord || token.size != lower.size()) return false;
  for (std::size_t i = 0; i < lower.size(); ++i) {
    if (kFold[static_cast<unsigned char>(token.text[i])] != static_cast<unsigned char>(lower[i]))
      return false;
  }
  return true;
}

}  // namespace

Lexer::Backslash Lexer::backslash_of_dialect() const noexcept {
  switch (dialect_) {
    case Dialect::kMysql:
      return Backslash::kEscapes;
    case Dialect::kGeneric:
      return Backslash::kUnknown;
    default:
      return Backslash::kPlain;
  }
}

// `quote` is the opening quote, at or behind pos_.
void Lexer::scan_string(const Byte* quote, Backslash backslash) noexcept {
  for (const Byte* from = quote + 1;;) {
    const auto* close = static_cast<const Byte*>(memchr(from, *quote, static_cast<std::size_t>(end_ - from)));
    if (!close) return rest();
    const Byte* slash = close;
    while (slash > from && slash[-1] == '\\') --slash;
    if ((close - slash) % 2 != 0) {
      if (backslash == Backslash::kEscapes) {
        from = close + 1;
        continue;
      }
      // LIKE … ESCAPE '\' is the one common text in which a backslash certainly does not escape.
      const bool escape_clause = close - quote == 2 && !at(close + 1, *quote) && is_word(token_, "escape");
      if (backslash == Backslash::kUnknown && !escape_clause) return rest();
    }
    if (at(close + 1, *quote)) {
      from = close + 2;
      continue;
    }
    const Byte* next = close + 1;
    if (glued(next, *quote)) return rest();
    return take_opaque(TokenKind::kLiteral, next);
  }
}

// Text right behind the closing quote, as in 'O'Brien': whoever wrote it did not mean the string to end
// there.
bool Lexer::glued(const Byte* next, Byte quote) const noexcept {
  if (next == end_) return false;
  if (kWordByte[*next]) {
    const Byte* end = word_end(next);
    return !is_keyword({reinterpret_cast<const char*>(next), static_cast<std::size_t>(end - next)});
  }
  return *next == '\\' || (*next == '.' && quote == '\'');
}

void Lexer::scan_double_quote() noexcept {
  const bool name = dialect_ == Dialect::kPostgres || dialect_ == Dialect::kSqlite;
  return name ? scan_name(pos_, '"') : scan_string(pos_, backslash_of_dialect());
}

// A doubled closing quote stands for itself, except for a bracket.
void Lexer::scan_name(const Byte* quote, Byte closing) noexcept {
  for (const Byte* from = quote + 1;;) {
    const auto* close =
        static_cast<const Byte*>(memchr(from, closing, static_cast<std::size_t>(end_ - from)));
    if (!close) return rest();
    if (closing != ']' && at(close + 1, closing)) {
      from = close + 2;
      continue;
    }
    const Byte* next = close + 1;
    // Elsewhere a [ may open an array and a backtick be an operator; then a quote inside would begin a
    // string.
    const bool quoted_inside = (closing == ']' || dialect_ == Dialect::kGeneric) &&
                               memchr(quote, '\'', static_cast<std::size_t>(close - quote));
    const bool name = next - pos_ <= kMaxNameBytes && !quoted_inside;
    return take_opaque(name ? TokenKind::kName : TokenKind::kLiteral, next);
  }
}

// Oracle's q'{ … }': ends with the closing delimiter and a quote, whatever stands between.
void Lexer::scan_oracle_string(const Byte* quote) noexcept {
  if (quote + 1 >= end_) return rest();
  char closing[2] = {static_cast<char>(quote[1]), '\''};
  switch (closing[0]) {
    case '[':
      closing[0] = ']';
      break;
    case '{':
      closing[0] = '}';
      break;
    case '(':
      closing[0] = ')';
      break;
    case '<':
      closing[0] = '>';
      break;
    default:
      break;
  }
  const Byte* close = find(quote + 2, {closing, 2});
  return close == end_ ? rest() : take_opaque(TokenKind::kLiteral, close + 2);
}

// pos_ is at the opening $tag$, `tag_end` behind it.
void Lexer::scan_dollar_string(const Byte* tag_end) noexcept {
  const std::string_view tag{reinterpret_cast<const char*>(pos_), static_cast<std::size_t>(tag_end - pos_)};
  const Byte* close = find(tag_end, tag);
  return close == end_ ? rest() : take_opaque(TokenKind::kLiteral, close + tag.size());
}

// A word of one or two letters directly before a quote: E'…' N'…' X'…' B'…' U&'…' U&"…" q'{…}'.
void Lexer::scan_prefixed(const Byte* prefix_end) noexcept {
  const bool one = prefix_end - pos_ == 1;
  const Byte first = kFold[*pos_];
  const bool generic = dialect_ == Dialect::kGeneric;
  const bool standard = generic || dialect_ == Dialect::kPostgres;
  if (*prefix_end == '&') {
    if (one && first == 'u' && standard && at(prefix_end + 1, '\'')) {
      return scan_string(prefix_end + 1, backslash_of_dialect());
    }
    if (one && first == 'u' && dialect_ == Dialect::kPostgres && at(prefix_end + 1, '"')) {
      return scan_name(prefix_end + 1, '"');
    }
    return take(TokenKind::kWord, prefix_end);
  }
  if (one && first == 'e' && standard) return scan_string(prefix_end, Backslash::kEscapes);
  if (one && (first == 'n' || first == 'x' || first == 'b')) {
    return scan_string(prefix_end, backslash_of_dialect());
  }
  const bool oracle = one ? first == 'q' : first == 'n' && kFold[pos_[1]] == 'q';
  if (oracle && generic) return scan_oracle_string(prefix_end);
  return take(TokenKind::kWord, prefix_end);
}

void Lexer::take_opaque(TokenKind kind, const Byte* end) noexcept {
  return doubtful(end) ? rest() : take(kind, end);
}

// True when another reading of the text ends, or never begins, what is read here from pos_ to `end`.
bool Lexer::doubtful(const Byte* end) const noexcept {
  return hash_seen_ || (hint_end_ && end > hint_end_) || (pos_ < square_end_ && end > square_end_);
}

}  // namespace inlens::sql
