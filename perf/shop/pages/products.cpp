#include <charconv>
#include <nlohmann/json.hpp>

#include "perf/shop/pages/pages.hpp"

namespace shop::pages {
namespace {

constexpr std::int64_t kPerPage = 24;
constexpr std::string_view kPageOfProducts =
    "SELECT id, sku, name, category, price_cents, stock FROM products ORDER BY id LIMIT ? OFFSET ?";

std::int64_t page_number(const Context& context) {
  return context.request.number("page", 1, 1, 1'000'000);
}

void pager(Html& html, std::int64_t current, std::int64_t last) {
  html.markup("<p class=\"pager\">");
  if (current > 1) html.markup("<a href=\"?page=").number(current - 1).markup("\">previous</a> ");
  html.markup("page ").number(current).markup(" of ").number(last);
  if (current < last) html.markup(" <a href=\"?page=").number(current + 1).markup("\">next</a>");
  html.markup("</p>\n");
}

}  // namespace

Response products(const Context& context) {
  const std::int64_t current = page_number(context);
  const std::int64_t all = context.db().number("SELECT count(*) FROM products");
  Html html;
  html.markup(
      "<table>\n<tr><th>Article</th><th>Name</th><th>Category</th><th>Price</th><th>Stock</th></tr>\n");
  context.db().query(kPageOfProducts, {kPerPage, (current - 1) * kPerPage}, [&](const Row& row) {
    html.markup("<tr>").element("td", row.text(1)).markup("<td><a href=\"/products/").number(row.number(0));
    html.markup("\">").text(row.text(2)).markup("</a></td>").element("td", row.text(3));
    html.markup("<td>").money(row.number(4)).markup("</td><td>").number(row.number(5)).markup("</td></tr>\n");
  });
  html.markup("</table>\n");
  pager(html, current, (all + kPerPage - 1) / kPerPage);
  return page("Products", std::move(html));
}

Response product(const Context& context) {
  const std::string_view segment = context.request.path.substr(context.request.path.rfind('/') + 1);
  std::int64_t id = 0;
  std::from_chars(segment.data(), segment.data() + segment.size(), id);
  Html html;
  std::string name;
  context.db().query(
      "SELECT name, sku, category, price_cents, stock FROM products WHERE id = ?", {id}, [&](const Row& row) {
        name = row.text(0);
        html.markup("<p>").text(row.text(1)).markup(", ").text(row.text(2)).markup("</p>\n<p>");
        html.money(row.number(3)).markup(", ").number(row.number(4)).markup(" in stock</p>");
      });
  if (name.empty()) return page("Not found", std::move(Html().element("p", "No such product.")), 404);
  return page(std::move(name), std::move(html));
}

Response api_products(const Context& context) {
  nlohmann::json list = nlohmann::json::array();
  context.db().query(kPageOfProducts, {kPerPage, (page_number(context) - 1) * kPerPage}, [&](const Row& row) {
    list.push_back({{"id", row.number(0)},
                    {"sku", row.text(1)},
                    {"name", row.text(2)},
                    {"category", row.text(3)},
                    {"price_cents", row.number(4)},
                    {"stock", row.number(5)}});
  });
  Response response;
  response.content_type = "application/json";
  response.body = nlohmann::json{{"products", std::move(list)}}.dump();
  return response;
}

}  // namespace shop::pages
