// Short names for the tests of the statement normaliser.
#pragma once

#include <string>
#include <string_view>

#include "collectors/sql/normalise.hpp"

namespace inlens::sql {

inline constexpr Dialect kDialects[] = {Dialect::kGeneric, Dialect::kSqlite, Dialect::kPostgres,
                                        Dialect::kMysql};

inline Normalised normalised(std::string_view sql, Dialect dialect = Dialect::kGeneric,
                             std::size_t max_bytes = kDefaultMaxBytes) {
  Normalised result;
  normalise(sql, dialect, result, max_bytes);
  return result;
}

inline std::string text_of(std::string_view sql, Dialect dialect = Dialect::kGeneric) {
  return normalised(sql, dialect).text;
}

inline uint64_t fingerprint_of(std::string_view sql, Dialect dialect = Dialect::kGeneric) {
  return normalised(sql, dialect).fingerprint;
}

// The text that all dialects agree on; when they do not, all four.
inline std::string text_everywhere(std::string_view sql) {
  const std::string first = text_of(sql, kDialects[0]);
  std::string all;
  bool agreed = true;
  for (Dialect dialect : kDialects) {
    const std::string text = text_of(sql, dialect);
    agreed = agreed && text == first;
    all += text + '\n';
  }
  return agreed ? first : all;
}

}  // namespace inlens::sql
