// Which handler answers which method and path. Filled before the console serves, then only read, on console
// and mounted threads.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "console/server/gate.hpp"
#include "console/server/http.hpp"

namespace inlens::console {

using ApiHandler = std::function<Answer(const Request&, const Identity&)>;

class RouteTable {
 public:
  struct Match {
    const ApiHandler* handler = nullptr;
    std::string allowed;    // methods of that path; "" = no such path
    std::string parameter;  // what `{…}` stands for
  };

  // `pattern` is a path below `/~inlens`, with at most one segment in braces: "/api/requests/{id}".
  // GET answers HEAD too.
  void add(std::string_view method, std::string_view pattern, ApiHandler handler);

  Match find(std::string_view method, std::string_view path) const;

 private:
  struct Route {
    std::string method;
    std::string before;  // the pattern around its braces
    std::string after;
    bool has_parameter;
    ApiHandler handler;
  };

  std::vector<Route> routes_;
};

}  // namespace inlens::console
