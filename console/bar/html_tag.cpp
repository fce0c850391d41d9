#include "console/bar/html_tag.hpp"

namespace inlens::bar {
namespace {

struct Entry {
  std::string_view name;
  Tag tag;
};

constexpr Entry kEntries[] = {
    {"html", Tag::kHtml},
    {"head", Tag::kHead},
    {"body", Tag::kBody},
    {"frameset", Tag::kFrameset},
    {"meta", Tag::kMeta},
    {"script", Tag::kScript},
    {"style", Tag::kStyle},
    {"textarea", Tag::kTextarea},
    {"title", Tag::kTitle},
    {"xmp", Tag::kXmp},
    {"iframe", Tag::kIframe},
    {"noembed", Tag::kNoembed},
    {"noframes", Tag::kNoframes},
    {"noscript", Tag::kNoscript},
    {"plaintext", Tag::kPlaintext},
    {"template", Tag::kTemplate},
    {"svg", Tag::kSvg},
    {"math", Tag::kMath},
    {"foreignobject", Tag::kForeignObject},
    {"desc", Tag::kDesc},
    {"mi", Tag::kMathText},
    {"mo", Tag::kMathText},
    {"mn", Tag::kMathText},
    {"ms", Tag::kMathText},
    {"mtext", Tag::kMathText},
    {"p", Tag::kParagraph},
    {"br", Tag::kParagraph},
};

constexpr std::string_view kBreakoutNames[] = {
    "div",   "span",    "ul",   "li",   "ol", "h1",     "h2",         "h3",     "h4",   "h5",
    "h6",    "img",     "b",    "i",    "em", "strong", "table",      "pre",    "code", "hr",
    "dl",    "dt",      "dd",   "big",  "s",  "small",  "blockquote", "center", "sub",  "sup",
    "embed", "listing", "menu", "nobr", "tt", "u",      "ruby",       "strike", "var",
};

constexpr std::string_view kHtmlOnlyNames[] = {
    "button", "label", "section",  "article", "header",     "footer",  "nav",     "main",
    "aside",  "form",  "fieldset", "select",  "option",     "td",      "th",      "tr",
    "tbody",  "thead", "tfoot",    "figure",  "figcaption", "details", "summary", "dialog"};

}  // namespace

Tag tag_of(std::string_view lower_name) noexcept {
  for (const Entry& entry : kEntries) {
    if (entry.name == lower_name) return entry.tag;
  }
  for (const std::string_view name : kBreakoutNames) {
    if (name == lower_name) return Tag::kBreakout;
  }
  for (const std::string_view name : kHtmlOnlyNames) {
    if (name == lower_name) return Tag::kHtmlOnly;
  }
  return Tag::kOther;
}

std::string_view raw_text_name(Tag tag) noexcept {
  for (const Entry& entry : kEntries) {
    if (entry.tag == tag) return entry.name;
  }
  return {};
}

}  // namespace inlens::bar
