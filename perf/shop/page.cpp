#include "perf/shop/page.hpp"

#include <algorithm>
#include <charconv>

namespace shop {
namespace {

std::string url_decoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    if (text[i] == '+') {
      out.push_back(' ');
    } else if (text[i] == '%' && i + 2 < text.size() &&
               std::from_chars(text.data() + i + 1, text.data() + i + 3, value, 16).ptr ==
                   text.data() + i + 3) {
      out.push_back(static_cast<char>(value));
      i += 2;
    } else {
      out.push_back(text[i]);
    }
  }
  return out;
}

std::optional<std::string> pair_value(std::string_view pairs, std::string_view name) {
  while (!pairs.empty()) {
    const std::string_view pair = pairs.substr(0, pairs.find('&'));
    pairs.remove_prefix(std::min(pairs.size(), pair.size() + 1));
    const auto equals = std::min(pair.find('='), pair.size());
    if (pair.substr(0, equals) == name) return url_decoded(pair.substr(std::min(pair.size(), equals + 1)));
  }
  return std::nullopt;
}

}  // namespace

std::string Request::parameter(std::string_view name, std::string_view otherwise) const {
  return pair_value(query, name).value_or(std::string(otherwise));
}

std::string Request::form_field(std::string_view name) const {
  return pair_value(body, name).value_or("");
}

std::int64_t Request::number(std::string_view name, std::int64_t otherwise, std::int64_t low,
                             std::int64_t high) const {
  const std::string text = parameter(name);
  std::int64_t value = otherwise;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return std::clamp(value, low, high);
}

Response page(std::string title, Html&& content, unsigned status) {
  Response response;
  response.status = status;
  response.title = std::move(title);
  response.body = content.take();
  return response;
}

}  // namespace shop
