// Hooks in every order that a server may call them in, and in those that it should not.
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/host/agent.hpp"
#include "tests/host/console.hpp"

using host_test::make_request;
using host_test::page_info;
using host_test::Running;
using inlens::Level;
using inlens::Request;
using nlohmann::json;

namespace {

constexpr std::array kLevels = {Level::kOff, Level::kLight, Level::kStandard, Level::kFull};

json newest_request() {
  const json requests = host_test::ask_json(host_test::console_port(), "requests");
  return requests.is_object() && !requests["items"].empty() ? requests["items"][0] : json();
}

// Every hook once, on whatever `request` is.
void call_all_hooks(inlens_request request) {
  const inlens_str text = {"text", 4};
  inlens_request_route(request, text);
  inlens_request_header(request, INLENS_HEADER_REQUEST, text, text);
  const inlens_request before = inlens_request_attach(request);
  inlens_span_end(inlens_span_begin(request, INLENS_SPAN_SCOPE, text));
  inlens_span_add(request, INLENS_SPAN_TIMER, text, 5);
  inlens_statement_end(inlens_statement_begin(request, nullptr), nullptr);
  inlens_call_end(inlens_call_begin(request, nullptr), nullptr);
  inlens_message_add(request, INLENS_SEVERITY_INFO, text);
  inlens_task_end(inlens_task_begin(request, text));
  char id[33];
  inlens_request_id(request, id, sizeof id);
  inlens_request_detach(before);
}

}  // namespace

TEST_CASE("Requests nest three deep, and each is counted and told whose it is") {
  const Running agent;
  Request outer(page_info("/outer"));
  const inlens::Attach attach_outer(outer);
  {
    inlens::RequestInfo info = page_info("/middle");
    info.flags = INLENS_REQUEST_SUBREQUEST;
    info.parent = inlens::kCurrent;
    Request middle(info);
    const inlens::Attach attach_middle(middle);
    {
      info.target = "/inner";
      Request inner(info);
      const inlens::Attach attach_inner(inner);
      inlens::Statement("SELECT 1").rows(1);
      inner.end(200);
    }
    CHECK(inlens::current() == middle.ref());
    middle.end(200);
  }
  CHECK(inlens::current() == outer.ref());
  const std::string id(outer.id().view());
  outer.end(200);
  CHECK(inlens::figures().requests == 3);
  CHECK(inlens::figures().unpaired == 0);
  CHECK(host_test::ask_json(host_test::console_port(), "requests/" + id)["target"] == "/outer");
}

TEST_CASE("An end without a begin is counted as unpaired and changes no total") {
  const Running agent;
  make_request();
  inlens_request_end(INLENS_CURRENT, nullptr);                // nothing is attached
  inlens_request_end(UINT64_C(0x0100000000000001), nullptr);  // never given out
  inlens_request_end(UINT64_C(0x01FFFFFF12345678), nullptr);  // beyond every pool
  inlens_request_end(INLENS_NONE, nullptr);                   // what begin gives at level off
  Request request(page_info());
  const inlens_request handle = request.ref().handle();
  request.end(200);
  inlens_request_end(handle, nullptr);  // for the second time
  const inlens_figures figures = inlens::figures();
  CHECK(figures.requests == 2);
  CHECK(figures.in_flight == 0);
  CHECK(figures.unpaired == 4);
}

TEST_CASE("Hooks on a request that has ended do nothing") {
  const Running agent(host_test::settings("full"));
  Request request(page_info("/ended"));
  const inlens_request handle = request.ref().handle();
  request.end(200);
  call_all_hooks(handle);
  const json told = newest_request();
  CHECK(told["statements"] == 0);
  CHECK(told["messages"] == 0);
  CHECK(inlens::figures().requests == 1);
}

TEST_CASE("The level may change in the middle of a request, from any to any") {
  const Running agent;
  std::uint64_t recorded = 0;
  for (const Level first : kLevels) {
    for (const Level second : kLevels) {
      REQUIRE(inlens::set_level(first) == INLENS_OK);
      Request request(page_info());
      const inlens::Attach attach(request);
      inlens::Span open_span("open");
      inlens::Statement open_statement("SELECT 1");
      REQUIRE(inlens::set_level(second) == INLENS_OK);
      call_all_hooks(INLENS_CURRENT);
      call_all_hooks(request.ref().handle());
      request.end(200);
      if (first != Level::kOff) ++recorded;
    }
  }
  CHECK(inlens::figures().requests == recorded);
  CHECK(inlens::figures().in_flight == 0);
}

TEST_CASE("A trace context is taken as it comes, good or bad, at every level") {
  const std::string good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  const std::vector<std::string> all = {good,
                                        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                                        "00-00000000000000000000000000000000-0000000000000000-00",
                                        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00F067AA0BA902B7-01",
                                        good.substr(0, 20),
                                        good + "-more-that-a-later-version-may-bring",
                                        std::string(100'000, '-'),
                                        std::string("00-\0\0\0", 6),
                                        "\xFF\xFE\r\n",
                                        " ",
                                        ""};
  const Running agent;
  for (const Level level : kLevels) {
    REQUIRE(inlens::set_level(level) == INLENS_OK);
    for (const std::string& traceparent : all) {
      inlens::RequestInfo info = page_info();
      info.traceparent = traceparent;
      Request request(info);
      request.end(200);
    }
  }
  CHECK(inlens::figures().requests == 3 * all.size());
  CHECK(host_test::ask(host_test::console_port(), "requests").status == 200);
}

TEST_CASE("A request may lack its method, target, host and everything else") {
  const Running agent(host_test::settings("full"));
  inlens_request_end(inlens_request_begin(nullptr), nullptr);
  inlens::RequestInfo info;
  info.target = "/only-a-target";
  Request request(info);
  call_all_hooks(request.ref().handle());
  request.end({});
  CHECK(inlens::figures().requests == 2);
  const json told = newest_request();
  CHECK(told["target"] == "/only-a-target");
  CHECK(told["method"] == "");
  const json detail =
      host_test::ask_json(host_test::console_port(), "requests/" + told["id"].get<std::string>());
  CHECK(detail["target"] == "/only-a-target");
}

TEST_CASE("Any bytes of any length are taken, and the console's answers stay well-formed") {
  const Running agent(host_test::settings("full"));
  std::string bytes;
  for (int i = 0; i < 70'000; ++i) bytes.push_back(static_cast<char>(i * 7));
  inlens::RequestInfo info = page_info(bytes);
  info.method = info.host = info.peer = info.protocol = bytes;
  Request request(info);
  const inlens::Attach attach(request);
  request.route(bytes);
  request.ref().header(inlens::Direction::kRequest, bytes, bytes);
  inlens::Span(bytes, static_cast<inlens::SpanKind>(99)).end();
  inlens::Statement(bytes, static_cast<inlens::Dialect>(-3), bytes).failed(bytes, bytes);
  inlens::Call(bytes, bytes).failed(bytes);
  inlens::error(bytes, bytes, bytes);
  inlens::message(bytes, static_cast<inlens::Severity>(77));
  request.end(70'000, 1, bytes);
  const std::uint16_t port = host_test::console_port();
  for (const char* path : {"overview", "requests", "issues", "queries", "reports", "agent", "inflight"}) {
    INFO(path);
    CHECK(host_test::ask_json(port, path).is_object());
  }
  CHECK(host_test::ask_json(port, "requests/" + newest_request()["id"].get<std::string>()).is_object());
}
