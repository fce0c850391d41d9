#include "tests/collectors/sql/statement_soup.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include "collectors/sql/lexer.hpp"
#include "collectors/sql/statement_writer.hpp"

namespace inlens::sql {
namespace {

constexpr unsigned kG = 1, kS = 2, kP = 4, kM = 8, kAll = 15;  // dialects, as bits

struct Piece {
  std::string_view text;  // \1 is the secret text, \2 the number, \3 the comment
  unsigned dialects = kAll;
};

// Pieces that stand often come more than once.
constexpr Piece kPieces[] = {
    {"select"},
    {"Values"},
    {"values"},
    {"row"},
    {"in"},
    {"as"},
    {"Create"},
    {"from"},
    {"and"},
    {"escape"},
    {"null"},
    {"a1"},
    {"Foo_2"},
    {"\xc3\xa9t\xc3\xa9"},
    {"f"},
    {"varchar"},
    {"numeric"},
    {"array", kG | kP},
    {"("},
    {"("},
    {"("},
    {")"},
    {")"},
    {")"},
    {"["},
    {"]"},
    {","},
    {","},
    {","},
    {";"},
    {"."},
    {"::"},
    {":"},
    {"+"},
    {"-"},
    {"-"},
    {"*"},
    {"/"},
    {"="},
    {"<"},
    {"->>"},
    {"||"},
    {"%"},
    {"@"},
    {"~"},
    {"!"},
    {"'\1'"},
    {"'\1'"},
    {"''"},
    {"N'\1'"},
    {"'\1''\1'"},
    {"\2"},
    {"\2"},
    {"-\2"},
    {".\2"},
    {"\2e-\2"},
    {"0x\2"},
    {"12"},
    {"?"},
    {"?"},
    {"$1"},
    {":name"},
    {"@name"},
    {"%s"},
    {"%(name)s"},
    {"$?"},
    {"(\2, '\1')"},
    {"values (\2), ('\1', f(\2))"},
    {"in ('\1', \2)"},
    {"::numeric(10, 2)"},
    {"as varchar(\2)"},
    {"/*+ f(\2) '\1' , ( */"},
    {"/*+ a ) ; */"},
    {"/* \3 ' */"},
    {"-- \3 '\n"},
    {"/*+*/"},
    {"/*!\2 set '\1' */", kG | kM},
    {"# \3 '\n", kM},
    {"/* \3 /* ' */ ' */", kP},
    {"#", kG},
    {"\"\1\"", kG | kM},
    {"\"a b\"", kS | kP},
    {"\"A\"\"?\"", kS | kP},
    {"`A b`", kG | kS | kM},
    {"[A b]", kS},
    {"'\\'\1'", kM},
    {"\"\\\"\1\"", kM},
    {"E'\\'\1'", kP | kG},
    {"'\1\\\\'", kM | kG},
    {"'\\'", kP | kS},
    {"$$\3'$$", kP | kG},
    {"$t$ $$ \3' $t$", kP | kG},
    {"q'{\1's}'", kG},
    {"U&'\1'", kP | kG},
    {"U&\"a\"", kP},
};

constexpr std::string_view kBetween[] = {" ", " ", " ", "\n", "\t  ", " /* \3 */ ", " -- \3\n"};

void append(std::string& text, std::string_view piece, const Secrets& secrets) {
  for (char c : piece) {
    switch (c) {
      case '\1':
        text += secrets.text;
        break;
      case '\2':
        text += secrets.number;
        break;
      case '\3':
        text += secrets.comment;
        break;
      default:
        text += c;
    }
  }
}

// In SQLite a bracket opens a name, so bare brackets would not be well-formed there.
bool fits(const Piece& piece, Dialect dialect) {
  const bool bare_bracket = piece.text == "[" || piece.text == "]";
  if (bare_bracket && dialect == Dialect::kSqlite) return false;
  return piece.dialects >> static_cast<unsigned>(dialect) & 1;
}

}  // namespace

std::string make_soup(std::span<const uint8_t> choices, Dialect dialect, const Secrets& secrets) {
  std::vector<std::string_view> pieces;
  for (const Piece& piece : kPieces) {
    if (fits(piece, dialect)) pieces.push_back(piece.text);
  }
  std::string text;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    append(text, pieces[choices[i] % pieces.size()], secrets);
    append(text, kBetween[(choices[i] / pieces.size() + i) % std::size(kBetween)], secrets);
  }
  return text;
}

std::string make_scraps(std::span<const uint8_t> choices) {
  static constexpr std::string_view kScraps[] = {"'",      "\"",
                                                 "`",      "\\",
                                                 "$",      "$$",
                                                 "$t$",    "q'{",
                                                 "}'",     "[",
                                                 "]",      "(",
                                                 ")",      "(",
                                                 ")",      ",",
                                                 ",",      "?",
                                                 "?",      "/*",
                                                 "*/",     "/*+",
                                                 "/*!",    "--",
                                                 "\n",     "\r",
                                                 "#",      "-",
                                                 "+",      "*",
                                                 ".",      "::",
                                                 ":",      "@",
                                                 "@@",     ";",
                                                 "%s",     "%",
                                                 "values", "row",
                                                 "as",     "create",
                                                 "table",  "varchar",
                                                 "int",    "escape",
                                                 "select", "and",
                                                 "a",      "b1",
                                                 "1",      "22",
                                                 "999999", "1e-5",
                                                 "u&",     "E'",
                                                 "N",      "x'",
                                                 " ",      " ",
                                                 " ",      "\xe2\x80\x8b",
                                                 "null",   "f(",
                                                 "in (",   "1,",
                                                 "?,",     "(?",
                                                 "?)",     "values (1),",
                                                 "<",      ">",
                                                 "=",      "|",
                                                 "~*",     "!",
                                                 "&"};
  std::string text;
  for (uint8_t choice : choices) {
    text += kScraps[choice % std::size(kScraps)];
    if (choice / std::size(kScraps) == 1) text += ' ';
  }
  return text;
}

std::string text_token_by_token(std::string_view sql, Dialect dialect, std::size_t max_bytes) {
  std::string text(std::min(max_bytes, 2 * sql.size()), '\0');
  Lexer lexer(sql, dialect);
  StatementWriter writer(text.data(), text.size());
  while (lexer.next().kind != TokenKind::kEnd && writer.put(lexer.token())) {
  }
  text.resize(writer.finish());
  return text.empty() ? std::string(kEmptyLabel) : text;
}

bool shows_secret(std::string_view text) {
  std::string folded;
  for (char c : text) folded += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (std::string_view secret : {"zq", "86420", "97531"}) {
    if (folded.find(secret) != std::string::npos) return true;
  }
  return false;
}

}  // namespace inlens::sql
