// The part of StatementWriter that makes it fast: most of a statement is words, commas and blanks outside of
// any special context, and copying those needs no tokens.
#include <algorithm>
#include <cstring>
#include <iterator>

#include "collectors/sql/char_class.hpp"
#include "collectors/sql/folded_text.hpp"
#include "collectors/sql/statement_writer.hpp"

namespace inlens::sql {
namespace {

constexpr std::size_t kWideBytes = 16;  // copied at once, whatever the word's size
constexpr std::size_t kMargin = kWideBytes + 2;

// Words that change how what follows is read, and the letters they begin with.
constexpr std::string_view kContextWords[] = {"as", "alter", "create", "value", "values"};

constexpr auto kBeginsContextWord =
    detail::make_table<bool>([](unsigned c) { return c == 'a' || c == 'c' || c == 'v'; });

bool is_context_word(std::string_view word) noexcept {
  return std::find(std::begin(kContextWords), std::end(kContextWords), word) != std::end(kContextWords);
}

}  // namespace

// Both ends of the copy. Each function handles one token and is false, with nothing taken, when the token
// must go through lexer and writer. Up to kMargin bytes are written past the token.
struct StatementWriter::PlainRun {
  const FoldedText& text;
  const unsigned char* from;
  char* to;
  TokenKind previous;
  const bool strings;  // false where a quote may mean something else
  char* const buffer;
  List* const list;  // of the innermost bracket, if any
  bool wrote = false;
  char* word_begin = nullptr;  // of the last word written

  // Writes `c` for the next `size` bytes.
  [[gnu::always_inline]] bool one(TokenKind kind, char c, std::size_t size = 1) noexcept {
    *to = ' ';
    to += !is_glued(previous, kind);
    *to++ = c;
    from += size;
    previous = kind;
    wrote = true;
    return true;
  }

  [[gnu::always_inline]] bool word() noexcept {
    const std::size_t size = text.word_size(static_cast<std::size_t>(from - text.bytes()));
    if (size <= 2 && (from[size] == '\'' || from[size] == '&')) return false;  // E'…' and its like
    if (size > kWideBytes) return false;
    if (kBeginsContextWord[*from] && is_context_word({reinterpret_cast<const char*>(from), size}))
      return false;
    *to = ' ';
    to += !is_glued(previous, TokenKind::kWord);
    memcpy(to, from, kWideBytes);
    word_begin = to;
    to += size;
    from += size;
    previous = TokenKind::kWord;
    wrote = true;
    return true;
  }

  [[gnu::always_inline]] bool integer() noexcept {
    std::size_t size = 1;
    while (size < kWideBytes && kCharClass[from[size]] == CharClass::kDigit) ++size;
    if (kWordByte[from[size]] || from[size] == '.') return false;
    return one(TokenKind::kLiteral, '?', size);
  }

  // A short string that every dialect reads alike: no backslash or quote inside, nothing glued to it.
  [[gnu::always_inline]] bool string() noexcept {
    std::size_t size = 1;
    while (size < FoldedText::kPadBytes - 1 && from[size] != '\'' && from[size] != '\\') ++size;
    if (!strings || from[size] != '\'') return false;
    const CharClass next = kCharClass[from[size + 1]];
    const bool alone = next == CharClass::kSpace || next == CharClass::kComma || next == CharClass::kClose;
    return alone && one(TokenKind::kLiteral, '?', size + 1);
  }

  // In a list only behind a bare `?`, which end_element() would keep once.
  [[gnu::always_inline]] bool comma() noexcept {
    if (!list) return one(TokenKind::kComma, ',');
    if (to - buffer != static_cast<std::ptrdiff_t>(list->element + 1) || to[-1] != '?') return false;
    if (list->previous_end - list->previous_begin == 1 && buffer[list->previous_begin] == '?') {
      to = buffer + list->previous_end;
    } else {
      list->previous_begin = list->element;
      list->previous_end = list->element + 1;
    }
    one(TokenKind::kComma, ',');
    list->element = static_cast<std::size_t>(to - buffer) + 1;
    return true;
  }

  [[gnu::always_inline]] bool token() noexcept {
    const CharClass first = kCharClass[*from];
    if (first == CharClass::kLetter) return word();
    const unsigned char next = from[1];
    switch (first) {
      case CharClass::kSpace:
        ++from;
        return true;
      case CharClass::kDigit:
        return integer();
      case CharClass::kQuote:
        return string();
      case CharClass::kQuestion:
        return kCharClass[next] != CharClass::kDigit && one(TokenKind::kLiteral, '?');
      case CharClass::kComma:
        return comma();
      case CharClass::kDot:
        return kCharClass[next] != CharClass::kDigit && one(TokenKind::kDot, '.');
      case CharClass::kSymbol:
        return !kOperatorTail[next] && one(TokenKind::kSymbol, static_cast<char>(*from));
      default:
        return false;
    }
  }
};

void StatementWriter::write_all(Lexer& lexer, const FoldedText& text) noexcept {
  const bool copying = text.size() > 0 && capacity_ >= kMargin;
  do {
    if (copying && context_.plain() && tail_.previous != TokenKind::kSign) copy_plain_run(lexer, text);
  } while (lexer.next().kind != TokenKind::kEnd && put(lexer.token_));
}

[[gnu::always_inline]] inline void StatementWriter::copy_plain_run(Lexer& lexer,
                                                                   const FoldedText& text) noexcept {
  const unsigned char* const from_end = text.bytes() + text.size();
  const char* const to_end = text_ + capacity_ - kMargin;
  const bool strings = !lexer.hash_seen_ && lexer.square_end_ <= lexer.pos_;
  const uint32_t depth = lexer.depth_;
  List* const list = depth > 0 && depth <= kMaxLists ? &lists_[depth - 1] : nullptr;
  PlainRun run{text, from_end - (lexer.end_ - lexer.pos_), text_ + tail_.size, tail_.previous, strings, text_,
               list};
  while (run.from < from_end && run.to <= to_end && run.token()) run.from += *run.from == ' ';
  lexer.pos_ = lexer.end_ - (from_end - run.from);
  if (!run.wrote) return;
  // Lexer and writer as they would be after the tokens copied.
  tail_.size = static_cast<std::size_t>(run.to - text_);
  tail_.previous = lexer.token_.kind = run.previous;
  if (run.previous != TokenKind::kWord) return;
  after_type_ = false;
  word_begin_ = static_cast<std::size_t>(run.word_begin - text_);
  lexer.token_.text = run.word_begin;
  lexer.token_.size = static_cast<uint16_t>(run.to - run.word_begin);
}

}  // namespace inlens::sql
