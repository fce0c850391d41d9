#include "perf/shop/pages/pages.hpp"

namespace shop::pages {

Response panel(const Context& context) {
  auto cheapest = inlens::Panel::table("Cheapest articles", {"article", "name", "cents"});
  context.db().query("SELECT sku, name, price_cents FROM products ORDER BY price_cents, id LIMIT 5", {},
                     [&](const Row& row) {
                       cheapest.row({row.text(0), row.text(1), std::to_string(row.number(2))});
                     });
  cheapest.show();

  inlens::Panel::key_value("Basket")
      .pair("customer", "demo")
      .pair("articles", "3")
      .pair("currency", "EUR")
      .show();

  inlens::Panel::tree("Layout")
      .node(0, "page", "1.9 ms")
      .node(1, "header", "0.2 ms")
      .node(1, "main", "1.6 ms")
      .node(2, "list", "1.1 ms")
      .node(1, "footer", "0.1 ms")
      .show();

  inlens::Panel::text("Note", "Panels are data: the page fills cells, Inlens shows them as text.").show();

  return page("Panel", std::move(Html().element("p", "Four panels of this page's own are in the bar.")));
}

}  // namespace shop::pages
