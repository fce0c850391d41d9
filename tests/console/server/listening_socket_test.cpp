#include "console/server/listening_socket.hpp"

#include <fcntl.h>

#include <catch2/catch.hpp>

using namespace inlens::console;

namespace {

BindOptions on_port(std::uint16_t port) {
  BindOptions options;
  options.port = port;
  return options;
}

}  // namespace

TEST_CASE("The default address of the console is this machine's own, port 9790") {
  CHECK(BindOptions().address == "127.0.0.1");
  CHECK(BindOptions().port == 9790);
  CHECK(BindOptions().further_ports == 20);
}

TEST_CASE("Port 0 takes any free port and says which") {
  const ListeningSocket socket = open_listening_socket(on_port(0));
  REQUIRE(socket);
  CHECK(socket.port() != 0);
  CHECK_FALSE(socket.fell_back());
  CHECK(socket.url() == "http://127.0.0.1:" + std::to_string(socket.port()));
}

TEST_CASE("A busy port leads to a later one, which is told") {
  const ListeningSocket first = open_listening_socket(on_port(0));
  const ListeningSocket second = open_listening_socket(on_port(first.port()));
  REQUIRE(second);
  CHECK(second.fell_back());
  CHECK(second.port() != first.port());
  CHECK(first);
}

TEST_CASE("When the further ports are used up any free one is taken") {
  const ListeningSocket first = open_listening_socket(on_port(0));
  BindOptions options = on_port(first.port());
  options.further_ports = 0;
  const ListeningSocket second = open_listening_socket(options);
  REQUIRE(second);
  CHECK(second.fell_back());
}

TEST_CASE("The ports after the last one do not wrap around") {
  const ListeningSocket socket = open_listening_socket(on_port(65535));
  REQUIRE(socket);
  CHECK(socket.port() > 1023);
}

TEST_CASE("An address that others can reach needs a guarded console") {
  BindOptions options = on_port(0);
  options.address = "0.0.0.0";
  const ListeningSocket refused = open_listening_socket(options);
  CHECK_FALSE(refused);
  CHECK(refused.error() == "console.address 0.0.0.0 is reachable from elsewhere; that needs console.token");
  options.beyond_loopback = true;
  CHECK(open_listening_socket(options));
}

TEST_CASE("What is no address is refused with a sentence") {
  BindOptions options = on_port(0);
  for (const char* address : {"", "nonsense", "127.0.0.1:80", "127.0.0.256", "[::1]"}) {
    options.address = address;
    const ListeningSocket socket = open_listening_socket(options);
    CHECK_FALSE(socket);
    CHECK_FALSE(socket.error().empty());
  }
}

TEST_CASE("An address of another machine is refused with a sentence, whatever the port") {
  BindOptions options;
  options.address = "192.0.2.1";
  options.beyond_loopback = true;
  const ListeningSocket socket = open_listening_socket(options);
  CHECK_FALSE(socket);
  CHECK_FALSE(socket.error().empty());
}

TEST_CASE("The socket is closed on exec and moves without a copy") {
  ListeningSocket one = open_listening_socket(on_port(0));
  CHECK((::fcntl(one.fd(), F_GETFD) & FD_CLOEXEC) != 0);
  const int fd = one.fd();
  ListeningSocket other = std::move(one);
  CHECK(other.fd() == fd);
  CHECK_FALSE(one);
}
