#include "collectors/sql/normalise.hpp"

#include <algorithm>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "collectors/sql/folded_text.hpp"
#include "collectors/sql/lexer.hpp"
#include "collectors/sql/statement_writer.hpp"

namespace inlens::sql {
namespace {

void fill(std::string_view sql, Dialect dialect, Normalised& out, std::size_t max_bytes) {
  // A token grows by one space at most, so the canonical text is never longer than twice the input.
  const std::size_t limit = std::max(max_bytes, kMinMaxBytes);
  const std::size_t capacity = std::min(limit, 2 * sql.size());
  out.text.resize(capacity);

  Lexer lexer(sql, dialect);
  StatementWriter writer(out.text.data(), capacity);
  writer.write_all(lexer, FoldedText(sql));
  out.text.resize(writer.finish());
  out.statements = writer.statements();
  out.truncated = writer.truncated();
  if (out.text.empty()) {
    out.text = kEmptyLabel;
    return;
  }
  const uint64_t hash = XXH3_64bits(out.text.data(), out.text.size());
  out.fingerprint = hash != 0 ? hash : 1;
}

}  // namespace

void normalise(std::string_view sql, Dialect dialect, Normalised& out, std::size_t max_bytes) noexcept {
  out.fingerprint = 0;
  out.statements = 0;
  try {
    fill(sql, dialect, out, max_bytes);
  } catch (...) {
    out.text.clear();
    out.truncated = true;
  }
}

}  // namespace inlens::sql
