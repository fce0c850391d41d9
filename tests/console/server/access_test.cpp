#include "console/server/access.hpp"

#include <catch2/catch.hpp>

#include "tests/console/server/requests.hpp"

using namespace inlens::console;
using inlens::console::test::make_request;

namespace {

const AccessPolicy kPolicy("127.0.0.1", {});

Denial host_denial(std::string_view host, const AccessPolicy& policy = kPolicy) {
  return policy.check_host(make_request("GET", "/", {{"Host", host}}));
}

}  // namespace

TEST_CASE("The loopback names are accepted as Host with any port") {
  for (const char* host : {"127.0.0.1", "127.0.0.1:9790", "localhost:1", "LOCALHOST", "[::1]", "[::1]:65535"})
    CHECK(host_denial(host) == Denial::kNone);
}

TEST_CASE("A Host that is not ours is foreign, whatever it resembles") {
  for (const char* host : {"evil.example", "localhost.evil.example", "127.0.0.1.evil.example:9790",
                           "127.0.0.1@evil.example", "[::2]", "::1", "localhost:", "localhost:port",
                           "localhost:123456", "[::1", "[::1]x", "", "local host", "0.0.0.0", "localhost."})
    CHECK(host_denial(host) == Denial::kForeignHost);
}

TEST_CASE("A missing Host and a second Host are refused") {
  CHECK(host_denial("-") == Denial::kNoHost);
  CHECK(kPolicy.check_host(make_request("GET", "/", {{"Host", "localhost"}, {"Host", "localhost"}})) ==
        Denial::kNoHost);
}

TEST_CASE("The bound address and configured names are accepted as Host") {
  const AccessPolicy policy("10.0.0.7", {"Shop.Example", "admin.example:8443"});
  for (const char* host : {"10.0.0.7:9790", "shop.example", "SHOP.example:80", "admin.example", "localhost"})
    CHECK(host_denial(host, policy) == Denial::kNone);
  CHECK(host_denial("10.0.0.8", policy) == Denial::kForeignHost);
}

TEST_CASE("The unspecified address is no name for the console even when it is bound to it") {
  CHECK(host_denial("0.0.0.0:9790", AccessPolicy("0.0.0.0", {})) == Denial::kForeignHost);
  CHECK(host_denial("[::]:9790", AccessPolicy("::", {})) == Denial::kForeignHost);
}

TEST_CASE("An Origin is ours only with the same host and port") {
  const auto denial = [](std::string_view origin, std::string_view host) {
    return kPolicy.check_read(make_request("GET", "/", {{"Host", host}, {"Origin", origin}}));
  };
  CHECK(denial("http://127.0.0.1:9790", "127.0.0.1:9790") == Denial::kNone);
  CHECK(denial("http://[::1]:9790", "[::1]:9790") == Denial::kNone);
  CHECK(denial("http://localhost", "localhost:80") == Denial::kNone);
  CHECK(denial("https://localhost", "localhost") == Denial::kNone);  // behind a proxy that speaks TLS
  for (const char* origin :
       {"http://127.0.0.1:8080", "http://localhost:9790", "http://127.0.0.1", "null", "", "http://",
        "127.0.0.1:9790", "ftp://127.0.0.1:9790", "http://127.0.0.1:9790/path"})
    CHECK(denial(origin, "127.0.0.1:9790") == Denial::kForeignOrigin);
}

TEST_CASE("Over TLS a plain http Origin is foreign") {
  Request request = make_request("GET", "/", {{"Host", "localhost"}, {"Origin", "http://localhost"}});
  CHECK(kPolicy.check_read(request) == Denial::kNone);
  request.tls = true;
  CHECK(kPolicy.check_read(request) == Denial::kForeignOrigin);
}

TEST_CASE("Two Origins are refused") {
  CHECK(kPolicy.check_read(make_request(
            "GET", "/", {{"Origin", "http://127.0.0.1:9790"}, {"Origin", "http://127.0.0.1:9790"}})) ==
        Denial::kForeignOrigin);
}

TEST_CASE("What the browser calls cross-site or same-site gets no data") {
  for (const char* site : {"cross-site", "same-site", "anything"})
    CHECK(kPolicy.check_read(make_request("GET", "/", {{"Sec-Fetch-Site", site}})) == Denial::kForeignOrigin);
  for (const char* site : {"same-origin", "none"})
    CHECK(kPolicy.check_read(make_request("GET", "/", {{"Sec-Fetch-Site", site}})) == Denial::kNone);
}

TEST_CASE("A change needs an Origin where one is required") {
  CHECK(kPolicy.check_change(make_request("POST", "/"), true) == Denial::kForeignOrigin);
  CHECK(kPolicy.check_change(make_request("POST", "/"), false) == Denial::kNone);
  CHECK(kPolicy.check_change(make_request("POST", "/", {{"Origin", "http://127.0.0.1:9790"}}), true) ==
        Denial::kNone);
  CHECK(kPolicy.check_change(make_request("POST", "/", {{"Origin", "http://evil.example"}}), false) ==
        Denial::kForeignOrigin);
}

TEST_CASE("A local caller has a loopback address and names a loopback Host") {
  const auto is_local = [](std::string_view peer, std::string_view host) {
    Request request = make_request("GET", "/", {{"Host", host}});
    request.peer_address = peer;
    return AccessPolicy::is_local_caller(request);
  };
  CHECK(is_local("127.0.0.1", "localhost:8080"));
  CHECK(is_local("127.9.9.9", "127.0.0.1"));
  CHECK(is_local("::1", "[::1]:8080"));
  CHECK(is_local("::ffff:127.0.0.1", "localhost"));
  CHECK_FALSE(is_local("10.0.0.1", "localhost"));
  CHECK_FALSE(is_local("", "localhost"));
  CHECK_FALSE(is_local("127.0.0.1", "shop.example"));
  CHECK_FALSE(is_local("127.0.0.1", "-"));
  CHECK_FALSE(is_local("::ffff:10.0.0.1", "localhost"));
}

TEST_CASE("A caller behind a proxy on this machine is not local") {
  for (const char* name : {"X-Forwarded-For", "Forwarded", "x-real-ip", "Via"})
    CHECK_FALSE(AccessPolicy::is_local_caller(make_request("GET", "/", {{name, "127.0.0.1"}})));
}
