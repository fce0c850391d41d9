#include <chrono>
#include <vector>

#include "perf/shop/pages/pages.hpp"

namespace shop::pages {
namespace {

constexpr std::int64_t kMostOrders = 5000;

struct Order {
  std::int64_t id;
  std::int64_t customer_id;
  std::int64_t total_cents;
};

}  // namespace

// The mistake is deliberate: the customers of 24 orders, asked for one by one.
Response orders(const Context& context) {
  std::vector<Order> list;
  context.db().query("SELECT id, customer_id, total_cents FROM orders ORDER BY id DESC LIMIT 24", {},
                     [&](const Row& row) {
                       list.push_back({row.number(0), row.number(1), row.number(2)});
                     });
  Html html;
  html.markup("<table>\n<tr><th>Order</th><th>Customer</th><th>Total</th></tr>\n");
  for (const Order& order : list) {
    html.markup("<tr><td>").number(order.id).markup("</td><td>");
    context.db().query("SELECT name, city FROM customers WHERE id = ?", {order.customer_id},
                       [&](const Row& row) { html.text(row.text(0)).markup(", ").text(row.text(1)); });
    html.markup("</td><td>").money(order.total_cents).markup("</td></tr>\n");
  }
  return page("Orders", std::move(html.markup("</table>")));
}

// Changes data on a GET, which a real shop must not do: here every page has to be a plain link.
Response checkout(const Context& context) {
  Db& db = context.db();
  const std::int64_t article = 1 + context.request.number("article", 17, 0, 1999);
  Transaction transaction(db);
  const std::int64_t price_cents = db.number("SELECT price_cents FROM products WHERE id = ?", {article});
  const std::int64_t now_s = std::chrono::system_clock::now().time_since_epoch() / std::chrono::seconds(1);
  const std::int64_t order =
      db.number("INSERT INTO orders (customer_id, created_s, total_cents) VALUES (?, ?, ?) RETURNING id",
                {std::int64_t{1}, now_s, price_cents});
  db.execute("INSERT INTO order_items VALUES (?, ?, ?, ?)", {order, article, std::int64_t{1}, price_cents});
  db.execute(
      "UPDATE products SET stock = CASE WHEN stock > 1 THEN stock - 1 ELSE 200 END, sold = sold + 1 WHERE id "
      "= ?",
      {article});
  db.execute("DELETE FROM orders WHERE id <= ?", {order - kMostOrders});
  transaction.commit();

  Html html;
  html.markup("<p>Order ").number(order).markup(" is placed: ").money(price_cents).markup(".</p>");
  return page("Checkout", std::move(html));
}

}  // namespace shop::pages
