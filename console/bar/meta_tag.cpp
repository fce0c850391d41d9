#include "console/bar/meta_tag.hpp"

#include "console/bar/ascii.hpp"
#include "console/bar/charset.hpp"

namespace inlens::bar {
namespace {

struct Reference {
  std::string_view text;
  char character;
};
constexpr Reference kReferences[] = {{"&#39;", '\''}, {"&#x27;", '\''}, {"&#039;", '\''}, {"&apos;", '\''},
                                     {"&amp;", '&'},  {"&quot;", '"'},  {"&#34;", '"'},   {"&#x2f;", '/'},
                                     {"&#43;", '+'},  {"&#x2b;", '+'},  {"&#61;", '='},   {"&#x3d;", '='}};

}  // namespace

void MetaTag::start_attribute() noexcept {
  name_.size = 0;
  name_.cut = false;
  field_ = Field::kUndecided;
}

template <std::size_t kCap>
MetaTag::Field MetaTag::open(Text<kCap>& text, Field field) noexcept {
  if (text.given) return Field::kIgnored;
  text.given = true;
  return field;
}

void MetaTag::add_value(std::string_view part) noexcept {
  if (field_ == Field::kUndecided) {
    field_ = field_of_name();
    if (field_ == Field::kHttpEquiv) field_ = open(http_equiv_, field_);
    if (field_ == Field::kContent) field_ = open(content_, field_);
    if (field_ == Field::kCharset) field_ = open(charset_, field_);
  }
  if (field_ == Field::kIgnored) return;
  for (const char c : part) {
    if (field_ == Field::kHttpEquiv) http_equiv_.add(c);
    if (field_ == Field::kContent) content_.add(c);
    if (field_ == Field::kCharset) charset_.add(c);
  }
}

MetaTag::Field MetaTag::field_of_name() const noexcept {
  if (name_.cut) return Field::kIgnored;
  if (same(name_.view(), "http-equiv")) return Field::kHttpEquiv;
  if (same(name_.view(), "content")) return Field::kContent;
  if (same(name_.view(), "charset")) return Field::kCharset;
  return Field::kIgnored;
}

bool MetaTag::is_policy() const noexcept {
  return !http_equiv_.cut && same(trim(http_equiv_.view()), "content-security-policy");
}

std::string_view MetaTag::policy() noexcept {
  std::string_view rest = content_.view();
  std::uint16_t size = 0;
  while (!rest.empty()) {
    char character = rest.front();
    std::size_t taken = 1;
    for (const Reference& reference : kReferences) {
      if (character != '&') break;
      if (!begins_with(rest, reference.text)) continue;
      character = reference.character;
      taken = reference.text.size();
      break;
    }
    content_.bytes[size++] = character;  // never overtakes `rest`
    rest.remove_prefix(taken);
  }
  content_.size = size;
  return content_.view();
}

bool MetaTag::charset_is_safe() const noexcept {
  const auto safe = [](std::string_view label) noexcept {
    label = trim(label);
    // A page whose bytes we can read so far is not UTF-16; browsers read such a <meta> as UTF-8.
    return begins_with(label, "utf-16") || charset_is_ascii_safe(label);
  };
  if (!safe(charset_.view())) return false;
  if (!same(trim(http_equiv_.view()), "content-type")) return true;
  std::string_view rest = content_.view();
  while (!rest.empty()) {
    const std::string_view part = take_part(rest, ';');
    const std::size_t equals = part.find('=');
    if (equals != std::string_view::npos && begins_with(part, "charset") && !safe(part.substr(equals + 1))) {
      return false;
    }
  }
  return true;
}

}  // namespace inlens::bar
