#include <array>

#include "perf/shop/pages/pages.hpp"

namespace shop {
namespace {

constexpr std::array kRoutes = {
    Route{"GET", "/", pages::home, "Home", "A healthy page: three quick statements."},
    Route{"GET", "/products", pages::products, "Products", "A list in pages of 24."},
    Route{"GET", "/products/{id}", pages::product, "", ""},
    Route{"GET", "/orders", pages::orders, "Orders",
          "N+1: one statement for the list, then one for each of its rows."},
    Route{"GET", "/checkout", pages::checkout, "Checkout", "A transaction that inserts and updates."},
    Route{"GET", "/slow-sql", pages::slow_sql, "Slow SQL",
          "One statement that keeps the database busy for about 300 ms."},
    Route{"GET", "/caught", pages::caught, "Caught",
          "An exception that the page catches, reports and survives."},
    Route{"GET", "/bug", pages::bug, "Bug", "The same uncaught exception every time."},
    Route{"GET", "/unique-error", pages::unique_error, "Unique error", "An error of a new kind every time."},
    Route{"GET", "/outgoing", pages::outgoing, "Outgoing", "Asks another service over HTTP."},
    Route{"GET", "/cache", pages::cache, "Cache", "One cache hit and one miss."},
    Route{"GET", "/login", pages::login_form, "Login",
          "A form with a password, which Inlens must never see."},
    Route{"POST", "/login", pages::login, "", ""},
    Route{"GET", "/markup", pages::markup, "Markup", "HTML in every field that Inlens takes."},
    Route{"GET", "/panel", pages::panel, "Panel", "One panel of each kind."},
    Route{"GET", "/stream", pages::stream, "Stream", "HTML that is written piece by piece."},
    Route{"GET", "/task", pages::task, "Task", "Three tasks in parallel, on threads of their own."},
    Route{"GET", "/cpu", pages::cpu, "CPU", "50 ms of computing."},
    Route{"GET", "/stall", pages::stall, "Stall", "Holds its worker thread for s seconds, at most 30.",
          "/stall?s=2"},
    Route{"GET", "/events", pages::events, "Events", "Server-sent events, one a second; ?n= bounds them.",
          "/events?n=10"},
    Route{"GET", "/api/products", pages::api_products, "JSON", "A page of products as JSON."},
    Route{"GET", "/empty", pages::empty, "Empty", "The smallest answer, for measuring."},
    Route{"GET", "/shop.css", pages::stylesheet, "", ""},
    Route{"GET", "/favicon.ico", pages::no_icon, "", ""},
};

}  // namespace

std::span<const Route> routes() {
  return kRoutes;
}

}  // namespace shop
