// Statement normaliser: turns the text of a SQL statement into one canonical, masked text and a 64-bit
// fingerprint, so that runs of "the same" statement meet in one row and no literal value is ever shown.
// Called by the worker for each text it has not met before, and by collectors; pure, owns nothing, any
// thread.
//
// The text is cut into tokens in one pass (lexer.hpp) and written back in one canonical form
// (statement_writer.hpp): keywords and unquoted names in lower case, single spaces, no comments (hints stay),
// each literal and bind mark as `?`, repeated list elements and further VALUES rows written once. The
// canonical text reads back as the same tokens, so its hash is the hash of the token stream and normalising
// it again changes nothing. Where the dialect leaves open how far a literal reaches, the rest of the text is
// masked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace inlens::sql {

enum class Dialect : uint8_t { kGeneric, kSqlite, kPostgres, kMysql };

inline constexpr std::size_t kDefaultMaxBytes = 2000;
inline constexpr std::size_t kMinMaxBytes = 512;

// What normalise() writes for a text of nothing but comments, spaces and separators. A comment itself, so it
// normalises to itself.
inline constexpr std::string_view kEmptyLabel = "/* empty */";

struct Normalised {
  std::string text;
  uint64_t fingerprint = 0;  // hash of `text`; 0 only for kEmptyLabel and after bad_alloc
  uint32_t statements = 0;   // statements in `text`, separated by semicolons
  bool truncated = false;    // the text was longer; texts that agree in all that is kept share a fingerprint
};

// Normalises `sql`, which is not a view of out.text, into `out`, reusing the capacity of out.text.
// Errors: none; any byte is accepted. When memory runs out: empty text, fingerprint 0, truncated.
// Limits: out.text holds at most `max_bytes` (raised to kMinMaxBytes) and is cut between tokens; time is
// linear in the input; about 6 KB of stack.
void normalise(std::string_view sql, Dialect dialect, Normalised& out,
               std::size_t max_bytes = kDefaultMaxBytes) noexcept;

// What a statement does, as far as its first words tell.
enum class Verb : uint8_t {
  kOther,
  kSelect,
  kInsert,  // also REPLACE
  kUpdate,
  kDelete,
  kMerge,
  kCall,       // CALL, EXEC, EXECUTE
  kBegin,      // also START TRANSACTION
  kCommit,     // also END
  kRollback,   // of the whole transaction; also ABORT
  kSavepoint,  // SAVEPOINT, RELEASE, ROLLBACK TO
  kSet,
  kDdl,
  kPing,  // a bare SELECT 1, as connection pools send it
};

// The verb of the first statement in `sql`; comments, hints and opening brackets before it are skipped, and
// WITH is looked through to the statement it introduces.
Verb verb_of(std::string_view sql) noexcept;

}  // namespace inlens::sql
