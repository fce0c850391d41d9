#include "collectors/sqlite/failed_text.hpp"

#include <cstdint>

namespace inlens::sqlite {

namespace {

// What ends the quoted text or comment that begins here; empty: nothing begins.
std::string_view end_of(std::string_view rest) {
  switch (rest.front()) {
    case '\'':
      return "'";
    case '"':
      return "\"";
    case '`':
      return "`";
    case '[':
      return "]";
    case '-':
      return rest.starts_with("--") ? "\n" : "";
    case '/':
      return rest.starts_with("/*") ? "*/" : "";
    default:
      return "";
  }
}

constexpr std::uint32_t kReplacement = 0xFFFD;

std::uint32_t next_character(const char16_t* text, std::size_t units, std::size_t& at) {
  const std::uint32_t unit = text[at++];
  if (unit < 0xD800 || unit > 0xDFFF) return unit;
  if (unit > 0xDBFF || at == units || text[at] < 0xDC00 || text[at] > 0xDFFF) return kReplacement;
  return 0x10000 + ((unit - 0xD800) << 10) + (text[at++] - 0xDC00u);
}

}  // namespace

std::string_view first_statement(std::string_view script) noexcept {
  for (std::size_t at = 0; at < script.size(); ++at) {
    if (script[at] == ';') return script.substr(0, at);
    const std::string_view end = end_of(script.substr(at));
    if (end.empty()) continue;
    const std::size_t found = script.find(end, at + (end == "*/" ? 2 : 1));
    if (found == std::string_view::npos) return script;
    at = found + end.size() - 1;
  }
  return script;
}

std::size_t to_utf8(const char16_t* text, std::size_t units, char* out, std::size_t capacity) noexcept {
  std::size_t size = 0;
  for (std::size_t at = 0; at < units && size + 4 <= capacity;) {
    const std::uint32_t c = next_character(text, units, at);
    if (c == 0) break;
    const int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    constexpr unsigned char kLead[] = {0x00, 0xC0, 0xE0, 0xF0};
    out[size++] = static_cast<char>(kLead[more] | c >> (6 * more));
    for (int i = more - 1; i >= 0; --i) out[size++] = static_cast<char>(0x80 | (c >> (6 * i) & 0x3F));
  }
  return size;
}

}  // namespace inlens::sqlite
