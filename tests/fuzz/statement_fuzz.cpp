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
  if (data[0] & 8) {
    const std::string sql = make_soup({data + 1, size - 1}, dialect, kSecrets);
    const Normalised result = normalised(sql, dialect, max_bytes);
    require(!shows_secret(result.text));
    require(normalised(make_soup({data + 1, size - 1}, dialect, kOtherSecrets), dialect, max_bytes).text ==
            result.text);
    check(sql, dialect, max_bytes);
  } else {
    check({reinterpret_cast<const char*>(data) + 1, size - 1}, dialect, max_bytes);
  }
  return 0;
}
