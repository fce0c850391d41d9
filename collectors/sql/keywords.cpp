#include "collectors/sql/keywords.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "collectors/sql/char_class.hpp"

namespace inlens::sql {
namespace {

constexpr std::size_t kLongestWord = 14;

constexpr auto kKeywords = std::to_array<std::string_view>(
    {"all",     "and",       "any",    "as",        "between",  "by",     "case",   "check",
     "default", "distinct",  "div",    "else",      "escape",   "except", "exists", "from",
     "having",  "ilike",     "in",     "intersect", "interval", "into",   "is",     "join",
     "like",    "limit",     "not",    "offset",    "on",       "or",     "over",   "partition",
     "return",  "returning", "rlike",  "select",    "set",      "some",   "then",   "to",
     "union",   "using",     "values", "when",      "where",    "with",   "within", "xor"});

constexpr auto kTypeNames = std::to_array<std::string_view>(
    {"binary",         "bit",       "blob",        "char",   "character", "datetime",  "datetime2",
     "datetimeoffset", "dec",       "decimal",     "double", "float",     "halfvec",   "int",
     "integer",        "interval",  "mediumint",   "nchar",  "number",    "numeric",   "nvarchar",
     "nvarchar2",      "precision", "raw",         "real",   "second",    "smallint",  "text",
     "time",           "timestamp", "timestamptz", "timetz", "tinyint",   "varbinary", "varbit",
     "varchar",        "varchar2",  "varying",     "vector", "year"});

static_assert(std::is_sorted(kKeywords.begin(), kKeywords.end()));
static_assert(std::is_sorted(kTypeNames.begin(), kTypeNames.end()));

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& words, std::string_view word) noexcept {
  if (word.size() > kLongestWord) return false;
  char folded[kLongestWord];
  for (std::size_t i = 0; i < word.size(); ++i) {
    folded[i] = static_cast<char>(kFold[static_cast<unsigned char>(word[i])]);
  }
  return std::binary_search(words.begin(), words.end(), std::string_view(folded, word.size()));
}

}  // namespace

bool is_keyword(std::string_view word) noexcept {
  return contains(kKeywords, word);
}

bool is_type_name(std::string_view word) noexcept {
  return contains(kTypeNames, word);
}

}  // namespace inlens::sql
