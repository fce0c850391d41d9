#include "console/bar/charset.hpp"

#include "console/bar/ascii.hpp"

namespace inlens::bar {
namespace {

// Each stands for every label that begins with it.
constexpr std::string_view kUnsafePrefixes[] = {
    "utf-16", "utf16",  "utf_16",        "utf-32",   "utf32",   "utf_32",   "utf-7",     "utf7",   "utf_7",
    "ucs",    "csucs",  "iso-10646-ucs", "iso-2022", "iso2022", "iso_2022", "csiso2022", "hz",     "cp037",
    "ibm037", "ebcdic", "utf-ebcdic",    "scsu",     "bocu",    "johab",    "x-johab",   "cp1361", "ms1361"};

// These are labels of UTF-16, while longer ones of the same beginning are labels of UTF-8.
constexpr std::string_view kUnsafeNames[] = {"unicode", "csunicode", "unicodefeff", "unicodefffe",
                                             "replacement"};

}  // namespace

bool charset_is_ascii_safe(std::string_view label) noexcept {
  label = trim(label);
  for (const std::string_view prefix : kUnsafePrefixes) {
    if (begins_with(label, prefix)) return false;
  }
  for (const std::string_view name : kUnsafeNames) {
    if (same(label, name)) return false;
  }
  return true;
}

bool charset_parameters_are_safe(std::string_view parameters) noexcept {
  while (!parameters.empty()) {
    std::string_view part = take_part(parameters, ';');
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos || !same(trim(part.substr(0, equals)), "charset")) continue;
    std::string_view value = trim(part.substr(equals + 1));
    if (value.find('\\') != std::string_view::npos) return false;
    while (!value.empty() && (value.front() == '"' || value.front() == '\'')) value.remove_prefix(1);
    if (!charset_is_ascii_safe(value)) return false;
  }
  return true;
}

}  // namespace inlens::bar
