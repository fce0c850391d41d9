#include "agent/worker/texts.hpp"

#include <new>

namespace inlens::worker {

bool is_repeatable(std::string_view masked) {
  switch (sql::verb_of(masked)) {
    case sql::Verb::kBegin:
    case sql::Verb::kCommit:
    case sql::Verb::kRollback:
    case sql::Verb::kSavepoint:
    case sql::Verb::kSet:
    case sql::Verb::kPing:
      return false;
    default:
      return masked != "select ?";  // a ping whose literal is masked
  }
}

std::string_view name_of(sql::Dialect dialect) {
  switch (dialect) {
    case sql::Dialect::kSqlite:
      return "sqlite";
    case sql::Dialect::kPostgres:
      return "postgres";
    case sql::Dialect::kMysql:
      return "mysql";
    case sql::Dialect::kGeneric:
      break;
  }
  return "generic";
}

Texts::Texts(hooks::KnownTexts& known, store::Statements& statements, std::size_t generation)
    : known_(known), statements_(statements), generation_(generation) {
  known_.clear();  // nobody may rely on an earlier worker's memory
}

Texts::~Texts() {
  young_.clear();
  old_.clear();
}

Text* Texts::find_old(std::uint64_t hash) {
  const auto at = old_.find(hash);
  if (at == old_.end()) return nullptr;
  Text* text = at->second.get();
  TextRef moved = std::move(at->second);
  old_.erase(at);
  remember(hash, std::move(moved));
  return text;
}

Text& Texts::learn(std::uint64_t hash, std::string_view text, sql::Dialect dialect) {
  if (Text* known = find(hash); known != nullptr) {
    known_.learn(hash);  // another hash has taken its place there meanwhile
    return *known;
  }
  sql::normalise(text, dialect, normalised_);
  if (normalised_.text.empty()) throw std::bad_alloc();  // what it answers then
  std::unique_ptr<Text>& place = by_fingerprint_[normalised_.fingerprint];
  if (place == nullptr) {
    try {
      place = std::make_unique<Text>();
      place->fingerprint = normalised_.fingerprint;
      place->masked = std::make_shared<const std::string>(normalised_.text);
      place->dialect = dialect;
      place->repeatable = is_repeatable(normalised_.text);
      place->row =
          &statements_.row({place->fingerprint, place->masked, name_of(dialect), normalised_.statements});
    } catch (...) {
      by_fingerprint_.erase(normalised_.fingerprint);
      throw;
    }
  }
  Text& known = *place;
  remember(hash, TextRef(*this, known));
  return known;
}

void Texts::remember(std::uint64_t hash, TextRef text) {
  if (young_.size() >= generation_) {
    for (const auto& [forgotten, kept] : young_) known_.forget(forgotten);
    old_.clear();
    young_.swap(old_);
  }
  young_.insert_or_assign(hash, std::move(text));
  known_.learn(hash);
}

void Texts::release(Text& text) {
  by_fingerprint_.erase(text.fingerprint);
}

}  // namespace inlens::worker
