// The agent as the C++ API's tests use it: started once in the process, at level full, and asked through the
// console that it mounts in its host.
#pragma once

#include <array>
#include <catch2/catch.hpp>
#include <inlens/inlens.hpp>
#include <nlohmann/json.hpp>
#include <string>

namespace abi_test {

inline constexpr const char* kToken = "a-token-for-these-tests-alone-0123456789";

inline inlens::RequestInfo page_request() {
  inlens::RequestInfo info;
  info.method = "GET";
  info.target = "/page";
  info.host = "localhost";
  info.peer = "127.0.0.1";
  info.protocol = "HTTP/1.1";
  return info;
}

struct ConsoleAnswer {
  unsigned status = 0;
  std::string body;
  nlohmann::json json() const { return nlohmann::json::parse(body); }
};

inline ConsoleAnswer ask_console(const std::string& target) {
  const std::string bearer = std::string("Bearer ") + kToken;
  const std::array headers = {inlens::header("Host", "localhost"), inlens::header("Authorization", bearer)};
  inlens::ConsoleRequest request;
  request.method = "GET";
  request.target = target;
  request.headers = headers;
  request.peer = "127.0.0.1";
  ConsoleAnswer result;
  inlens::handle_console(request, [&result](const inlens_http_answer& answer) {
    result.status = answer.status;
    result.body.assign(answer.body.data, answer.body.size);
  });
  return result;
}

// Has the worker take over everything that ended before.
inline void settle() {
  ask_console("/~inlens/api/overview");
}

inline void running_agent() {
  static const bool started = [] {
    const std::string settings = std::string(R"({"collect": {"level": "full"}, "console": {"token": ")") +
                                 kToken + R"("}, "bar": {"enabled": true, "allow": "loopback"}})";
    inlens::StartOptions options;
    options.config_json = settings;
    options.server_name = "api_test";
    return inlens::start(options) == INLENS_OK;
  }();
  REQUIRE(started);
}

// What the console tells of a request that has ended. On a busy machine the worker may take longer than the
// console waits for it; then the request is asked for again.
inline nlohmann::json recorded(const std::string& id) {
  constexpr int asks = 500;
  ConsoleAnswer answer;
  for (int i = 0; i < asks && answer.status != 200; ++i) answer = ask_console("/~inlens/api/requests/" + id);
  INFO(answer.body);
  REQUIRE(answer.status == 200);
  return answer.json();
}

}  // namespace abi_test
