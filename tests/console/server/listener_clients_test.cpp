// Slow, many and vanishing clients of the console's listener.
#include <catch2/catch.hpp>
#include <vector>

#include "tests/console/server/listener_fixture.hpp"

using namespace inlens::console;
using namespace inlens::console::test;

namespace {

constexpr const char* kGetLarge = "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n";

}  // namespace

TEST_CASE("A client that sends a byte at a time waits for itself only") {
  ListenerFixture f;
  RawClient slow = f.connect();
  RawClient other = f.connect();
  const std::string_view request = kGet;
  for (const char byte : request.substr(0, request.size() - 1)) {
    REQUIRE(slow.send({&byte, 1}));
    REQUIRE(other.ask(kGet).status == 200);
  }
  slow.send(request.substr(request.size() - 1));
  CHECK(slow.read_answer().body == "GET /a 0");
}

TEST_CASE("A client that does not read its answer keeps no other client waiting") {
  ListenerFixture f;
  RawClient slow(f.port, 4096);
  slow.send(kGetLarge);
  for (int i = 0; i < 20; ++i) REQUIRE(f.ask(kGet).status == 200);
  CHECK(slow.read_answer().body.size() == 32u * 1024 * 1024);
}

TEST_CASE("A client that never ends its headers is cut off at the deadline") {
  ConnectionLimits limits;
  limits.header = std::chrono::milliseconds(30);
  ListenerFixture f(limits);
  RawClient client = f.connect();
  client.send("GET /a HTTP/1.1\r\n");
  CHECK(client.is_closed());
}

TEST_CASE("A byte now and then does not move the header deadline") {
  ConnectionLimits limits;
  limits.header = std::chrono::milliseconds(50);
  ListenerFixture f(limits);
  RawClient slow = f.connect();
  RawClient other = f.connect();
  slow.send("GET /a HTTP/1.1\r\nX: ");
  std::size_t sent = 0;
  while (slow.send("x")) {
    ++sent;
    REQUIRE(other.ask(kGet).status == 200);
  }
  CHECK(sent < 60'000);  // it was the deadline, not the size
}

TEST_CASE("A client that never ends its body is cut off at the deadline") {
  ConnectionLimits limits;
  limits.body = std::chrono::milliseconds(30);
  ListenerFixture f(limits);
  RawClient client = f.connect();
  client.send("POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc");
  CHECK(client.is_closed());
}

TEST_CASE("A client that never reads its answer is cut off at the deadline") {
  ConnectionLimits limits;
  limits.write = std::chrono::milliseconds(50);
  ListenerFixture f(limits);
  RawClient slow(f.port, 4096);
  slow.send(kGetLarge);
  // Reading begins when a client that came later was cut off by the same deadline.
  RawClient later(f.port, 4096);
  later.send(kGetLarge);
  while (later.send("x")) {
  }
  CHECK(slow.read_to_end().size() < 32u * 1024 * 1024);
}

TEST_CASE("A connection that asks nothing more is closed when its idle time is over") {
  ConnectionLimits limits;
  limits.idle = std::chrono::milliseconds(30);
  ListenerFixture f(limits);
  RawClient silent = f.connect();
  CHECK(silent.is_closed());
  RawClient client = f.connect();
  CHECK(client.ask(kGet).status == 200);
  CHECK(client.is_closed());
}

TEST_CASE("At the limit a new connection takes the place of the one that waited longest") {
  ConnectionLimits limits;
  limits.connections = 3;
  ListenerFixture f(limits);
  RawClient first = f.connect();
  RawClient second = f.connect();
  RawClient third = f.connect();
  for (RawClient* client : {&first, &second, &third, &first}) REQUIRE(client->ask(kGet).status == 200);
  CHECK(f.ask(kGet).status == 200);
  CHECK(second.is_closed());
  CHECK(first.ask(kGet).status == 200);
}

TEST_CASE("Three hundred clients that never finish a request do not keep a further one out") {
  ListenerFixture f;
  std::vector<RawClient> slow;
  for (int i = 0; i < 300; ++i) {
    slow.push_back(f.connect());
    REQUIRE(slow.back().connected());
    slow.back().send("GET /a HTTP/1.1\r\nX: ");
  }
  CHECK(f.ask(kGet).status == 200);
}

TEST_CASE("Clients that vanish at any moment leave the listener serving") {
  ListenerFixture f;
  for (int i = 0; i < 100; ++i) {
    RawClient client = f.connect();
    if (i % 4 == 1) client.send("GET /a HT");
    if (i % 4 == 2) client.send(kGetLarge);
    if (i % 4 == 3) client.send(kGet);
    const linger at_once{1, 0};  // a reset instead of a farewell
    if (i % 8 < 4) ::setsockopt(client.fd(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  }
  CHECK(f.ask(kGet).status == 200);
}
