#include "console/bar/injector.hpp"

#include <algorithm>
#include <cstring>

#include "console/bar/ascii.hpp"

namespace inlens::bar {
namespace {

bool is_blank(std::string_view text) noexcept {
  return std::all_of(text.begin(), text.end(), is_space);
}

}  // namespace

Injector::Injector(std::string_view fragment, const LoaderSource& source, std::string_view nonce) noexcept
    : fragment_(fragment), nonce_(nonce), source_(source) {
  if (fragment.empty() || fragment.size() > kMaxFragmentBytes) give_up(Skip::kFragmentSize);
}

void Injector::write(std::string_view data, Sink sink, void* user) {
  seen_ += data.size();
  if (outcome_ == Outcome::kPending) scan(data);
  pass_on(data, first_undecided(), sink, user);
}

void Injector::finish(Sink sink, void* user) {
  const bool before_held = body_end_ != kNoOffset;
  if (outcome_ == Outcome::kPending) {
    const Skip skip = skip_at_end();
    if (skip == Skip::kNone) {
      outcome_ = Outcome::kInserted;
    } else {
      give_up(skip);
    }
  } else {
    return;  // nothing is held after the decision, nor after the end
  }
  const bool insert = outcome_ == Outcome::kInserted;
  if (insert && before_held) sink(user, fragment_.data(), fragment_.size(), Piece::kInserted);
  pass_on({}, seen_, sink, user);
  if (insert && !before_held) sink(user, fragment_.data(), fragment_.size(), Piece::kInserted);
}

void Injector::scan(std::string_view data) noexcept {
  Input in{data.data(), data.data() + data.size(), seen_};
  while (outcome_ == Outcome::kPending) {
    const Token token = tokenizer_.next(in);
    if (token == Token::kNone) break;
    on_token(token);
  }
  if (tokenizer_.in_start_tag()) body_end_ = kNoOffset;  // an element follows: no need to wait for its end
}

void Injector::on_token(Token token) noexcept {
  if (phase_ == Phase::kBeforeDocument) {
    on_leading_token(token);
    if (phase_ == Phase::kBeforeDocument) return;
  }
  if (token == Token::kText && body_end_ != kNoOffset && !is_blank(tokenizer_.text())) body_end_ = kNoOffset;
  if (token == Token::kStartTag) on_start_tag();
  if (token == Token::kEndTag) on_end_tag();
}

// JSON, plain text and parts of pages are often sent as text/html; a document says that it is one.
void Injector::on_leading_token(Token token) noexcept {
  if (token == Token::kText) {
    on_leading_text(tokenizer_.text());
    return;
  }
  const bool cut_bom = bom_size_ % 3 != 0;
  if (token == Token::kComment && !cut_bom) return;
  const Tag tag = tokenizer_.tag();
  const bool starts =
      token == Token::kDoctype
          ? tokenizer_.doctype_name() == "html"
          : token == Token::kStartTag && (tag == Tag::kHtml || tag == Tag::kHead || tag == Tag::kBody);
  if (starts && !cut_bom) {
    phase_ = Phase::kDocument;
  } else {
    give_up(Skip::kNotHtml);
  }
}

void Injector::on_leading_text(std::string_view text) noexcept {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  for (const char c : text) {
    if (leading_size_ == bom_size_ && bom_size_ < 3 && c == kByteOrderMark[bom_size_]) {
      ++bom_size_;
    } else if (!is_space(c) || bom_size_ % 3 != 0) {
      give_up(Skip::kNotHtml);
      return;
    }
    if (leading_size_ < 3) ++leading_size_;
  }
}

void Injector::on_start_tag() noexcept {
  const Tag tag = tokenizer_.tag();
  const bool foreign = elements_.in_foreign();
  body_end_ = kNoOffset;
  elements_.start(tag, tokenizer_.self_closing());
  if (!foreign && is_raw_text(tag)) tokenizer_.enter_raw_text(tag);
  tokenizer_.allow_cdata(elements_.takes_cdata());
  if (elements_.lost()) give_up(Skip::kUnclear);
  if (!elements_.empty()) return;
  if (tag == Tag::kBody) body_started_ = true;
  if (tag == Tag::kFrameset && !body_started_) give_up(Skip::kFrameset);
  if (tag == Tag::kMeta && !body_started_) on_meta();
}

void Injector::on_end_tag() noexcept {
  const Tag tag = tokenizer_.tag();
  if (tokenizer_.closed_raw_text()) return;
  if (elements_.empty() && tag == Tag::kHtml) return;
  // What has already been passed on, for a tag longer than all that may be held, cannot be preceded any more.
  const bool ends_body = elements_.empty() && tag == Tag::kBody && tokenizer_.offset() >= passed_;
  body_end_ = ends_body ? tokenizer_.offset() : kNoOffset;
  elements_.end(tag);
  tokenizer_.allow_cdata(elements_.takes_cdata());
  if (elements_.lost()) give_up(Skip::kUnclear);
}

// A policy in the head binds whatever is inserted at the end of the body.
void Injector::on_meta() noexcept {
  MetaTag& meta = tokenizer_.meta();
  if (!meta.charset_is_safe()) give_up(Skip::kCharset);
  if (!meta.is_policy()) return;
  const Skip refusal =
      meta.policy_cut() ? Skip::kCsp : csp_refusal(meta.policy(), source_, nonce_, PolicyFrom::kMeta);
  if (refusal != Skip::kNone) give_up(refusal);
}

Skip Injector::skip_at_end() const noexcept {
  if (phase_ == Phase::kBeforeDocument) return Skip::kNotHtml;
  if (body_end_ != kNoOffset) return Skip::kNone;  // whatever is cut off after it
  switch (tokenizer_.place()) {
    case HtmlTokenizer::Place::kTag:
      return Skip::kEndsInTag;
    case HtmlTokenizer::Place::kComment:
      return Skip::kEndsInComment;
    case HtmlTokenizer::Place::kRawText:
      return Skip::kEndsInRawText;
    case HtmlTokenizer::Place::kText:
      break;
  }
  return elements_.empty() ? Skip::kNone : Skip::kEndsInElement;
}

void Injector::give_up(Skip skip) noexcept {
  outcome_ = Outcome::kSkipped;
  skip_ = skip;
  body_end_ = kNoOffset;
}

// Everything depends on bytes since the last "</body>" alone, never on where a write ended.
std::uint64_t Injector::first_undecided() noexcept {
  if (outcome_ != Outcome::kPending) return seen_;
  if (body_end_ != kNoOffset && seen_ - body_end_ > kMaxHeldBytes) body_end_ = kNoOffset;
  if (body_end_ != kNoOffset) return body_end_;
  const bool waits = phase_ == Phase::kDocument && elements_.empty() && tokenizer_.may_be_body_end();
  if (!waits || tokenizer_.offset() < passed_ || seen_ - tokenizer_.offset() > kMaxHeldBytes) return seen_;
  return tokenizer_.offset();
}

// The sink may throw: what it was given counts as passed, and the state is settled on its way out.
void Injector::pass_on(std::string_view data, std::uint64_t up_to, Sink sink, void* user) {
  const auto due = static_cast<std::size_t>(up_to - passed_);
  const std::size_t from_held = std::min(due, held_size_);
  const std::size_t from_data = due - from_held;
  passed_ = up_to;
  struct Settling {
    Injector& injector;
    std::size_t from_held;
    std::string_view rest;
    ~Settling() { injector.settle(from_held, rest); }
  };
  const Settling settling{*this, from_held, data.substr(from_data)};
  if (from_held != 0) sink(user, held_.data(), from_held, Piece::kHeld);
  if (from_data != 0) sink(user, data.data(), from_data, Piece::kInput);
}

// Lets go of the first `from_held` held bytes and holds `rest` back behind the others.
void Injector::settle(std::size_t from_held, std::string_view rest) noexcept {
  held_size_ -= from_held;
  if (from_held != 0 && held_size_ != 0) std::memmove(held_.data(), held_.data() + from_held, held_size_);
  if (rest.empty()) return;
  std::memcpy(held_.data() + held_size_, rest.data(), rest.size());
  held_size_ += rest.size();
}

}  // namespace inlens::bar
