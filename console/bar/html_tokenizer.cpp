#include "console/bar/html_tokenizer.hpp"

#include <cstring>

#include "console/bar/ascii.hpp"

// Here: text and tags. Comments, doctypes, CDATA and raw text are in html_raw_text.cpp.
namespace inlens::bar {

Token HtmlTokenizer::next(Input& in) noexcept {
  while (in.at != in.end) {
    const Token token = step(in);
    if (token != Token::kNone) return token;
  }
  return Token::kNone;
}

// Each call takes at least one byte or changes the state towards one that does.
Token HtmlTokenizer::step(Input& in) noexcept {
  switch (state_) {
    case State::kText:
      return text_run(in);
    case State::kTagOpen:
      return tag_open(in);
    case State::kEndTagOpen:
      return end_tag_open(in);
    case State::kTagName:
      return tag_name(in);
    case State::kBeforeAttribute:
    case State::kAfterAttributeName:
    case State::kAfterValue:
    case State::kSelfClosing:
      return attribute(in);
    case State::kAttributeName:
      return attribute_name(in);
    case State::kBeforeValue:
      before_value(in);
      break;
    case State::kQuotedValue:
      quoted_value(in);
      break;
    case State::kBareValue:
      return bare_value(in);
    case State::kMarkup:
      return markup(in);
    case State::kCommentStart:
    case State::kCommentStartDash:
    case State::kComment:
    case State::kCommentDash:
    case State::kCommentDashes:
    case State::kCommentBang:
      return comment(in);
    case State::kBogusComment:
      return up_to_greater(in, Token::kComment);
    case State::kDoctypeRest:
      return up_to_greater(in, Token::kDoctype);
    case State::kBeforeDoctypeName:
    case State::kDoctypeName:
      return doctype_name(in);
    case State::kCdata:
      cdata(in);
      break;
    case State::kRawText:
      raw_text(in);
      break;
    case State::kRawLess:
      raw_less(in);
      break;
    case State::kRawEndName:
      return raw_end_name(in);
    case State::kScriptBang:
      script_bang(in);
      break;
    case State::kScriptInner:
      script_inner(in);
      break;
    case State::kPlaintext:
      in.at = in.end;
      break;
  }
  return Token::kNone;
}

Token HtmlTokenizer::text_run(Input& in) noexcept {
  const auto size = static_cast<std::size_t>(in.end - in.at);
  const auto* less = static_cast<const char*>(std::memchr(in.at, '<', size));
  if (less == in.at) {
    token_offset_ = in.offset();
    ++in.at;
    state_ = State::kTagOpen;
    return Token::kNone;
  }
  const char* const run_end = less == nullptr ? in.end : less;
  text_ = {in.at, static_cast<std::size_t>(run_end - in.at)};
  in.at = run_end;
  return Token::kText;
}

Token HtmlTokenizer::tag_open(Input& in) noexcept {
  const char c = *in.at;
  if (is_alpha(c)) {
    begin_tag(true);
  } else if (c == '/') {
    ++in.at;
    state_ = State::kEndTagOpen;
  } else if (c == '!') {
    ++in.at;
    name_size_ = 0;
    state_ = State::kMarkup;
  } else if (c == '?') {
    state_ = State::kBogusComment;
  } else {
    text_ = "<";
    state_ = State::kText;
    return Token::kText;
  }
  return Token::kNone;
}

Token HtmlTokenizer::end_tag_open(Input& in) noexcept {
  if (is_alpha(*in.at)) {
    begin_tag(false);
    return Token::kNone;
  }
  return up_to_greater(in, Token::kComment);
}

void HtmlTokenizer::begin_tag(bool is_start) noexcept {
  is_start_ = is_start;
  self_closing_ = false;
  closed_raw_ = false;
  tag_ = Tag::kOther;
  name_size_ = 0;
  name_cut_ = false;
  state_ = State::kTagName;
}

void HtmlTokenizer::add_to_name(char c) noexcept {
  if (name_size_ == kMaxName) {
    name_cut_ = true;
  } else {
    name_[name_size_++] = lower(c);
  }
}

Token HtmlTokenizer::tag_name(Input& in) noexcept {
  for (; in.at != in.end; ++in.at) {
    const char c = *in.at;
    if (is_space(c) || c == '/' || c == '>') {
      finish_tag_name();
      return Token::kNone;  // the byte is for the state that follows
    }
    add_to_name(c);
  }
  return Token::kNone;
}

void HtmlTokenizer::finish_tag_name() noexcept {
  tag_ = name_cut_ ? Tag::kOther : tag_of({name_.data(), name_size_});
  if (reads_meta()) meta_.clear();
  state_ = State::kBeforeAttribute;
}

Token HtmlTokenizer::finish_tag() noexcept {
  state_ = State::kText;
  return is_start_ ? Token::kStartTag : Token::kEndTag;
}

// Between attributes; the states differ in what '=' and a '>' after '/' mean.
Token HtmlTokenizer::attribute(Input& in) noexcept {
  const char c = *in.at;
  const bool after_slash = state_ == State::kSelfClosing;
  const bool after_name = state_ == State::kAfterAttributeName;
  if (c == '>') {
    ++in.at;
    self_closing_ = after_slash;
    return finish_tag();
  }
  if (c == '/') {
    ++in.at;
    state_ = State::kSelfClosing;
  } else if (is_space(c)) {
    ++in.at;
    if (!after_name) state_ = State::kBeforeAttribute;
  } else if (c == '=' && after_name) {
    ++in.at;
    state_ = State::kBeforeValue;
  } else {
    ++in.at;  // also a '=', which then is the name's first character
    if (reads_meta()) {
      meta_.start_attribute();
      meta_.add_name(c);
    }
    state_ = State::kAttributeName;
  }
  return Token::kNone;
}

Token HtmlTokenizer::attribute_name(Input& in) noexcept {
  for (; in.at != in.end; ++in.at) {
    const char c = *in.at;
    if (is_space(c) || c == '/' || c == '>' || c == '=') {
      state_ = State::kAfterAttributeName;
      return Token::kNone;
    }
    if (reads_meta()) meta_.add_name(c);
  }
  return Token::kNone;
}

void HtmlTokenizer::before_value(Input& in) noexcept {
  const char c = *in.at;
  if (is_space(c)) {
    ++in.at;
  } else if (c == '"' || c == '\'') {
    ++in.at;
    quote_ = c;
    state_ = State::kQuotedValue;
  } else {
    state_ = c == '>' ? State::kAfterValue : State::kBareValue;
  }
}

void HtmlTokenizer::quoted_value(Input& in) noexcept {
  const auto size = static_cast<std::size_t>(in.end - in.at);
  const auto* quote = static_cast<const char*>(std::memchr(in.at, quote_, size));
  const char* const value_end = quote == nullptr ? in.end : quote;
  if (reads_meta()) meta_.add_value({in.at, static_cast<std::size_t>(value_end - in.at)});
  in.at = value_end;
  if (quote == nullptr) return;
  ++in.at;
  state_ = State::kAfterValue;
}

Token HtmlTokenizer::bare_value(Input& in) noexcept {
  const char* const start = in.at;
  while (in.at != in.end && !is_space(*in.at) && *in.at != '>') ++in.at;
  if (reads_meta()) meta_.add_value({start, static_cast<std::size_t>(in.at - start)});
  if (in.at != in.end) state_ = State::kBeforeAttribute;
  return Token::kNone;
}

HtmlTokenizer::Place HtmlTokenizer::place() const noexcept {
  if (state_ == State::kText) return Place::kText;
  if (state_ <= State::kSelfClosing) return Place::kTag;
  if (state_ < State::kRawText) return Place::kComment;
  return Place::kRawText;
}

bool HtmlTokenizer::may_be_body_end() const noexcept {
  if (state_ == State::kTagOpen || state_ == State::kEndTagOpen) return true;
  if (!in_tag() || is_start_) return false;
  if (state_ != State::kTagName) return tag_ == Tag::kBody;
  return !name_cut_ && std::string_view("body").starts_with(std::string_view(name_.data(), name_size_));
}

}  // namespace inlens::bar
