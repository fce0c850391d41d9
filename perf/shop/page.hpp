// What a page sees of the world: the request, the answer it gives, and the shop's parts.
// A page is a function of a Context that runs on a worker thread; it knows nothing of sockets.
#pragma once

#include <chrono>
#include <functional>
#include <inlens/inlens.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "perf/shop/cache.hpp"
#include "perf/shop/db.hpp"
#include "perf/shop/html.hpp"
#include "perf/shop/shutdown.hpp"
#include "perf/shop/stock.hpp"

namespace shop {

// Borrowed from the message that arrived; valid until it is answered.
struct Request {
  std::string_view method;
  std::string_view path;
  std::string_view query;
  std::string_view body;
  std::string_view if_none_match;

  // The decoded value of a query parameter, or of a field of a posted form.
  std::string parameter(std::string_view name, std::string_view otherwise = {}) const;
  std::string form_field(std::string_view name) const;
  std::int64_t number(std::string_view name, std::int64_t otherwise, std::int64_t low,
                      std::int64_t high) const;
};

struct Worker;

// One piece of a streamed body, and how long to wait before it.
struct Piece {
  std::string bytes;
  std::chrono::milliseconds pause{0};
};

// Makes the next piece, each time on whichever worker is free; nothing ends the body.
using Source = std::function<std::optional<Piece>(Worker&)>;

struct Response {
  unsigned status = 200;
  std::string content_type = "text/html; charset=utf-8";
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  std::string title;    // not empty: `body` is a page's content and render() puts the layout around it
  std::string pattern;  // the route that answered
  Source source;        // set: the body is streamed, after `body`
};

// What all workers share.
struct Shop {
  std::string database;  // file or address
  Cache cache{64};
  Shutdown shutdown;
};

// What a worker thread has for itself.
struct Worker {
  Worker(Shop& the_shop, std::uint16_t stock_port)
      : shop(the_shop), db(open_database(the_shop.database)), stock(stock_port) {}
  Shop& shop;
  std::unique_ptr<Db> db;
  StockClient stock;
};

struct Context {
  const Request& request;
  Worker& worker;
  inlens::RequestRef lens;

  Db& db() const { return *worker.db; }
  Shop& shop() const { return worker.shop; }
};

Response page(std::string title, Html&& content, unsigned status = 200);

}  // namespace shop
