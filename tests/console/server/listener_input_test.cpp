// What clients may send to the console's listener, well-formed and otherwise.
#include <catch2/catch.hpp>

#include "agent/config/json.hpp"
#include "tests/console/server/console_fixture.hpp"
#include "tests/console/server/listener_fixture.hpp"

using namespace inlens::console;
using namespace inlens::console::test;

namespace {

std::string code_of(const RawAnswer& answer) {
  return nlohmann::json::parse(answer.body).at("error").at("code").get<std::string>();
}

std::string post(std::size_t announced_bytes, std::string_view more_headers = "") {
  return "POST /p HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + std::to_string(announced_bytes) +
         "\r\n" + std::string(more_headers) + "\r\n";
}

}  // namespace

TEST_CASE("One connection serves one request after another") {
  ListenerFixture f;
  RawClient client = f.connect();
  for (int i = 0; i < 5; ++i) CHECK(client.ask(kGet).body == "GET /a 0");
  client.send(post(3));
  CHECK(client.ask("abc").body == "POST /p 3");
  CHECK(client.ask(kGet).body == "GET /a 0");
}

TEST_CASE("Requests sent at once are answered in their order") {
  ListenerFixture f;
  RawClient client = f.connect();
  std::string all;
  for (int i = 0; i < 100; ++i) all += "GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  client.send(all);
  for (int i = 0; i < 100; ++i) REQUIRE(client.read_answer().body == "GET /" + std::to_string(i) + " 0");
}

TEST_CASE("Connection: close and HTTP/1.0 end the connection after the answer") {
  ListenerFixture f;
  for (const char* text : {"GET /a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                           "GET /a HTTP/1.0\r\nHost: localhost\r\n\r\n"}) {
    RawClient client = f.connect();
    CHECK(client.ask(text).body == "GET /a 0");
    CHECK(client.is_closed());
  }
}

TEST_CASE("An answer to HEAD has no body and the connection stays in step") {
  ListenerFixture f;
  RawClient client = f.connect();
  client.send("HEAD /a HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const RawAnswer head = client.read_answer(false);
  CHECK(head.status == 200);
  CHECK(head.head.find("Content-Length: 9\r\n") != std::string::npos);
  CHECK(client.ask(kGet).body == "GET /a 0");
}

TEST_CASE("Headers beyond 64 KB are refused and the connection ends") {
  ListenerFixture f;
  RawClient client = f.connect();
  client.send("GET /a HTTP/1.1\r\nHost: localhost\r\nX: " + std::string(70'000, 'x') + "\r\n\r\n");
  const RawAnswer answer = client.read_answer();
  CHECK(answer.status == 431);
  CHECK(code_of(answer) == "tooLarge");
  CHECK(answer.head.find("Content-Security-Policy: ") != std::string::npos);
  CHECK(f.ask("GET /" + std::string(100'000, 'x') + " HTTP/1.1\r\nHost: localhost\r\n\r\n").status == 431);
}

TEST_CASE("Headers of 60 KB are read") {
  ListenerFixture f;
  CHECK(f.ask("GET /a HTTP/1.1\r\nHost: localhost\r\nX: " + std::string(60'000, 'x') + "\r\n\r\n").status ==
        200);
}

TEST_CASE("A body of 1 MB is read, one byte more is refused") {
  ListenerFixture f;
  const std::size_t megabyte = 1024 * 1024;
  CHECK(f.ask(post(megabyte) + std::string(megabyte, 'x')).body == "POST /p 1048576");
  const RawAnswer answer = f.ask(post(megabyte + 1));
  CHECK(answer.status == 413);
  CHECK(code_of(answer) == "tooLarge");
}

TEST_CASE("A client that sends all of its oversized body still reads the refusal") {
  ListenerFixture f;
  RawClient client = f.connect();
  client.send(post(3'000'000));
  client.send(std::string(3'000'000, 'x'));
  CHECK(client.read_answer().status == 413);
}

TEST_CASE("A body in chunks is read up to 1 MB") {
  ListenerFixture f;
  const std::string head = "POST /p HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
  CHECK(f.ask(head + "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n").body == "POST /p 5");
  RawClient client = f.connect();
  client.send(head);
  const std::string chunk = "10000\r\n" + std::string(0x10000, 'x') + "\r\n";
  for (int i = 0; i < 17; ++i) client.send(chunk);
  CHECK(client.read_answer().status == 413);
}

TEST_CASE("Too many large bodies at once are refused, and their room is given back") {
  ConnectionLimits limits;
  limits.all_bodies_bytes = 1000;
  ListenerFixture f(limits);
  RawClient first = f.connect();
  first.send(post(600, "Expect: 100-continue\r\n"));
  CHECK(first.read_answer().head.starts_with("HTTP/1.1 100 Continue"));
  const RawAnswer refused = f.ask(post(600));
  CHECK(refused.status == 503);
  CHECK(code_of(refused) == "unavailable");
  CHECK(f.ask(post(300) + std::string(300, 'x')).status == 200);
  CHECK(first.ask(std::string(600, 'x')).body == "POST /p 600");
  CHECK(f.ask(post(600) + std::string(600, 'x')).status == 200);
}

TEST_CASE("A client that asks before it sends a body is told to go on") {
  ListenerFixture f;
  RawClient client = f.connect();
  client.send(post(4, "Expect: 100-continue\r\n"));
  CHECK(client.read_answer().head.starts_with("HTTP/1.1 100 Continue"));
  CHECK(client.ask("abcd").body == "POST /p 4");
}

TEST_CASE("What is no HTTP/1 is answered with 400 and the next client is served") {
  ListenerFixture f;
  for (const std::string& text : {
           std::string("GET /\r\n\r\n"),  // HTTP/0.9
           std::string("GET /\r\n"),
           std::string("GET / HTTP/2.0\r\n\r\n"),
           std::string("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
           std::string("GET / HTTP/1.1\r\nno colon\r\n\r\n"),
           std::string("GET / HTTP/1.1\r\n: no name\r\n\r\n"),
           std::string("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n"),
           std::string("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\n"),
           std::string("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
           std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11),  // TLS
           std::string("\0\0\0\0", 4),
           std::string(1000, '\xff'),
           std::string("G\0T / HTTP/1.1\r\n\r\n", 18),
       }) {
    INFO(text);
    CHECK(f.ask(text).status == 400);
    CHECK(f.ask(kGet).status == 200);
  }
}

TEST_CASE("A request that ends in its middle is answered or closed, never waited for") {
  ListenerFixture f;
  for (const char* text :
       {"", "G", "GET /", "GET / HTTP/1.1\r\nHost: loc", "GET / HTTP/1.1\r\nHost: localhost\r\n",
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc"}) {
    RawClient client = f.connect();
    client.send(text);
    client.end_sending();
    const std::string all = client.read_to_end();
    CHECK((all.empty() || all.starts_with("HTTP/1.1 400 ")));
  }
  CHECK(f.ask(kGet).status == 200);
}

TEST_CASE("A handler that throws anything becomes a 500 and the connection goes on") {
  ListenerFixture f;
  RawClient client = f.connect();
  const RawAnswer answer = client.ask("GET /throw HTTP/1.1\r\nHost: localhost\r\n\r\n");
  CHECK(answer.status == 500);
  CHECK(code_of(answer) == "internal");
  CHECK(client.ask(kGet).status == 200);
}

TEST_CASE("Requests without Host are refused by the console, in HTTP/1.0 as in 1.1") {
  const auto console = std::make_shared<ConsoleFixture>();
  ListenerFixture f({}, [console](const Request& request) { return console->console.handle(request); });
  CHECK(f.ask("GET /~inlens/ HTTP/1.0\r\n\r\n").status == 400);
  CHECK(f.ask("GET /~inlens/ HTTP/1.1\r\n\r\n").status == 400);
  CHECK(f.ask("GET /~inlens/ HTTP/1.0\r\nHost: localhost\r\n\r\n").status == 200);
  CHECK(f.ask("GET /~inlens/ HTTP/1.1\r\nHost: a\r\nHost: localhost\r\n\r\n").status == 400);
}

TEST_CASE("Each request of a connection is checked for itself") {
  const auto console = std::make_shared<ConsoleFixture>();
  ListenerFixture f({}, [console](const Request& request) { return console->console.handle(request); });
  const std::string host = "Host: 127.0.0.1:" + std::to_string(f.port) + "\r\n";
  const std::string bearer = "Authorization: " + std::string(kBearer) + "\r\n";
  const std::string put = "PUT /~inlens/api/settings/a HTTP/1.1\r\nContent-Length: 0\r\n";
  RawClient client = f.connect();
  CHECK(client.ask("GET /~inlens/api/overview HTTP/1.1\r\n" + host + bearer + "\r\n").status == 200);
  CHECK(client.ask(put + host + "\r\n").status == 401);
  CHECK(client.ask(put + host + "Authorization: Bearer wrong\r\n\r\n").status == 401);
  CHECK(client.ask(put + host + bearer + "Origin: http://evil.example\r\n\r\n").status == 403);
  CHECK(client.ask(put + "Host: evil.example\r\n" + bearer + "\r\n").status == 403);
  CHECK(client.ask("GET /~inlens/api/overview HTTP/1.1\r\n" + host + "\r\n").status == 401);
  CHECK(client.ask(put + host + bearer + "\r\n").status == 200);
}

TEST_CASE("The handler learns the peer's address and that the request came on the own listener") {
  ListenerFixture f({}, [](const Request& request) {
    Answer answer;
    answer.body = request.peer_address + (request.transport == Transport::kOwnListener ? " own" : " mounted");
    return answer;
  });
  CHECK(f.ask(kGet).body == "127.0.0.1 own");
}
