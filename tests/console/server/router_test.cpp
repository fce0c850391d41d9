#include "console/server/router.hpp"

#include <catch2/catch.hpp>

#include "tests/console/server/console_fixture.hpp"

using namespace inlens::console;
using namespace inlens::console::test;
using nlohmann::json;

namespace {

std::string code_of(const Answer& answer) {
  return json::parse(answer.body_view()).at("error").at("code");
}

}  // namespace

TEST_CASE("The pages' shell is one static file for every page, without a session") {
  ConsoleFixture f;
  for (const char* target :
       {"/~inlens/", "/~inlens/overview", "/~inlens/requests", "/~inlens/requests?status=5xx",
        "/~inlens/inflight", "/~inlens/issues", "/~inlens/queries", "/~inlens/reports", "/~inlens/agent",
        "/~inlens/settings", "/~inlens/login"}) {
    const Answer answer = f.ask("GET", target);
    CHECK(answer.status == 200);
    CHECK(text_of(answer) == "<!doctype html><title>shell</title>");
    CHECK(answer.headers.get("Cache-Control") == "no-cache");
  }
  CHECK(f.ask("GET", "/~inlens/nothing").status == 404);
  CHECK(f.ask("GET", "/~inlens/index.html").status == 404);
}

TEST_CASE("An address below a page leads to the place behind the shell's fragment") {
  ConsoleFixture f;
  const auto location = [&](std::string_view target) {
    return std::string(f.ask("GET", target).headers.get("Location"));
  };
  CHECK(f.ask("GET", "/~inlens/requests/0af1").status == 302);
  CHECK(location("/~inlens/requests/0af1?tab=sql") == "/~inlens/#/requests/0af1?tab=sql");
  CHECK(location("/~inlens/requests/0af1?a\r\nSet-Cookie: b") == "/~inlens/#/requests/0af1");
  CHECK(f.ask("POST", "/~inlens/requests/0af1").status == 404);
}

TEST_CASE("A host's page knows who is signed in by the bar's cookie alone, which opens nothing else") {
  ConsoleFixture f;
  const auto session = f.sign_in();
  const auto shown = [&](Fields fields) {
    return f.console.shows_bar(make_request("GET", "/products", fields));
  };
  CHECK(shown({{"Cookie", "theme=dark; " + session.bar_cookie}}));
  CHECK_FALSE(shown({{"Cookie", session.cookie}}));
  CHECK_FALSE(shown({{"Cookie", "inlens_bar_9790=guess"}}));
  CHECK_FALSE(shown({{"Authorization", kBearer}}));
  CHECK(f.ask("GET", "/~inlens/api/overview", {{"Cookie", session.bar_cookie}}).status == 401);
  const std::string value = session.bar_cookie.substr(session.bar_cookie.find('=') + 1);
  CHECK(f.ask("GET", "/~inlens/api/overview", {{"Cookie", "inlens_9790=" + value}}).status == 401);
}

TEST_CASE("Signing out takes the bar away too") {
  ConsoleFixture f;
  const auto session = f.sign_in();
  const Fields fields = {{"Cookie", session.cookie}, {"Origin", kOwnOrigin}, {"X-Inlens-Csrf", session.csrf}};
  CHECK(f.ask("DELETE", "/~inlens/api/session", fields).status == 204);
  CHECK_FALSE(f.console.shows_bar(make_request("GET", "/products", {{"Cookie", session.bar_cookie}})));
}

TEST_CASE("A host's own Authorization on its pages is neither tried nor counted") {
  ConsoleFixture f;
  for (int i = 0; i < 100; ++i) {
    f.console.shows_bar(make_request("GET", "/products", Fields{{"Authorization", "Basic YTpi"}}));
  }
  CHECK(f.ask("GET", "/~inlens/api/overview", {{"Authorization", kBearer}}).status == 200);
}

TEST_CASE("Who may read the bar's data can be changed while serving") {
  ConsoleFixture f;
  CHECK(f.ask("GET", "/~inlens/bar/data/1").status == 401);
  f.console.set_bar_allow(BarAllow::kLoopback);
  CHECK(f.ask("GET", "/~inlens/bar/data/1").status == 200);
  f.console.set_bar_allow(BarAllow::kNobody);
  CHECK(f.ask("GET", "/~inlens/bar/data/1").status == 401);
}

TEST_CASE("The entrance leads to the console on its own port only") {
  ConsoleFixture f;
  const Answer answer = f.ask("GET", "/");
  CHECK(answer.status == 302);
  CHECK(answer.headers.get("Location") == "/~inlens/");
  CHECK(f.ask("GET", "/~inlens").status == 302);
  Request mounted = make_request("GET", "/");
  mounted.transport = Transport::kMounted;
  CHECK(f.console.handle(mounted).status == 404);
}

TEST_CASE("Files of console and bar need no session") {
  ConsoleFixture f;
  CHECK(text_of(f.ask("GET", "/~inlens/assets/app-1.js")) == "app()");
  CHECK(text_of(f.ask("GET", "/~inlens/bar/loader.js")) == "bar()");
  CHECK(f.ask("GET", "/~inlens/assets/").status == 404);
  CHECK(f.ask("GET", "/~inlens/bar/data").status == 404);
}

TEST_CASE("Every answer carries the security headers and its length") {
  ConsoleFixture f;
  for (const char* target :
       {"/", "/~inlens/", "/~inlens/assets/app-1.js", "/~inlens/api/overview", "/nothing", "/.."}) {
    const Answer answer = f.ask("GET", target);
    CHECK(
        answer.headers.get("Content-Security-Policy") ==
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'");
    CHECK(answer.headers.get("X-Content-Type-Options") == "nosniff");
    CHECK(answer.headers.get("Referrer-Policy") == "no-referrer");
    CHECK(answer.headers.get("Cross-Origin-Resource-Policy") == "same-origin");
    CHECK(answer.headers.count("Cache-Control") == 1);
    CHECK(answer.headers.get("Content-Length") == std::to_string(text_of(answer).size()));
  }
}

TEST_CASE("Data is never stored by caches") {
  ConsoleFixture f;
  CHECK(f.ask("GET", "/~inlens/api/overview", {{"Authorization", kBearer}}).headers.get("Cache-Control") ==
        "no-store");
  CHECK(f.ask("GET", "/~inlens/api/overview").headers.get("Cache-Control") == "no-store");
}

TEST_CASE("The API answers nobody without a credential, and does not tell what exists") {
  ConsoleFixture f;
  for (const char* target :
       {"/~inlens/api/overview", "/~inlens/api/requests/1", "/~inlens/api/nothing", "/~inlens/api/"})
    for (const char* method : {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get", ""})
      CHECK(f.ask(method, target).status == 401);
  CHECK(code_of(f.ask("GET", "/~inlens/api/overview")) == "unauthorized");
}

TEST_CASE("A registered handler sees the parameter of its path") {
  ConsoleFixture f;
  const auto body = [&](const char* method, const char* target) {
    return text_of(f.ask(method, target, {{"Authorization", kBearer}}));
  };
  CHECK(body("GET", "/~inlens/api/requests/0af1?x=1") == R"({"ok":"0af1"})");
  CHECK(body("POST", "/~inlens/api/issues/overflow/resolve") == R"({"ok":"overflow"})");
  CHECK(body("PUT", "/~inlens/api/settings/collect.level") == R"({"ok":"collect.level"})");
  CHECK(body("GET", "/~inlens/api/overview") == R"({"ok":""})");
}

TEST_CASE("An unknown API address is not found, a wrong method names the right ones") {
  ConsoleFixture f;
  const auto ask = [&](const char* method, const char* target) {
    return f.ask(method, target, {{"Authorization", kBearer}});
  };
  for (const char* target : {"/~inlens/api/nothing", "/~inlens/api/requests/", "/~inlens/api/requests/a/b",
                             "/~inlens/api/overview/", "/~inlens/api/issues//resolve"})
    CHECK(ask("GET", target).status != 200);
  CHECK(code_of(ask("GET", "/~inlens/api/nothing")) == "notFound");
  const Answer wrong = ask("DELETE", "/~inlens/api/settings/a");
  CHECK(wrong.status == 405);
  CHECK(wrong.headers.get("Allow") == "GET, HEAD, PUT");
  CHECK(code_of(wrong) == "methodNotAllowed");
  CHECK(ask("OPTIONS", "/~inlens/api/overview").status == 405);
}

TEST_CASE("HEAD is GET without the body") {
  ConsoleFixture f;
  const Answer get = f.ask("GET", "/~inlens/api/overview", {{"Authorization", kBearer}});
  const Answer head = f.ask("HEAD", "/~inlens/api/overview", {{"Authorization", kBearer}});
  CHECK(head.status == 200);
  CHECK(text_of(head).empty());
  CHECK(head.headers.get("Content-Length") == get.headers.get("Content-Length"));
  CHECK(get.headers.get("Content-Length") == "9");
}

TEST_CASE("Addresses that would need cleaning are refused on every path") {
  ConsoleFixture f;
  for (const char* target :
       {"", "*", "/~inlens/../etc", "/~inlens/assets/../index.html", "/~inlens/assets/%2e%2e/x",
        "/~inlens/assets%2fapp-1.js", "/~inlens//api/overview", "/~inlens/api/\\overview",
        "http://127.0.0.1/~inlens/", "/~inlens/api/./overview"})
    CHECK(f.ask("GET", target, {{"Authorization", kBearer}}).status == 400);
  CHECK(f.ask("GET", std::string("/~inlens/\0/", 11)).status == 400);
  CHECK(f.ask("GET", "/~inlens/" + std::string(100'000, 'a')).status == 400);
}

TEST_CASE("A foreign Host gets nothing, not even files") {
  ConsoleFixture f;
  for (const char* target :
       {"/", "/~inlens/", "/~inlens/assets/app-1.js", "/~inlens/api/overview", "/~inlens/bar/data/1"}) {
    const Answer answer = f.ask("GET", target, {{"Host", "evil.example"}, {"Authorization", kBearer}});
    CHECK(answer.status == 403);
    CHECK(code_of(answer) == "forbidden");
    CHECK(f.ask("GET", target, {{"Host", "-"}, {"Authorization", kBearer}}).status == 400);
  }
}

TEST_CASE("A handler that throws becomes an answer without its details") {
  ConsoleFixture f;
  const Answer answer = f.ask("GET", "/~inlens/api/broken", {{"Authorization", kBearer}});
  CHECK(answer.status == 500);
  CHECK(code_of(answer) == "internal");
  CHECK(text_of(answer).find("secret detail") == std::string::npos);
}

TEST_CASE("Bar data needs a credential unless the bar is allowed to local callers") {
  ConsoleFixture nobody;
  CHECK(nobody.ask("GET", "/~inlens/bar/data/1").status == 401);
  CHECK(nobody.ask("GET", "/~inlens/bar/data/1", {{"Authorization", kBearer}}).status == 200);
  const auto session = nobody.sign_in();
  CHECK(nobody.ask("GET", "/~inlens/bar/data/1", {{"Cookie", session.cookie}}).status == 200);

  ConsoleFixture local(BarAllow::kLoopback);
  CHECK(text_of(local.ask("GET", "/~inlens/bar/data/1")) == R"({"ok":"1"})");
  CHECK(local.ask("GET", "/~inlens/bar/data/1", {{"Sec-Fetch-Site", "same-origin"}}).status == 200);
  CHECK(local.ask("GET", "/~inlens/api/overview").status == 401);
}

TEST_CASE("Bar data for local callers goes to no foreign page, proxy or address") {
  ConsoleFixture f(BarAllow::kLoopback);
  const char* target = "/~inlens/bar/data/1";
  CHECK(f.ask("GET", target, {{"Origin", "http://evil.example"}}).status == 401);
  CHECK(f.ask("GET", target, {{"Sec-Fetch-Site", "cross-site"}}).status == 401);
  CHECK(f.ask("GET", target, {{"X-Forwarded-For", "127.0.0.1"}}).status == 401);
  CHECK(f.ask("POST", target).status == 401);
  Request elsewhere = make_request("GET", target);
  elsewhere.peer_address = "10.0.0.9";
  CHECK(f.console.handle(elsewhere).status == 401);
  elsewhere.peer_address = "";
  CHECK(f.console.handle(elsewhere).status == 401);
}

TEST_CASE("Reading changes nothing: a link is spent by no GET") {
  ConsoleFixture f;
  const std::string secret = f.make_link_secret();
  for (const char* method : {"GET", "HEAD"}) {
    f.ask(method, "/~inlens/login?once=" + secret);
    f.ask(method, "/~inlens/api/session", {{"Authorization", kBearer}}, "{\"once\":\"" + secret + "\"}");
  }
  CHECK(f.ask("POST", "/~inlens/api/session", {}, "{\"once\":\"" + secret + "\"}").status == 200);
}
