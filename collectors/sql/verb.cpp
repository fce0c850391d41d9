#include <algorithm>
#include <array>

#include "collectors/sql/char_class.hpp"
#include "collectors/sql/lexer.hpp"
#include "collectors/sql/normalise.hpp"

namespace inlens::sql {
namespace {

constexpr std::size_t kLongestVerb = 9;

struct Entry {
  std::string_view word;
  Verb verb;
};

constexpr auto kVerbs = std::to_array<Entry>({
    {"abort", Verb::kRollback},    {"alter", Verb::kDdl},         {"begin", Verb::kBegin},
    {"call", Verb::kCall},         {"comment", Verb::kDdl},       {"commit", Verb::kCommit},
    {"create", Verb::kDdl},        {"delete", Verb::kDelete},     {"drop", Verb::kDdl},
    {"end", Verb::kCommit},        {"exec", Verb::kCall},         {"execute", Verb::kCall},
    {"grant", Verb::kDdl},         {"insert", Verb::kInsert},     {"merge", Verb::kMerge},
    {"release", Verb::kSavepoint}, {"rename", Verb::kDdl},        {"replace", Verb::kInsert},
    {"revoke", Verb::kDdl},        {"rollback", Verb::kRollback}, {"savepoint", Verb::kSavepoint},
    {"select", Verb::kSelect},     {"set", Verb::kSet},           {"start", Verb::kBegin},
    {"truncate", Verb::kDdl},      {"update", Verb::kUpdate},     {"values", Verb::kSelect},
});

// A word in lower case; empty when it is too long to be one of ours.
struct Folded {
  char bytes[kLongestVerb];
  std::size_t size = 0;

  explicit Folded(const Token& token) noexcept {
    if (token.kind != TokenKind::kWord || token.size > kLongestVerb) return;
    for (size = 0; size < token.size; ++size) {
      bytes[size] = static_cast<char>(kFold[static_cast<unsigned char>(token.text[size])]);
    }
  }
  std::string_view view() const noexcept { return {bytes, size}; }
};

Verb look_up(std::string_view word) noexcept {
  const auto* found =
      std::find_if(kVerbs.begin(), kVerbs.end(), [&](const Entry& e) { return e.word == word; });
  return found == kVerbs.end() ? Verb::kOther : found->verb;
}

// The dialect is not known here and hardly matters: only a `#` in front, which must be MySQL's comment.
Token first_word(std::string_view sql, Lexer& lexer) noexcept {
  bool plain_hint = false;
  for (;;) {
    const Token token = lexer.next();
    if (token.kind == TokenKind::kHintOpen) plain_hint = token.text[2] == '+';
    if (token.kind == TokenKind::kHintClose) plain_hint = false;
    if (token.kind == TokenKind::kSymbol && token.text[0] == '#') {
      const std::size_t line_end = sql.find('\n', static_cast<std::size_t>(token.text - sql.data()));
      sql.remove_prefix(std::min(line_end, sql.size()));
      lexer = Lexer(sql, Dialect::kGeneric);
    }
    if (token.kind == TokenKind::kEnd || (token.kind == TokenKind::kWord && !plain_hint)) return token;
  }
}

// WITH a AS (…), b AS (…) <statement>
Verb behind_with(Lexer& lexer, uint32_t depth) noexcept {
  for (Token token = lexer.next(); token.kind != TokenKind::kEnd; token = lexer.next()) {
    if (token.depth != depth || token.kind != TokenKind::kWord) continue;
    const Verb verb = look_up(Folded(token).view());
    if (verb >= Verb::kSelect && verb <= Verb::kMerge) return verb;
  }
  return Verb::kSelect;
}

// ROLLBACK [WORK] TO … keeps the transaction.
Verb behind_rollback(Lexer& lexer) noexcept {
  for (Token token = lexer.next(); token.kind == TokenKind::kWord; token = lexer.next()) {
    if (Folded(token).view() == "to") return Verb::kSavepoint;
  }
  return Verb::kRollback;
}

Verb behind_select(Lexer& lexer) noexcept {
  const Token value = lexer.next();
  const bool one = value.kind == TokenKind::kInteger && value.view() == "1";
  Token token = lexer.next();
  if (token.kind == TokenKind::kSemicolon) token = lexer.next();
  return one && token.kind == TokenKind::kEnd ? Verb::kPing : Verb::kSelect;
}

}  // namespace

Verb verb_of(std::string_view sql) noexcept {
  Lexer lexer(sql, Dialect::kGeneric);
  const Token first = first_word(sql, lexer);
  const Folded word(first);
  if (word.view() == "with") return behind_with(lexer, first.depth);
  const Verb verb = look_up(word.view());
  if (verb == Verb::kRollback) return behind_rollback(lexer);
  if (verb == Verb::kSelect) return behind_select(lexer);
  return verb;
}

}  // namespace inlens::sql
