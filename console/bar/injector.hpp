// Puts one fragment of markup at the end of an HTML page while the page streams by. Finds the last real end
// tag of the body with the rules that browsers follow, so a "</body>" in a script, a comment, an attribute or
// a template never counts; any split of the input gives the same output, and nothing but the fragment is
// added or changed. Created per decorated response by the C ABI and used on the host's thread that writes it;
// owns its whole state: no allocation, no I/O.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "console/bar/csp.hpp"
#include "console/bar/html_tokenizer.hpp"
#include "console/bar/open_elements.hpp"
#include "console/bar/skip.hpp"

namespace inlens::bar {

enum class Piece : std::uint8_t {
  kInput,     // a slice of the data of the write under way: it may be split there instead of copied
  kHeld,      // bytes of an earlier write; valid only during the call
  kInserted,  // the fragment
};

// May throw or be cancelled, as it often is the host's own code; what it was given then counts as passed.
using Sink = void (*)(void* user, const char* data, std::size_t size, Piece origin);

enum class Outcome : std::uint8_t { kPending, kInserted, kSkipped };

class Injector {
 public:
  static constexpr std::size_t kMaxFragmentBytes = 1024;
  static constexpr std::size_t kMaxHeldBytes = 1024;

  // `fragment` is ASCII markup; `source` and `nonce` say what a policy in a <meta> is held against. All views
  // must outlive the injector.
  explicit Injector(std::string_view fragment, const LoaderSource& source = {},
                    std::string_view nonce = {}) noexcept;

  // Passes the next bytes on: all but those that may belong to what follows the page's last "</body>".
  void write(std::string_view data, Sink sink, void* user);
  // Ends the page: the fragment, if it is to be inserted, and what was held back.
  void finish(Sink sink, void* user);

  Outcome outcome() const noexcept { return outcome_; }
  Skip skip() const noexcept { return skip_; }  // why not, when kSkipped

 private:
  enum class Phase : std::uint8_t { kBeforeDocument, kDocument };
  static constexpr std::uint64_t kNoOffset = UINT64_MAX;

  void scan(std::string_view data) noexcept;
  void on_token(Token token) noexcept;
  void on_leading_token(Token token) noexcept;
  void on_leading_text(std::string_view text) noexcept;
  void on_start_tag() noexcept;
  void on_end_tag() noexcept;
  void on_meta() noexcept;
  Skip skip_at_end() const noexcept;
  void give_up(Skip skip) noexcept;
  std::uint64_t first_undecided() noexcept;
  void pass_on(std::string_view data, std::uint64_t up_to, Sink sink, void* user);
  void settle(std::size_t from_held, std::string_view rest) noexcept;

  std::string_view fragment_;
  std::string_view nonce_;
  LoaderSource source_;
  std::uint64_t seen_ = 0;              // bytes given to write()
  std::uint64_t passed_ = 0;            // bytes given to the sink; what lies between the two is in held_
  std::uint64_t body_end_ = kNoOffset;  // the last "</body>", while nothing but blank text has followed it
  std::size_t held_size_ = 0;
  Outcome outcome_ = Outcome::kPending;
  Skip skip_ = Skip::kNone;
  Phase phase_ = Phase::kBeforeDocument;
  std::uint8_t leading_size_ = 0;  // bytes of text before the document, up to 3: a byte order mark's
  std::uint8_t bom_size_ = 0;
  bool body_started_ = false;
  OpenElements elements_;
  HtmlTokenizer tokenizer_;
  std::array<char, kMaxHeldBytes> held_;
};

static_assert(sizeof(Injector) <= 2048, "one per response in flight");

}  // namespace inlens::bar
