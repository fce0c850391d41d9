#include "collectors/sql/keywords.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "collectors/sql/char_class.hpp"

namespace inlens::sql {
namespace {

// A word of up to eight bytes as a number, in lower case; 0 for an empty or longer one.
constexpr uint64_t packed(std::string_view word) noexcept {
  if (word.size() > sizeof(uint64_t)) return 0;
  uint64_t key = 0;
  for (char c : word) key = key << 8 | kFold[static_cast<unsigned char>(c)];
  return key;
}

// A set of packed words: open addressing, so a look-up is one multiplication and seldom more than one
// compare.
template <std::size_t N>
class WordSet {
 public:
  explicit constexpr WordSet(const std::string_view (&words)[N]) {
    for (std::string_view word : words) slots_[slot_of(packed(word))] = packed(word);
  }
  constexpr bool contains(std::string_view word) const noexcept {
    const uint64_t key = packed(word);
    return key != 0 && slots_[slot_of(key)] == key;
  }

 private:
  static_assert(2 * N <= 128, "at most half full");

  // Where the key is, or would be.
  constexpr std::size_t slot_of(uint64_t key) const noexcept {
    std::size_t slot = key * 0x9e3779b97f4a7c15 >> 57;
    while (slots_[slot] != 0 && slots_[slot] != key) slot = (slot + 1) % slots_.size();
    return slot;
  }

  std::array<uint64_t, 128> slots_{};
};

constexpr auto kKeywords =
    WordSet({"all",      "and",      "any",   "as",     "between", "by",     "case",  "check",  "default",
             "distinct", "div",      "else",  "escape", "except",  "exists", "from",  "having", "ilike",
             "in",       "interval", "into",  "is",     "join",    "like",   "limit", "not",    "offset",
             "on",       "or",       "over",  "return", "rlike",   "select", "set",   "some",   "then",
             "to",       "union",    "using", "values", "when",    "where",  "with",  "within", "xor"});

constexpr auto kShortTypeNames =
    WordSet({"binary",   "bit",     "blob",    "char",     "datetime", "dec",    "decimal", "double",
             "float",    "halfvec", "int",     "integer",  "interval", "nchar",  "number",  "numeric",
             "nvarchar", "raw",     "real",    "second",   "smallint", "text",   "time",    "timetz",
             "tinyint",  "varbit",  "varchar", "varchar2", "varying",  "vector", "year"});

constexpr std::string_view kLongTypeNames[] = {"character", "datetime2",   "datetimeoffset",
                                               "mediumint", "nvarchar2",   "precision",
                                               "timestamp", "timestamptz", "varbinary"};

}  // namespace

bool is_keyword(std::string_view word) noexcept {
  return kKeywords.contains(word);
}

bool is_type_name(std::string_view word) noexcept {
  if (kShortTypeNames.contains(word)) return true;
  return std::any_of(std::begin(kLongTypeNames), std::end(kLongTypeNames), [&](std::string_view name) {
    return std::equal(name.begin(), name.end(), word.begin(), word.end(), [](char lower, char c) {
      return static_cast<unsigned char>(lower) == kFold[static_cast<unsigned char>(c)];
    });
  });
}

}  // namespace inlens::sql
