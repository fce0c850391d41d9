// A listener on a free port whose handler tells what it was asked.
#pragma once

#include <string>

#include "console/server/answers.hpp"
#include "console/server/listener.hpp"
#include "tests/console/server/raw_client.hpp"

namespace inlens::console::test {

inline constexpr const char* kGet = "GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n";

inline Answer echo(const Request& request) {
  static const std::string large(32 * 1024 * 1024, 'x');
  Answer answer;
  if (request.path == "/throw") throw 42;
  if (request.path == "/large") {
    answer.body = std::string_view(large);
  } else {
    answer.body = request.method + " " + request.target + " " + std::to_string(request.body.size());
  }
  complete(answer, request.method);
  return answer;
}

inline BindOptions free_port() {
  BindOptions options;
  options.port = 0;
  return options;
}

struct ListenerFixture {
  Listener listener{nullptr};
  std::uint16_t port = 0;

  explicit ListenerFixture(const ConnectionLimits& limits = {}, RequestHandler handler = echo) {
    ListeningSocket socket = open_listening_socket(free_port());
    port = socket.port();
    listener.start(std::move(socket), limits, std::move(handler));
  }

  RawClient connect() const { return RawClient(port); }
  RawAnswer ask(std::string_view text) const { return connect().ask(text); }
};

}  // namespace inlens::console::test
