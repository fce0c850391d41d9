// The element names that change how HTML is to be read; every other name is kOther. Pure; used by the
// injector on host threads.
#pragma once

#include <cstdint>
#include <string_view>

namespace inlens::bar {

enum class Tag : std::uint8_t {
  kOther,
  kHtml,
  kHead,
  kBody,
  kFrameset,
  kMeta,
  // Their content is text up to the matching end tag (noscript, because scripts run where a bar can be seen).
  kScript,
  kStyle,
  kTextarea,
  kTitle,
  kXmp,
  kIframe,
  kNoembed,
  kNoframes,
  kNoscript,
  kPlaintext,  // has no end tag
  kTemplate,
  // Foreign content, and the elements in it whose children are HTML again.
  kSvg,
  kMath,
  kForeignObject,
  kDesc,
  kMathText,  // mi, mo, mn, ms, mtext: alike as far as we are concerned
  // Their start tags close foreign content.
  kBreakout,
  kParagraph,  // p and br, whose end tags alone make an element, too
  kHtmlOnly,   // cannot be meant as elements of foreign content, though their start tags are taken for such
};

// `name` in lower case.
Tag tag_of(std::string_view lower_name) noexcept;

constexpr bool is_raw_text(Tag tag) noexcept {
  return tag >= Tag::kScript && tag <= Tag::kPlaintext;
}

constexpr bool breaks_out(Tag tag) noexcept {
  return tag == Tag::kBreakout || tag == Tag::kParagraph || tag == Tag::kHead || tag == Tag::kBody ||
         tag == Tag::kMeta;
}

// In foreign content an end tag of these belongs to an element around it, if one is open, and closes all that
// is inside; if none is, it is ignored.
constexpr bool may_end_outside(Tag tag) noexcept {
  return tag == Tag::kBreakout || tag == Tag::kHtmlOnly;
}

// The name to look for in the end tag of a raw text element.
std::string_view raw_text_name(Tag tag) noexcept;

}  // namespace inlens::bar
