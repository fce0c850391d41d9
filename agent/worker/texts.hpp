// Which statement a hash means: the hooks send a statement's text until the worker knows it, from then on its
// 64-bit hash alone. Normalises each new text once and shares the masked result between all texts of one
// fingerprint. Called by the worker, on the worker thread only; tells the hooks through KnownTexts what it
// knows.
//
// The memo has two generations. When the younger one is full, the hooks are told that its hashes are
// forgotten (so that threads send those texts again) but it is kept for one more generation, for records on
// their way; the older one goes.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "agent/hooks/core.hpp"
#include "agent/store/key_hash.hpp"
#include "agent/store/statements.hpp"
#include "collectors/sql/normalise.hpp"

namespace inlens::worker {

// One normalised statement, shared by the memo and by kept requests; lives as long as one of them refers to
// it.
struct Text {
  std::uint64_t fingerprint = 0;
  std::shared_ptr<const std::string> masked;
  store::StatementRow* row = nullptr;
  std::uint32_t references = 0;
  sql::Dialect dialect = sql::Dialect::kGeneric;
  bool repeatable = true;  // see is_repeatable()

  // How often the request under way ran it; valid while `pass` is that request's.
  std::uint64_t pass = 0;
  std::uint32_t pass_count = 0;
};

std::string_view name_of(sql::Dialect dialect);

// False for BEGIN, COMMIT, SET, a ping and the like: running those often means nothing.
bool is_repeatable(std::string_view masked);

class Texts;

// A counted reference; not atomic, the worker thread only.
class TextRef {
 public:
  TextRef() = default;
  TextRef(Texts& texts, Text& text) : texts_(&texts), text_(&text) { ++text.references; }
  TextRef(const TextRef&) = delete;
  TextRef& operator=(const TextRef&) = delete;
  TextRef(TextRef&& other) noexcept : texts_(other.texts_), text_(std::exchange(other.text_, nullptr)) {}
  TextRef& operator=(TextRef&& other) noexcept {
    std::swap(texts_, other.texts_);
    std::swap(text_, other.text_);
    return *this;
  }
  ~TextRef();

  Text* get() const { return text_; }

 private:
  Texts* texts_ = nullptr;
  Text* text_ = nullptr;
};

class Texts {
 public:
  static constexpr std::size_t kGeneration = 8192;

  Texts(hooks::KnownTexts& known, store::Statements& statements, std::size_t generation = kGeneration);
  ~Texts();
  Texts(const Texts&) = delete;
  Texts& operator=(const Texts&) = delete;

  // The statement of a hash; nullptr when it is not known.
  Text* find(std::uint64_t hash) {
    const auto at = young_.find(hash);
    return at != young_.end() ? at->second.get() : find_old(hash);
  }
  // The same, learning it from its text, which came along. May throw std::bad_alloc.
  Text& learn(std::uint64_t hash, std::string_view text, sql::Dialect dialect);

  std::size_t distinct() const { return by_fingerprint_.size(); }
  std::size_t remembered() const { return young_.size() + old_.size(); }

 private:
  friend class TextRef;
  using Memo = boost::unordered_flat_map<std::uint64_t, TextRef, store::KeyHash>;

  Text* find_old(std::uint64_t hash);
  void remember(std::uint64_t hash, TextRef text);
  void release(Text& text);

  hooks::KnownTexts& known_;
  store::Statements& statements_;
  std::size_t generation_;
  boost::unordered_flat_map<std::uint64_t, std::unique_ptr<Text>, store::KeyHash> by_fingerprint_;
  Memo young_;
  Memo old_;
  sql::Normalised normalised_;
};

inline TextRef::~TextRef() {
  if (text_ != nullptr && --text_->references == 0) texts_->release(*text_);
}

}  // namespace inlens::worker
