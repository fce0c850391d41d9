#include "perf/shop/pages/pages.hpp"

namespace shop::pages {

Response home(const Context& context) {
  const auto products = context.db().number("SELECT count(*) FROM products");
  const auto orders = context.db().number("SELECT max(id) FROM orders");

  Html html;
  html.markup("<p>")
      .number(products)
      .markup(" products, ")
      .number(orders)
      .markup(" orders.</p>\n<h2>Bestsellers</h2>\n<ol>\n");
  context.db().query(
      "SELECT id, name, price_cents FROM products ORDER BY sold DESC LIMIT 5", {}, [&](const Row& row) {
        html.markup("<li><a href=\"/products/").number(row.number(0)).markup("\">").text(row.text(1));
        html.markup("</a> ").money(row.number(2)).markup("</li>\n");
      });

  html.markup("</ol>\n<h2>What the pages show</h2>\n<dl class=\"cards\">\n");
  for (const Route& route : routes()) {
    if (route.label.empty()) continue;
    html.markup("<div><dt><a href=\"").text(route.link()).markup("\">").text(route.label).markup("</a></dt>");
    html.element("dd", route.about).markup("</div>\n");
  }
  return page("A small shop", std::move(html.markup("</dl>")));
}

}  // namespace shop::pages
