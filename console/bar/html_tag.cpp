#include "console/bar/html_tag.hpp"

#include <array>
#include <cstddef>
#include <iterator>

namespace inlens::bar {
namespace {

struct Entry {
  std::string_view name;
  Tag tag;
};

// By length, then by name, so that a look-up compares only names of one length.
constexpr Entry kEntries[] = {
    {"b", Tag::kBreakout},          {"i", Tag::kBreakout},
    {"p", Tag::kParagraph},         {"s", Tag::kBreakout},
    {"u", Tag::kBreakout},          {"br", Tag::kParagraph},
    {"dd", Tag::kBreakout},         {"dl", Tag::kBreakout},
    {"dt", Tag::kBreakout},         {"em", Tag::kBreakout},
    {"h1", Tag::kBreakout},         {"h2", Tag::kBreakout},
    {"h3", Tag::kBreakout},         {"h4", Tag::kBreakout},
    {"h5", Tag::kBreakout},         {"h6", Tag::kBreakout},
    {"hr", Tag::kBreakout},         {"li", Tag::kBreakout},
    {"mi", Tag::kMathText},         {"mn", Tag::kMathText},
    {"mo", Tag::kMathText},         {"ms", Tag::kMathText},
    {"ol", Tag::kBreakout},         {"td", Tag::kHtmlOnly},
    {"th", Tag::kHtmlOnly},         {"tr", Tag::kHtmlOnly},
    {"tt", Tag::kBreakout},         {"ul", Tag::kBreakout},
    {"big", Tag::kBreakout},        {"div", Tag::kBreakout},
    {"img", Tag::kBreakout},        {"nav", Tag::kHtmlOnly},
    {"pre", Tag::kBreakout},        {"sub", Tag::kBreakout},
    {"sup", Tag::kBreakout},        {"svg", Tag::kSvg},
    {"var", Tag::kBreakout},        {"xmp", Tag::kXmp},
    {"body", Tag::kBody},           {"code", Tag::kBreakout},
    {"desc", Tag::kDesc},           {"form", Tag::kHtmlOnly},
    {"head", Tag::kHead},           {"html", Tag::kHtml},
    {"main", Tag::kHtmlOnly},       {"math", Tag::kMath},
    {"menu", Tag::kBreakout},       {"meta", Tag::kMeta},
    {"nobr", Tag::kBreakout},       {"ruby", Tag::kBreakout},
    {"span", Tag::kBreakout},       {"aside", Tag::kHtmlOnly},
    {"embed", Tag::kBreakout},      {"label", Tag::kHtmlOnly},
    {"mtext", Tag::kMathText},      {"small", Tag::kBreakout},
    {"style", Tag::kStyle},         {"table", Tag::kBreakout},
    {"tbody", Tag::kHtmlOnly},      {"tfoot", Tag::kHtmlOnly},
    {"thead", Tag::kHtmlOnly},      {"title", Tag::kTitle},
    {"button", Tag::kHtmlOnly},     {"center", Tag::kBreakout},
    {"dialog", Tag::kHtmlOnly},     {"figure", Tag::kHtmlOnly},
    {"footer", Tag::kHtmlOnly},     {"header", Tag::kHtmlOnly},
    {"iframe", Tag::kIframe},       {"option", Tag::kHtmlOnly},
    {"script", Tag::kScript},       {"select", Tag::kHtmlOnly},
    {"strike", Tag::kBreakout},     {"strong", Tag::kBreakout},
    {"article", Tag::kHtmlOnly},    {"details", Tag::kHtmlOnly},
    {"listing", Tag::kBreakout},    {"noembed", Tag::kNoembed},
    {"section", Tag::kHtmlOnly},    {"summary", Tag::kHtmlOnly},
    {"fieldset", Tag::kHtmlOnly},   {"frameset", Tag::kFrameset},
    {"noframes", Tag::kNoframes},   {"noscript", Tag::kNoscript},
    {"template", Tag::kTemplate},   {"textarea", Tag::kTextarea},
    {"plaintext", Tag::kPlaintext}, {"blockquote", Tag::kBreakout},
    {"figcaption", Tag::kHtmlOnly}, {"foreignobject", Tag::kForeignObject},
};
constexpr std::size_t kMaxNameBytes = 13;

constexpr bool lengths_ascend() {
  for (std::size_t i = 1; i < std::size(kEntries); ++i) {
    if (kEntries[i].name.size() < kEntries[i - 1].name.size()) return false;
  }
  return std::size(kEntries) < 256 && kEntries[std::size(kEntries) - 1].name.size() == kMaxNameBytes;
}
static_assert(lengths_ascend());

// Where the names of each length begin.
constexpr auto kFirstOfLength = [] {
  std::array<std::uint8_t, kMaxNameBytes + 2> first{};
  for (const Entry& entry : kEntries) {
    for (std::size_t length = entry.name.size() + 1; length < first.size(); ++length) ++first[length];
  }
  return first;
}();

}  // namespace

Tag tag_of(std::string_view lower_name) noexcept {
  if (lower_name.empty() || lower_name.size() > kMaxNameBytes) return Tag::kOther;
  const std::size_t end = kFirstOfLength[lower_name.size() + 1];
  for (std::size_t i = kFirstOfLength[lower_name.size()]; i < end; ++i) {
    const std::string_view name = kEntries[i].name;
    if (name.front() == lower_name.front() && name == lower_name) return kEntries[i].tag;
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
