// Cuts a stream of HTML bytes into tokens by the rules that browsers follow, as far as they decide where
// markup begins and ends. Carries its whole state between calls, so the input may be split anywhere. Bytes
// are never decoded. Owned by the injector, one per response, used on the host's thread; the injector plays
// the part of the tree builder and says when text of a script, style or the like begins.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "console/bar/html_tag.hpp"
#include "console/bar/meta_tag.hpp"

namespace inlens::bar {

// What is left of the data under way. Offsets count from the start of the response's body.
struct Input {
  const char* at;
  const char* end;
  std::uint64_t end_offset;

  std::uint64_t offset() const noexcept { return end_offset - static_cast<std::uint64_t>(end - at); }
};

enum class Token : std::uint8_t {
  kNone,  // the data is used up
  kText,  // a part of a run of text outside raw text elements
  kStartTag,
  kEndTag,
  kComment,  // also what browsers drop or turn into a comment: </>, <?xml …>, <!x>
  kDoctype,
};

class HtmlTokenizer {
 public:
  Token next(Input& in) noexcept;

  // About the token just returned.
  Tag tag() const noexcept { return tag_; }
  bool self_closing() const noexcept { return self_closing_; }
  bool closed_raw_text() const noexcept { return closed_raw_; }
  std::uint64_t offset() const noexcept { return token_offset_; }  // of its '<'; not for text
  std::string_view text() const noexcept { return text_; }         // borrows from the input
  std::string_view doctype_name() const noexcept { return {name_.data(), name_size_}; }
  MetaTag& meta() noexcept { return meta_; }

  // What the tree says back, right after a tag.
  void enter_raw_text(Tag tag) noexcept;
  void allow_cdata(bool allowed) noexcept { cdata_allowed_ = allowed; }

  // About the token under way.
  enum class Place : std::uint8_t { kText, kTag, kComment, kRawText };
  Place place() const noexcept;
  bool in_start_tag() const noexcept { return in_tag() && is_start_; }
  bool may_be_body_end() const noexcept;

 private:
  enum class State : std::uint8_t {
    kText,
    kTagOpen,
    kEndTagOpen,
    kTagName,
    kBeforeAttribute,
    kAttributeName,
    kAfterAttributeName,
    kBeforeValue,
    kQuotedValue,
    kBareValue,
    kAfterValue,
    kSelfClosing,
    kMarkup,  // after "<!"
    kCommentStart,
    kCommentStartDash,
    kComment,
    kCommentDash,
    kCommentDashes,
    kCommentBang,
    kBogusComment,
    kBeforeDoctypeName,
    kDoctypeName,
    kDoctypeRest,
    kCdata,
    kRawText,
    kRawLess,      // '<' in raw text
    kRawEndName,   // "</" in raw text
    kScriptBang,   // "<!" in a script
    kScriptInner,  // '<' and letters inside "<!--" of a script: does a nested "<script" begin or end?
    kPlaintext,
  };

  Token step(Input& in) noexcept;
  Token text_run(Input& in) noexcept;
  Token tag_open(Input& in) noexcept;
  Token end_tag_open(Input& in) noexcept;
  Token tag_name(Input& in) noexcept;
  Token attribute(Input& in) noexcept;
  Token attribute_name(Input& in) noexcept;
  void before_value(Input& in) noexcept;
  void quoted_value(Input& in) noexcept;
  Token bare_value(Input& in) noexcept;
  Token markup(Input& in) noexcept;
  Token comment(Input& in) noexcept;
  Token up_to_greater(Input& in, Token token) noexcept;
  Token doctype_name(Input& in) noexcept;
  void cdata(Input& in) noexcept;
  void raw_text(Input& in) noexcept;
  void raw_less(Input& in) noexcept;
  Token raw_end_name(Input& in) noexcept;
  void script_escaped(Input& in) noexcept;
  void script_bang(Input& in) noexcept;
  void script_inner(Input& in) noexcept;

  void begin_tag(bool is_start) noexcept;
  void finish_tag_name() noexcept;
  Token finish_tag() noexcept;
  void add_to_name(char c) noexcept;
  bool in_tag() const noexcept { return state_ >= State::kTagName && state_ <= State::kSelfClosing; }
  bool reads_meta() const noexcept { return is_start_ && tag_ == Tag::kMeta; }

  static constexpr std::size_t kMaxName = 16;  // the longest that matters is "foreignobject"

  std::uint64_t token_offset_ = 0;
  std::string_view text_;
  State state_ = State::kText;
  Tag tag_ = Tag::kOther;
  Tag raw_tag_ = Tag::kOther;  // kOther: not in raw text
  bool is_start_ = false;
  bool self_closing_ = false;
  bool closed_raw_ = false;
  bool cdata_allowed_ = false;
  char quote_ = 0;
  std::uint8_t run_ = 0;            // dashes or brackets in a row, up to 2
  std::uint8_t script_escape_ = 0;  // 1 inside "<!--" of a script, 2 inside "<script" inside that
  std::uint8_t name_size_ = 0;
  bool name_cut_ = false;
  std::array<char, kMaxName> name_{};
  MetaTag meta_;
};

}  // namespace inlens::bar
