// Asks a console over its socket, as a script would, with the token of these tests.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "tests/console/server/raw_client.hpp"
#include "tests/host/agent.hpp"

namespace host_test {

using inlens::console::test::RawAnswer;
using inlens::console::test::RawClient;

// The port in "http://127.0.0.1:4711/~inlens/"; 0 when there is none.
inline std::uint16_t port_of(std::string_view url) {
  const auto at = url.find(':', url.find("//") + 2);
  return at == std::string_view::npos || url.empty()
             ? std::uint16_t{0}
             : static_cast<std::uint16_t>(std::atoi(std::string(url.substr(at + 1)).c_str()));
}

inline std::uint16_t console_port() {
  return port_of(inlens::console_url());
}

inline std::string api_request(std::string_view path) {
  return "GET /~inlens/api/" + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " +
         kToken + "\r\n\r\n";
}

inline RawAnswer ask(std::uint16_t port, std::string_view path) {
  RawClient client(port);
  return client.ask(api_request(path));
}

// The answer's JSON; null when there was no whole answer with status 200.
inline nlohmann::json ask_json(std::uint16_t port, std::string_view path) {
  const RawAnswer answer = ask(port, path);
  return answer.status == 200 ? nlohmann::json::parse(answer.body, nullptr, false) : nlohmann::json();
}

}  // namespace host_test
