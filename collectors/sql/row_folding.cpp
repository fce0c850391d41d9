// The part of StatementWriter that leaves out every row but the first behind VALUES.
#include "collectors/sql/char_class.hpp"
#include "collectors/sql/statement_writer.hpp"

namespace inlens::sql {
namespace {

bool is_row_word(const Token& token) noexcept {
  if (token.kind != TokenKind::kWord || token.size != 3) return false;
  const auto lower = [&](int i) { return kFold[static_cast<unsigned char>(token.text[i])]; };
  return lower(0) == 'r' && lower(1) == 'o' && lower(2) == 'w';
}

}  // namespace

// Follows VALUES (…), (…) or VALUES ROW (…), ROW (…). True when the token is not to be written. A comma
// behind a row is held back until it is known whether another row follows.
bool StatementWriter::swallow_row(const Token& token) noexcept {
  const bool ended = token.kind == TokenKind::kSemicolon ||
                     (token.kind == TokenKind::kHintClose && token.depth <= rows_depth_);
  const bool closed = token.kind == TokenKind::kClose && token.depth == rows_depth_;
  switch (context_.rows) {
    case Rows::kNone:
      return false;
    case Rows::kExpected:
      rows_depth_ = token.depth;
      if (token.kind == TokenKind::kOpen)
        context_.rows = Rows::kFirst;
      else if (!is_row_word(token))
        context_.rows = Rows::kNone;
      return false;
    case Rows::kFirst:
      if (closed) context_.rows = Rows::kDone;
      if (ended) context_.rows = Rows::kNone;
      return false;
    case Rows::kDone:
      context_.rows = token.kind == TokenKind::kComma ? Rows::kComma : Rows::kNone;
      return context_.rows == Rows::kComma;
    case Rows::kComma:
    case Rows::kCommaRow:
      return swallow_after_row_comma(token);
    case Rows::kSkipping:
      if (closed) context_.rows = Rows::kDone;
      if (ended) context_.rows = Rows::kNone;
      return !ended;
  }
  return false;
}

bool StatementWriter::swallow_after_row_comma(const Token& token) noexcept {
  if (token.kind == TokenKind::kRest) return true;
  if (token.kind == TokenKind::kOpen) {
    context_.rows = Rows::kSkipping;
    return true;
  }
  const bool row_held = context_.rows == Rows::kCommaRow;
  if (!row_held && is_row_word(token)) {
    context_.rows = Rows::kCommaRow;
    return true;
  }
  write_held_comma(row_held, token);
  return true;
}

// No row after all. The comma is written with all that follows or not at all: cut right behind it, the text
// would not read as it was written.
void StatementWriter::write_held_comma(bool row, const Token& next) noexcept {
  context_.rows = Rows::kNone;
  end_element(rows_depth_);
  const Tail before = tail_;
  write_comma(rows_depth_);
  if (row) write_word("row");
  write(next);
  if (full_) tail_ = before;
}

}  // namespace inlens::sql
