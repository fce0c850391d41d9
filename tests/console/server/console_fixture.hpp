// A console with a token, two files and a few handlers, and a clock that the test moves.
#pragma once

#include <string>

#include "agent/config/json.hpp"
#include "console/server/answers.hpp"
#include "console/server/router.hpp"
#include "tests/console/server/requests.hpp"

namespace inlens::console::test {

inline constexpr const char* kToken = "a token for tests";
inline constexpr const char* kBearer = "Bearer a token for tests";
inline constexpr const char* kOwnOrigin = "http://127.0.0.1:9790";

inline ConsoleOptions console_options(BarAllow bar_allow) {
  ConsoleOptions options;
  options.gate.token = kToken;
  options.gate.bound_address = "127.0.0.1";
  options.gate.port = 9790;
  options.gate.bar_allow = bar_allow;
  options.files = {
      {"index.html", "text/html; charset=utf-8", "<!doctype html><title>shell</title>", "", "i1", false},
      {"assets/app-1.js", "text/javascript", "app()", "", "a1", true},
      {"bar/loader.js", "text/javascript", "bar()", "", "b1", false}};
  return options;
}

struct ConsoleFixture {
  Moment now{1'000'000, 1'700'000'000'000};
  Console console;

  explicit ConsoleFixture(BarAllow bar_allow = BarAllow::kNobody)
      : console(
            console_options(bar_allow), [this] { return now; }, nullptr) {
    const auto ok = [](const Request& request, const Identity&) {
      return json_answer(200, "{\"ok\":\"" + request.parameter + "\"}");
    };
    console.add_route("GET", "/api/overview", ok);
    console.add_route("GET", "/api/requests/{id}", ok);
    console.add_route("POST", "/api/issues/{id}/resolve", ok);
    console.add_route("GET", "/api/settings/{key}", ok);
    console.add_route("PUT", "/api/settings/{key}", ok);
    console.add_route("GET", "/bar/data/{id}", ok);
    console.add_route("GET", "/api/broken", [](const Request&, const Identity&) -> Answer {
      throw std::runtime_error("secret detail");
    });
  }

  Answer ask(std::string_view method, std::string_view target, Fields fields = {},
             std::string_view body = "") {
    return console.handle(make_request(method, target, fields, body));
  }

  // What stands behind '#once=' in a new link.
  std::string make_link_secret() {
    return console.make_sign_in_path().value().substr(sizeof "/~inlens/#once=" - 1);
  }

  struct SignedIn {
    std::string cookie;  // "inlens_9790=…"
    std::string csrf;
    std::string bar_cookie;  // "inlens_bar_9790=…"
  };
  SignedIn sign_in() {
    const Answer answer = ask("POST", "/~inlens/api/session", {{"Origin", kOwnOrigin}},
                              "{\"once\":\"" + make_link_secret() + "\"}");
    SignedIn signed_in;
    for (const Header& header : answer.headers) {
      if (header.name != "Set-Cookie") continue;
      const std::string cookie = header.value.substr(0, header.value.find(';'));
      (cookie.starts_with("inlens_bar_") ? signed_in.bar_cookie : signed_in.cookie) = cookie;
    }
    signed_in.csrf = nlohmann::json::parse(answer.body_view()).at("csrf");
    return signed_in;
  }
};

}  // namespace inlens::console::test
