#include <limits>

#include "perf/shop/pages/pages.hpp"

namespace shop::pages {
namespace {

constexpr auto kBetweenEvents = std::chrono::seconds(1);
constexpr auto kBetweenParts = std::chrono::milliseconds(100);
constexpr int kParts = 8;

}  // namespace

Response events(const Context& context) {
  const std::int64_t most = context.request.number("n", std::numeric_limits<std::int64_t>::max(), 0,
                                                   std::numeric_limits<std::int64_t>::max());
  Response response;
  response.content_type = "text/event-stream";
  response.headers.emplace_back("Cache-Control", "no-store");
  response.source = [most, sent = std::int64_t{0}](Worker& worker) mutable -> std::optional<Piece> {
    if (sent >= most) return std::nullopt;
    const auto pause = sent == 0 ? std::chrono::milliseconds(0) : kBetweenEvents;
    ++sent;
    const std::int64_t orders = worker.db->number("SELECT max(id) FROM orders");
    return Piece{"id: " + std::to_string(sent) + "\ndata: {\"orders\":" + std::to_string(orders) + "}\n\n",
                 pause};
  };
  return response;
}

Response stream(const Context& context) {
  Response response;
  response.body = page_head("Stream", "/stream") + "<p>Each line arrived on its own.</p>\n<ul>\n";
  response.headers.emplace_back("Cache-Control", "no-store");
  response.source = [lens = context.lens, part = 0](Worker& worker) mutable -> std::optional<Piece> {
    if (part > kParts) return std::nullopt;
    if (part++ == kParts) return Piece{"</ul>" + page_foot()};
    Html html;
    worker.db->query("SELECT name FROM products WHERE id = ?", {std::int64_t{part}},
                     [&](const Row& row) { html.element("li", row.text(0)).markup("\n"); });
    return Piece{html.take(), kBetweenParts};
  };
  return response;
}

}  // namespace shop::pages
