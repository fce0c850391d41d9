// The statement normaliser under any bytes. The first byte chooses dialect, limit and mode: the rest is taken
// as the text itself, or as the choices for a well-formed text full of secrets. Always true: normalising
// again changes nothing, the limit holds, only an empty statement has no fingerprint, no secret shows.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "tests/collectors/sql/sql_test.hpp"
#include "tests/collectors/sql/statement_soup.hpp"

namespace {

using namespace inlens::sql;

void require(bool holds) {
  if (!holds) std::abort();
}

void check(std::string_view sql, Dialect dialect, std::size_t max_bytes) {
  const Normalised once = normalised(sql, dialect, max_bytes);
  const Normalised twice = normalised(once.text, dialect, max_bytes);
  require(twice.text == once.text);
  require(twice.fingerprint == once.fingerprint);
  require(twice.statements == once.statements);
  require(once.text == text_token_by_token(sql, dialect, max_bytes));
  require(once.text.size() <= max_bytes);
  require((once.fingerprint == 0) == (once.text == kEmptyLabel));
  require(normalised("\n " + std::string(sql), dialect, max_bytes).text == once.text);
  verb_of(sql);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const Dialect dialect = kDialects[data[0] & 3];
  const std::size_t max_bytes = data[0] & 4 ? kMinMaxBytes : kDefaultMaxBytes;
  const std::span<const uint8_t> rest(data + 1, size - 1);
  switch (data[0] >> 3 & 3) {
    case 0: {
      const std::string sql = make_soup(rest, dialect, kSecrets);
      const std::string text = normalised(sql, dialect, max_bytes).text;
      require(!shows_secret(text));
      require(normalised(make_soup(rest, dialect, kOtherSecrets), dialect, max_bytes).text == text);
      check(sql, dialect, max_bytes);
      break;
    }
    case 1:
      check(make_scraps(rest), dialect, max_bytes);
      break;
    default:
      check({reinterpret_cast<const char*>(rest.data()), rest.size()}, dialect, max_bytes);
  }
  return 0;
}
