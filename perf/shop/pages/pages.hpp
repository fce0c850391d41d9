// The shop's pages and the table that leads to them. Each function is one page, in the file of its name.
// Threads: worker threads, the page's request attached.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "perf/shop/page.hpp"

namespace shop {

using Handler = Response (*)(const Context&);

struct Route {
  std::string_view method;   // GET answers HEAD too
  std::string_view pattern;  // "{…}" stands for one segment of the path
  Handler handler;
  std::string_view label;        // in the navigation bar; empty: not there
  std::string_view about;        // what it shows, for the front page
  std::string_view sample = {};  // where the navigation bar leads, if not to the pattern

  std::string_view link() const { return sample.empty() ? pattern : sample; }
};

std::span<const Route> routes();

// An error whose class is known only while running, as those of an embedded script.
class ScriptError : public std::runtime_error {
 public:
  ScriptError(std::string type, const std::string& message)
      : std::runtime_error(message), type_(std::move(type)) {}
  const std::string& type() const { return type_; }

 private:
  std::string type_;
};

namespace pages {

Response home(const Context&);
Response products(const Context&);
Response product(const Context&);
Response api_products(const Context&);
Response orders(const Context&);
Response checkout(const Context&);
Response slow_sql(const Context&);
Response caught(const Context&);
Response bug(const Context&);
Response unique_error(const Context&);
Response outgoing(const Context&);
Response cache(const Context&);
Response login_form(const Context&);
Response login(const Context&);
Response markup(const Context&);
Response panel(const Context&);
Response events(const Context&);
Response stream(const Context&);
Response cpu(const Context&);
Response empty(const Context&);
Response stall(const Context&);
Response task(const Context&);
Response stylesheet(const Context&);
Response no_icon(const Context&);

}  // namespace pages
}  // namespace shop
