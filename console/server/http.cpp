#include "console/server/http.hpp"

#include <algorithm>

namespace inlens::console {
namespace {

constexpr std::size_t kMaxPathBytes = 1024;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char l = lower(c);
  return l >= 'a' && l <= 'f' ? l - 'a' + 10 : -1;
}

bool is_path_character(char c) {
  if ((c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z')) return true;
  return c != '\0' && std::string_view("-._~!$&'()*+,;=:@/").find(c) != std::string_view::npos;
}

std::string decoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0;
    if (escape && hex_digit(text[i + 2]) >= 0) {
      out += static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

}  // namespace

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string_view next_in_list(std::string_view& list) {
  const auto comma = std::min(list.find(','), list.size());
  const auto element = trimmed(list.substr(0, comma));
  list.remove_prefix(std::min(comma + 1, list.size()));
  return element;
}

void Headers::add(std::string_view name, std::string_view value) {
  fields_.push_back({std::string(name), std::string(value)});
}

void Headers::set(std::string_view name, std::string_view value) {
  std::erase_if(fields_, [&](const Header& h) { return equal_ignoring_case(h.name, name); });
  add(name, value);
}

const std::string* Headers::find(std::string_view name) const {
  for (const Header& header : fields_)
    if (equal_ignoring_case(header.name, name)) return &header.value;
  return nullptr;
}

std::string_view Headers::get(std::string_view name) const {
  const std::string* value = find(name);
  return value ? std::string_view(*value) : std::string_view();
}

std::size_t Headers::count(std::string_view name) const {
  return static_cast<std::size_t>(std::count_if(
      fields_.begin(), fields_.end(), [&](const Header& h) { return equal_ignoring_case(h.name, name); }));
}

void Request::set_target(std::string_view text) {
  target = text;
  text = text.substr(0, text.find('#'));
  const auto mark = text.find('?');
  path = text.substr(0, mark);
  query = mark == std::string_view::npos ? std::string_view() : text.substr(mark + 1);
}

std::string_view Answer::body_view() const {
  if (const auto* owned = std::get_if<std::string>(&body)) return *owned;
  return std::get<std::string_view>(body);
}

std::optional<std::string> query_value(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const auto pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
    const auto equals = std::min(pair.find('='), pair.size());
    if (decoded(pair.substr(0, equals)) == name)
      return decoded(pair.substr(std::min(equals + 1, pair.size())));
  }
  return std::nullopt;
}

bool is_plain_path(std::string_view path) {
  if (path.empty() || path.front() != '/' || path.size() > kMaxPathBytes) return false;
  if (!std::all_of(path.begin(), path.end(), is_path_character)) return false;
  path.remove_prefix(1);
  while (!path.empty()) {
    const auto segment = path.substr(0, path.find('/'));
    if (segment.empty() || segment == "." || segment == "..") return false;
    path.remove_prefix(std::min(segment.size() + 1, path.size()));
  }
  return true;
}

bool is_read(std::string_view method) {
  return method == "GET" || method == "HEAD";
}

}  // namespace inlens::console
