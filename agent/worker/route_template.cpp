#include "agent/worker/route_template.hpp"

#include <algorithm>

namespace inlens::worker {

namespace {

constexpr std::size_t kLongToken = 24;
constexpr std::size_t kMixedToken = 12;
constexpr std::size_t kShortHex = 8;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool is_version(std::string_view segment) {
  return segment.size() >= 2 && segment.size() <= 3 && segment[0] == 'v' && is_digit(segment[1]);
}

// What identifies one thing of many, as against a page's name or a word of the interface.
bool is_variable(std::string_view segment) {
  if (segment.empty() || is_version(segment)) return false;
  std::size_t digits = 0, hex = 0, letters = 0, hyphens = 0, run = 0, longest_run = 0;
  for (const char c : segment) {
    if (c == '@' || c == '%' || c == '=' || c == ';' || static_cast<unsigned char>(c) >= 0x80) return true;
    digits += is_digit(c) ? 1 : 0;
    hex += is_hex(c) ? 1 : 0;
    letters += is_letter(c) ? 1 : 0;
    hyphens += c == '-' ? 1 : 0;
    run = is_digit(c) || is_letter(c) ? run + 1 : 0;
    longest_run = std::max(longest_run, run);
  }
  if (longest_run >= kLongToken) return true;
  if (digits == 0) return false;
  if (letters == 0) return true;                                         // 4711, 2026-11-30, 1.5
  if (hex + hyphens == segment.size() && hex >= kShortHex) return true;  // ids in hexadecimal, UUIDs
  if (digits >= 3 && digits * 3 >= letters) return true;                 // order4711, not base64
  return digits > 1 && longest_run >= kMixedToken;
}

std::string_view without_authority(std::string_view target) {
  if (target.empty() || target.front() == '/') return target;
  const std::size_t scheme = target.find("://");
  if (scheme == std::string_view::npos || scheme > 8) return target;
  const std::size_t path = target.find('/', scheme + 3);
  return path == std::string_view::npos ? std::string_view("/") : target.substr(path);
}

}  // namespace

std::string_view path_of(std::string_view target) {
  target = target.substr(0, target.find('?'));
  return without_authority(target.substr(0, target.find('#')));
}

void append_route_template(std::string_view target, std::string& out) {
  std::string_view path = path_of(target);
  if (path.empty()) {
    out += '/';
    return;
  }
  for (std::size_t count = 0; !path.empty(); ++count) {
    if (path.front() == '/') {
      out += '/';
      path.remove_prefix(1);
    }
    if (count == kMaxSegments) {
      out += "{…}";
      return;
    }
    const std::string_view segment = path.substr(0, path.find('/'));
    if (is_variable(segment)) {
      out += "{id}";
    } else {
      out += segment;
    }
    path.remove_prefix(segment.size());
  }
}

}  // namespace inlens::worker
