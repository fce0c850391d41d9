#include "perf/shop/html.hpp"

#include "perf/shop/pages/pages.hpp"

namespace shop {

Html& Html::text(std::string_view value) {
  for (const char c : value) {
    switch (c) {
      case '&':
        out_.append("&amp;");
        break;
      case '<':
        out_.append("&lt;");
        break;
      case '>':
        out_.append("&gt;");
        break;
      case '"':
        out_.append("&quot;");
        break;
      case '\'':
        out_.append("&#39;");
        break;
      default:
        out_.push_back(c);
    }
  }
  return *this;
}

Html& Html::money(std::int64_t cents) {
  const std::string rest = std::to_string(100 + cents % 100);
  return number(cents / 100).markup(".").markup(std::string_view(rest).substr(1));
}

Html& Html::element(std::string_view name, std::string_view value) {
  return markup("<").markup(name).markup(">").text(value).markup("</").markup(name).markup(">");
}

std::string page_head(std::string_view title, std::string_view path) {
  Html html;
  html.markup("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>")
      .text(title)
      .markup(
          " · Inlens shop</title>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<link rel=\"stylesheet\" href=\"/shop.css\">\n</head>\n<body>\n<header>\n"
          "<a class=\"brand\" href=\"/\">Inlens shop</a>\n<nav>\n");
  for (const Route& route : routes()) {
    if (route.label.empty()) continue;
    html.markup("<a href=\"")
        .text(route.link())
        .markup(route.pattern == path ? "\" aria-current=\"page\">" : "\">");
    html.text(route.label).markup("</a>\n");
  }
  html.markup("</nav>\n</header>\n<main>\n").element("h1", title);
  return html.take();
}

std::string page_foot() {
  return "\n</main>\n</body>\n</html>\n";
}

}  // namespace shop
