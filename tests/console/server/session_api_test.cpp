#include "console/server/session_api.hpp"

#include <catch2/catch.hpp>

#include "tests/console/server/console_fixture.hpp"

using namespace inlens::console;
using namespace inlens::console::test;
using nlohmann::json;

namespace {

constexpr const char* kSession = "/~inlens/api/session";
constexpr const char* kOverview = "/~inlens/api/overview";
constexpr std::int64_t kHourMs = 60 * 60 * 1000;

std::string once_body(const std::string& secret) {
  return json{{"once", secret}}.dump();
}

json body_of(const Answer& answer) {
  return json::parse(answer.body_view());
}

}  // namespace

TEST_CASE("The secret of a link opens a session for one browser, once") {
  ConsoleFixture f;
  const std::string secret = f.make_link_secret();
  const Answer answer = f.ask("POST", kSession, {{"Origin", kOwnOrigin}}, once_body(secret));
  REQUIRE(answer.status == 200);
  const json session = body_of(answer);
  CHECK(session.at("name") == "admin");
  CHECK(session.at("role") == "admin");
  CHECK(session.at("via") == "link");
  CHECK(session.at("csrf").get<std::string>().size() == 43);
  CHECK(session.at("expiresAtMs") == f.now.unix_ms + 12 * kHourMs);
  CHECK(session.size() == 5);

  const Answer again = f.ask("POST", kSession, {{"Origin", kOwnOrigin}}, once_body(secret));
  CHECK(again.status == 401);
  CHECK_FALSE(again.headers.find("Set-Cookie"));
}

TEST_CASE("The session cookie is out of reach for scripts, other sites and other consoles on this machine") {
  ConsoleFixture f;
  Request request = make_request("POST", kSession, {}, json{{"token", kToken}}.dump());
  const std::string plain(f.console.handle(request).headers.get("Set-Cookie"));
  CHECK(plain.starts_with("inlens_9790="));
  CHECK(plain.ends_with("; Path=/~inlens/; HttpOnly; SameSite=Strict; Max-Age=43200"));
  request.tls = true;
  CHECK(f.console.handle(request).headers.get("Set-Cookie").ends_with("; Secure"));
}

TEST_CASE("The token opens a session too, and a wrong one does not") {
  ConsoleFixture f;
  const Answer answer = f.ask("POST", kSession, {{"Origin", kOwnOrigin}}, json{{"token", kToken}}.dump());
  CHECK(answer.status == 200);
  CHECK(body_of(answer).at("via") == "token");
  CHECK(f.ask("POST", kSession, {{"Origin", kOwnOrigin}}, json{{"token", "wrong"}}.dump()).status == 401);
  CHECK(f.ask("POST", kSession, {{"Origin", kOwnOrigin}}, json{{"token", ""}}.dump()).status == 401);
}

TEST_CASE("Without a configured token the empty token opens nothing") {
  ConsoleOptions options;
  Console console(options, system_moment, nullptr);
  CHECK(console.handle(make_request("POST", kSession, {}, R"({"token":""})")).status == 401);
  CHECK(console.handle(make_request("GET", kOverview, {{"Authorization", "Bearer "}})).status == 401);
}

TEST_CASE("A sign-in caused by a foreign page is refused and spends nothing") {
  ConsoleFixture f;
  const std::string secret = f.make_link_secret();
  CHECK(f.ask("POST", kSession, {{"Origin", "http://evil.example"}}, once_body(secret)).status == 403);
  CHECK(f.ask("POST", kSession, {{"Origin", "http://127.0.0.1:8080"}}, once_body(secret)).status == 403);
  CHECK(f.ask("POST", kSession, {{"Sec-Fetch-Site", "cross-site"}}, once_body(secret)).status == 403);
  CHECK(f.ask("POST", kSession, {{"Host", "evil.example"}}, once_body(secret)).status == 403);
  CHECK(f.ask("GET", (std::string(kSession) + "?once=" + secret)).status == 401);
  CHECK(f.ask("POST", kSession, {{"Origin", kOwnOrigin}}, once_body(secret)).status == 200);
}

TEST_CASE("A sign-in whose body is something else is a bad request") {
  ConsoleFixture f;
  for (const char* body : {"", "{", "[]", "1", "{}", R"({"once":1})", R"({"once":"a","token":"b"})",
                           R"({"other":"a"})", "once=a", "\xff\xfe", R"({"once":["a"]})"})
    CHECK(f.ask("POST", kSession, {}, body).status == 400);
  CHECK(f.ask("POST", kSession, {}, std::string(1000, '[')).status == 400);
  CHECK(f.ask("POST", kSession, {}, std::string(5000, '[')).status == 413);
}

TEST_CASE("A cookie signs in its bearer until it is idle for an hour") {
  ConsoleFixture f;
  const auto session = f.sign_in();
  CHECK(f.ask("GET", kOverview, {{"Cookie", session.cookie}}).status == 200);
  f.now.steady_ms += kHourMs - 1;
  CHECK(f.ask("GET", kOverview, {{"Cookie", "a=b; " + session.cookie + "; c"}}).status == 200);
  f.now.steady_ms += kHourMs;
  CHECK(f.ask("GET", kOverview, {{"Cookie", session.cookie}}).status == 401);
}

TEST_CASE("The session tells who is signed in, by cookie or by token") {
  ConsoleFixture f;
  CHECK(f.ask("GET", kSession).status == 401);
  const auto session = f.sign_in();
  f.now.steady_ms += 5000;
  f.now.unix_ms += 5000;
  const json by_cookie = body_of(f.ask("GET", kSession, {{"Cookie", session.cookie}}));
  CHECK(by_cookie.at("via") == "cookie");
  CHECK(by_cookie.at("csrf") == session.csrf);
  CHECK(by_cookie.at("expiresAtMs") == f.now.unix_ms - 5000 + 12 * kHourMs);
  const json by_token = body_of(f.ask("GET", kSession, {{"Authorization", kBearer}}));
  CHECK(by_token.at("via") == "token");
  CHECK(by_token.at("csrf") == "");
  CHECK(by_token.at("expiresAtMs").is_null());
}

TEST_CASE("Signing out needs the CSRF token, ends the session and clears the cookie") {
  ConsoleFixture f;
  const auto session = f.sign_in();
  CHECK(f.ask("DELETE", kSession, {{"Cookie", session.cookie}, {"Origin", kOwnOrigin}}).status == 403);
  const Answer answer =
      f.ask("DELETE", kSession,
            {{"Cookie", session.cookie}, {"Origin", kOwnOrigin}, {"X-Inlens-Csrf", session.csrf}});
  CHECK(answer.status == 204);
  CHECK(answer.headers.get("Set-Cookie").starts_with("inlens_9790=; "));
  CHECK(answer.headers.get("Set-Cookie").find("Max-Age=0") != std::string_view::npos);
  CHECK(f.ask("GET", kOverview, {{"Cookie", session.cookie}}).status == 401);
  CHECK(f.ask("DELETE", kSession, {{"Origin", kOwnOrigin}}).status == 401);
}

TEST_CASE("A change made with a cookie needs the page's Origin and the CSRF token") {
  ConsoleFixture f;
  const auto session = f.sign_in();
  const auto status = [&](Fields fields) { return f.ask("PUT", "/~inlens/api/settings/a", fields).status; };
  const std::string_view cookie = session.cookie;
  CHECK(status({{"Cookie", cookie}}) == 403);
  CHECK(status({{"Cookie", cookie}, {"X-Inlens-Csrf", session.csrf}}) == 403);
  CHECK(status({{"Cookie", cookie}, {"Origin", kOwnOrigin}}) == 403);
  CHECK(status({{"Cookie", cookie}, {"Origin", kOwnOrigin}, {"X-Inlens-Csrf", "wrong"}}) == 403);
  CHECK(status({{"Cookie", cookie}, {"Origin", "http://evil.example"}, {"X-Inlens-Csrf", session.csrf}}) ==
        403);
  CHECK(status({{"Cookie", cookie},
                {"Origin", kOwnOrigin},
                {"X-Inlens-Csrf", session.csrf},
                {"Sec-Fetch-Site", "cross-site"}}) == 403);
  CHECK(status({{"Cookie", cookie}, {"Origin", kOwnOrigin}, {"X-Inlens-Csrf", session.csrf}}) == 200);
}

TEST_CASE("A change made with the token needs no Origin, but a foreign one is refused") {
  ConsoleFixture f;
  const char* target = "/~inlens/api/settings/a";
  CHECK(f.ask("PUT", target, {{"Authorization", kBearer}}).status == 200);
  CHECK(f.ask("PUT", target, {{"Authorization", kBearer}, {"Origin", kOwnOrigin}}).status == 200);
  CHECK(f.ask("PUT", target, {{"Authorization", kBearer}, {"Origin", "null"}}).status == 403);
  CHECK(f.ask("PUT", target, {{"Authorization", kBearer}, {"Sec-Fetch-Site", "cross-site"}}).status == 403);
}

TEST_CASE("A wrong token is refused even beside a good cookie") {
  ConsoleFixture f;
  const auto session = f.sign_in();
  for (const char* wrong : {"Bearer wrong", "Basic YTpi", "", "Bearer", "Bearer a token for tests and more"})
    CHECK(f.ask("GET", kOverview, {{"Cookie", session.cookie}, {"Authorization", wrong}}).status == 401);
  CHECK(f.ask("GET", kOverview, {{"Authorization", kBearer}, {"Authorization", kBearer}}).status == 401);
  const Answer refused = f.ask("GET", kOverview, {{"Authorization", "Bearer wrong"}});
  CHECK(refused.headers.get("WWW-Authenticate") == "Bearer");
  CHECK(f.ask("GET", kOverview, {{"Authorization", "bearer a token for tests"}}).status == 200);
}

TEST_CASE("After ten failed sign-ins in a minute an address is locked out, while its sessions go on") {
  ConsoleFixture f;
  const auto session = f.sign_in();
  const auto try_wrong = [&] { return f.ask("POST", kSession, {}, R"({"token":"wrong"})").status; };
  for (int i = 0; i < 10; ++i) CHECK(try_wrong() == 401);
  const Answer locked = f.ask("POST", kSession, {}, json{{"token", kToken}}.dump());
  CHECK(locked.status == 429);
  CHECK(body_of(locked).at("error").at("code") == "lockedOut");
  CHECK(locked.headers.get("Retry-After") == "60");
  CHECK(f.ask("GET", kOverview, {{"Cookie", session.cookie}}).status == 200);
  CHECK(f.ask("GET", kOverview, {{"Authorization", kBearer}}).status == 200);

  Request elsewhere = make_request("POST", kSession, {}, json{{"token", kToken}}.dump());
  elsewhere.peer_address = "10.0.0.9";
  CHECK(f.console.handle(elsewhere).status == 200);

  f.now.steady_ms += 60'000;
  CHECK(f.ask("POST", kSession, {}, json{{"token", kToken}}.dump()).status == 200);
}

TEST_CASE("Guessing the token in headers ends in a lock as well") {
  ConsoleFixture f;
  for (int i = 0; i < 60; ++i)
    CHECK(f.ask("GET", kOverview, {{"Authorization", "Bearer wrong"}}).status == 401);
  CHECK(f.ask("GET", kOverview, {{"Authorization", kBearer}}).status == 429);
  f.now.steady_ms += 60'000;
  CHECK(f.ask("GET", kOverview, {{"Authorization", kBearer}}).status == 200);
}
