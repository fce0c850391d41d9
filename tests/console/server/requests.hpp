// Requests as the tests' callers send them.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "console/server/http.hpp"

namespace inlens::console::test {

using Fields = std::initializer_list<std::pair<std::string_view, std::string_view>>;

// From this machine, to 127.0.0.1:9790, unless `fields` name another Host. A Host of "-" means none.
inline Request make_request(std::string_view method, std::string_view target, Fields fields = {},
                            std::string_view body = "") {
  Request request;
  request.method = method;
  request.set_target(target);
  for (const auto& [name, value] : fields)
    if (value != "-") request.headers.add(name, value);
  bool names_host = false;
  for (const auto& [name, value] : fields) names_host |= equal_ignoring_case(name, "Host");
  if (!names_host) request.headers.add("Host", "127.0.0.1:9790");
  request.body = body;
  request.peer_address = "127.0.0.1";
  return request;
}

inline std::string text_of(const Answer& answer) {
  return std::string(answer.body_view());
}

}  // namespace inlens::console::test
