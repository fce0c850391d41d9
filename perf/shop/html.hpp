// Writes HTML in two kinds of strokes: markup of our own, and text that is always escaped.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace shop {

class Html {
 public:
  Html& markup(std::string_view literal) {
    out_.append(literal);
    return *this;
  }
  Html& text(std::string_view value);
  Html& number(std::int64_t value) { return markup(std::to_string(value)); }
  Html& money(std::int64_t cents);

  // An element around one text.
  Html& element(std::string_view name, std::string_view value);

  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

// The two halves of every page, around its content; `path` marks the page in the navigation bar.
std::string page_head(std::string_view title, std::string_view path);
std::string page_foot();

}  // namespace shop
