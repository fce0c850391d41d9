#include <atomic>

#include "perf/shop/pages/pages.hpp"

namespace shop::pages {
namespace {

std::string cached_name(const Context& context, std::int64_t article) {
  const std::string key = "product:" + std::to_string(article);
  if (auto name = context.shop().cache.get(key)) return *std::move(name);
  std::string name;
  context.db().query("SELECT name FROM products WHERE id = ?", {article},
                     [&](const Row& row) { name = row.text(0); });
  context.shop().cache.put(key, name);
  return name;
}

}  // namespace

Response outgoing(const Context& context) {
  const std::int64_t article = context.request.number("article", 17, 1, 2000);
  const std::string answer =
      context.worker.stock.get("/stock/" + std::to_string(article) + "?api_key=demo-key-of-the-shop");
  Html html;
  html.markup("<p>The stock service says:</p>\n").element("pre", answer);
  return page("Outgoing", std::move(html));
}

// Article 1 is asked for by everybody and stays; the others take turns over more entries than the cache
// holds.
Response cache(const Context& context) {
  static std::atomic<std::int64_t> turn{0};
  cached_name(context, 1);
  const std::string hit = cached_name(context, 1);
  const std::string miss = cached_name(context, 2 + turn.fetch_add(1, std::memory_order_relaxed) % 1000);
  Html html;
  html.markup("<p>From the cache: ")
      .text(hit)
      .markup(".</p>\n<p>From the database, and now cached: ")
      .text(miss);
  html.markup(".</p>\n<p>")
      .number(static_cast<std::int64_t>(context.shop().cache.size()))
      .markup(" entries.</p>");
  return page("Cache", std::move(html));
}

}  // namespace shop::pages
