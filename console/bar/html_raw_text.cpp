#include <cstring>

#include "console/bar/ascii.hpp"
#include "console/bar/html_tokenizer.hpp"

// The tokenizer's second half: comments, doctypes, CDATA sections and raw text, where '<' is not markup.
namespace inlens::bar {

Token HtmlTokenizer::markup(Input& in) noexcept {
  const char c = *in.at;
  if (name_size_ < kMaxName) name_[name_size_] = c;
  const std::string_view read(name_.data(), name_size_ + 1U);
  constexpr std::string_view kDoctype = "doctype";
  constexpr std::string_view kSection = "[CDATA[";
  if (read == "--") {
    state_ = State::kCommentStart;
  } else if (same(read, kDoctype)) {
    state_ = State::kBeforeDoctypeName;
  } else if (read == kSection && cdata_allowed_) {
    state_ = State::kCdata;
  } else if (read != "-" && !begins_with(kDoctype, read) && !kSection.starts_with(read)) {
    state_ = State::kBogusComment;
    return Token::kNone;  // the byte may be the '>'
  } else if (read == kSection) {
    state_ = State::kBogusComment;
  } else {
    ++name_size_;
  }
  ++in.at;
  if (state_ == State::kBeforeDoctypeName) name_size_ = 0;
  run_ = 0;
  return Token::kNone;
}

Token HtmlTokenizer::comment(Input& in) noexcept {
  if (state_ == State::kComment) {
    const auto* dash =
        static_cast<const char*>(std::memchr(in.at, '-', static_cast<std::size_t>(in.end - in.at)));
    in.at = dash == nullptr ? in.end : dash + 1;
    if (dash != nullptr) state_ = State::kCommentDash;
    return Token::kNone;
  }
  const char c = *in.at++;
  const bool can_end = state_ != State::kCommentDash;  // "<!-->" and "<!--->" are whole comments
  if (c == '>' && can_end) {
    state_ = State::kText;
    return Token::kComment;
  }
  if (c == '-') {
    if (state_ == State::kCommentStart) {
      state_ = State::kCommentStartDash;
    } else {
      state_ = state_ == State::kCommentBang ? State::kCommentDash : State::kCommentDashes;
    }
  } else if (c == '!' && state_ == State::kCommentDashes) {
    state_ = State::kCommentBang;
  } else {
    state_ = State::kComment;
  }
  return Token::kNone;
}

Token HtmlTokenizer::up_to_greater(Input& in, Token token) noexcept {
  if (state_ == State::kEndTagOpen) state_ = State::kBogusComment;
  const auto* greater =
      static_cast<const char*>(std::memchr(in.at, '>', static_cast<std::size_t>(in.end - in.at)));
  in.at = greater == nullptr ? in.end : greater + 1;
  if (greater == nullptr) return Token::kNone;
  state_ = State::kText;
  return token;
}

Token HtmlTokenizer::doctype_name(Input& in) noexcept {
  const char c = *in.at;
  if (is_space(c) || c == '>') {
    if (c == '>' || state_ == State::kDoctypeName) {
      state_ = State::kDoctypeRest;  // which takes the byte
    } else {
      ++in.at;
    }
    return Token::kNone;
  }
  if (state_ == State::kBeforeDoctypeName) name_cut_ = false;
  state_ = State::kDoctypeName;
  add_to_name(c);
  ++in.at;
  return Token::kNone;
}

void HtmlTokenizer::cdata(Input& in) noexcept {
  while (in.at != in.end) {
    const char c = *in.at++;
    if (c == '>' && run_ == 2) {
      state_ = State::kText;
      return;
    }
    run_ = static_cast<std::uint8_t>(c != ']' ? 0 : run_ == 2 ? 2 : run_ + 1);
  }
}

void HtmlTokenizer::enter_raw_text(Tag tag) noexcept {
  raw_tag_ = tag;
  script_escape_ = 0;
  run_ = 0;
  state_ = tag == Tag::kPlaintext ? State::kPlaintext : State::kRawText;
}

void HtmlTokenizer::raw_text(Input& in) noexcept {
  if (script_escape_ != 0) {
    script_escaped(in);
    return;
  }
  const auto* less =
      static_cast<const char*>(std::memchr(in.at, '<', static_cast<std::size_t>(in.end - in.at)));
  in.at = less == nullptr ? in.end : less + 1;
  if (less != nullptr) state_ = State::kRawLess;
}

// Inside "<!--" of a script: up to the next '<' or the "-->" that ends it.
void HtmlTokenizer::script_escaped(Input& in) noexcept {
  while (in.at != in.end) {
    const char c = *in.at++;
    const bool two_dashes = run_ == 2;
    run_ = static_cast<std::uint8_t>(c != '-' ? 0 : two_dashes ? 2 : run_ + 1);
    if (c == '<') {
      state_ = State::kRawLess;
      return;
    }
    if (c == '>' && two_dashes) {
      script_escape_ = 0;
      return;
    }
  }
}

void HtmlTokenizer::raw_less(Input& in) noexcept {
  const char c = *in.at;
  name_size_ = 0;
  name_cut_ = false;
  if (c == '/') {
    ++in.at;
    state_ = script_escape_ == 2 ? State::kScriptInner : State::kRawEndName;
  } else if (script_escape_ == 1 && is_alpha(c)) {
    state_ = State::kScriptInner;
  } else if (c == '!' && raw_tag_ == Tag::kScript && script_escape_ == 0) {
    ++in.at;
    state_ = State::kScriptBang;
  } else {
    state_ = State::kRawText;
  }
}

void HtmlTokenizer::script_bang(Input& in) noexcept {
  if (*in.at != '-') {
    state_ = State::kRawText;
    return;
  }
  ++in.at;
  if (++name_size_ < 2) return;
  script_escape_ = 1;
  run_ = 2;  // "<!-->" ends at once
  state_ = State::kRawText;
}

// A nested "<script" hides the next "</script" from the outer one.
void HtmlTokenizer::script_inner(Input& in) noexcept {
  const char c = *in.at;
  if (is_alpha(c)) {
    ++in.at;
    add_to_name(c);
    return;
  }
  const bool ends_name = is_space(c) || c == '/' || c == '>';
  if (ends_name && !name_cut_ && std::string_view(name_.data(), name_size_) == "script") {
    script_escape_ = script_escape_ == 1 ? 2 : 1;
  }
  state_ = State::kRawText;
}

Token HtmlTokenizer::raw_end_name(Input& in) noexcept {
  const char c = *in.at;
  if (is_alpha(c)) {
    ++in.at;
    add_to_name(c);
    return Token::kNone;
  }
  const bool ends_name = is_space(c) || c == '/' || c == '>';
  if (!ends_name || name_cut_ || std::string_view(name_.data(), name_size_) != raw_text_name(raw_tag_)) {
    state_ = State::kRawText;
    return Token::kNone;
  }
  begin_tag(false);
  tag_ = raw_tag_;
  raw_tag_ = Tag::kOther;
  closed_raw_ = true;
  state_ = State::kBeforeAttribute;
  return Token::kNone;
}

}  // namespace inlens::bar
