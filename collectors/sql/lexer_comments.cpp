// Comments, which leave no token, and hints, which open and close like brackets.
#include "collectors/sql/char_class.hpp"
#include "collectors/sql/lexer.hpp"

namespace inlens::sql {

// MySQL wants a space behind `--`; without one it reads two signs.
bool Lexer::begins_line_comment() const noexcept {
  if (!at(pos_ + 1, '-')) return false;
  return dialect_ != Dialect::kMysql || pos_ + 2 == end_ || pos_[2] <= ' ' || pos_[2] == 0x7f;
}

// Skips to the end of the line. False when the text may go on inside what looks like the comment.
bool Lexer::skip_line_comment() noexcept {
  const bool generic = dialect_ == Dialect::kGeneric;
  const bool maybe_signs = generic && pos_ + 2 < end_ && pos_[2] > ' ';
  const Byte* end = pos_ + 1;
  bool doubt = false;
  for (; end < end_ && *end != '\n'; ++end) {
    if (*end == '\r') {
      if (dialect_ == Dialect::kPostgres) break;
      doubt |= generic && end + 1 < end_ && end[1] != '\n';
    }
    const bool opener = *end == '\'' || *end == '"' || *end == '`' || (*end == '/' && at(end + 1, '*'));
    doubt |= maybe_signs && opener;
  }
  if (doubt || doubtful(end)) return false;
  pos_ = end;
  return true;
}

// Postgres nests comments, the others do not; in an unknown dialect a nested one makes the rest unreadable.
// A comment that is never closed runs to the end of the text.
bool Lexer::skip_block_comment() noexcept {
  const Byte* end = find(pos_ + 2, "*/");
  const std::string_view inside{reinterpret_cast<const char*>(pos_ + 2),
                                static_cast<std::size_t>(end - pos_ - 2)};
  const bool nested = inside.find("/*") != std::string_view::npos || (at(end - 1, '/') && end - pos_ > 2);
  if (dialect_ == Dialect::kGeneric && nested) return false;
  if (dialect_ == Dialect::kPostgres && nested) {
    uint32_t open = 1;
    for (end = pos_ + 2; end < end_; ++end) {
      if (*end == '/' && at(end + 1, '*'))
        ++open, ++end;
      else if (*end == '*' && at(end + 1, '/') && --open == 0)
        break;
    }
  }
  end = end_ - end < 2 ? end_ : end + 2;
  if (doubtful(end)) return false;
  pos_ = end;
  return true;
}

// /*+ … */ everywhere, /*! … */ where MySQL may read it.
bool Lexer::begins_hint() const noexcept {
  if (hint_end_) return false;
  if (at(pos_ + 2, '+')) return true;
  const bool mysql = dialect_ == Dialect::kMysql || dialect_ == Dialect::kGeneric;
  return mysql && at(pos_ + 2, '!');
}

void Lexer::open_hint() noexcept {
  const Byte* close = find(pos_ + 3, "*/");
  if (close == end_) return rest();
  hint_end_ = close;
  hint_depth_ = depth_;
  return take(TokenKind::kHintOpen, pos_ + 3);
}

void Lexer::close_hint() noexcept {
  hint_end_ = nullptr;
  depth_ = hint_depth_;
  return take(TokenKind::kHintClose, pos_ + 2);
}

}  // namespace inlens::sql
