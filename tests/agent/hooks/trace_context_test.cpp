#include "agent/hooks/trace_context.hpp"

#include <catch2/catch.hpp>

#include "tests/agent/hooks/fixture.hpp"

using namespace inlens;
using namespace inlens::hooks;

namespace {

constexpr const char* kIncoming = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

std::uint64_t request_with(Fixture& f, std::string_view traceparent) {
  inlens_request_info info = get("/");
  info.traceparent = str(traceparent);
  return begin_request(f.core(), kLight, info);
}

std::uint64_t call_of(Fixture& f, std::uint64_t request) {
  inlens_call_info info{};
  info.method = str("GET");
  info.url = str("http://stock.example/");
  return begin_call(f.core(), request, info);
}

// Empty when nothing is to be sent.
std::string sent(Fixture& f, std::uint64_t request, std::uint64_t call) {
  f.core().propagates = true;
  char text[kTraceparentSize];
  if (!write_traceparent(f.core(), request, call, text)) return {};
  return {text, sizeof(text)};
}

std::string trace(const std::string& traceparent) {
  return traceparent.substr(3, 32);
}

std::string id(Fixture& f, std::uint64_t request) {
  char text[33];
  REQUIRE(write_id(f.core(), request, text));
  return text;
}

}  // namespace

TEST_CASE("A call's trace has the id of its request, and each call is a parent of its own") {
  Fixture f;
  const auto request = request_with(f, {});
  const std::string first = sent(f, request, call_of(f, request));
  const std::string second = sent(f, request, call_of(f, request));
  CHECK(first == "00-" + id(f, request) + '-' + first.substr(36, 16) + "-01");
  CHECK(is_traceparent(first));
  CHECK(trace(first) == trace(second));
  CHECK(first.substr(36, 16) != second.substr(36, 16));
  CHECK(is_traceparent(sent(f, request, 0)));
}

TEST_CASE("A trace that the request came with goes on, with its flag and a parent of ours") {
  Fixture f;
  const auto request = request_with(f, kIncoming);
  const std::string given = sent(f, request, call_of(f, request));
  CHECK(trace(given) == trace(kIncoming));
  CHECK(given.substr(36, 16) != std::string(kIncoming).substr(36, 16));
  CHECK(given.ends_with("-01"));
  const auto unsampled = request_with(f, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00");
  CHECK(sent(f, unsampled, 0).ends_with("-00"));
  const auto newer = request_with(f, "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0b-what");
  CHECK(trace(sent(f, newer, 0)) == trace(kIncoming));
  CHECK(sent(f, newer, 0).starts_with("00-"));
  CHECK(sent(f, newer, 0).ends_with("-01"));
}

TEST_CASE("What is no trace context is not continued") {
  for (const char* text : {
           "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0",
           "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
           "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
           "0X-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
           "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
           "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
           "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
           "00-4bf92f3577b34da6a3ce929d0e0e473-600f067aa0ba902b7-01",
           "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7_01",
           "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0\r",
           "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01.what",
       }) {
    Fixture f;
    const auto request = request_with(f, text);
    CAPTURE(text);
    CHECK(trace(sent(f, request, 0)) == id(f, request));
  }
}

TEST_CASE("Calls of a task belong to the trace of its request") {
  Fixture f;
  for (const char* incoming : {"", kIncoming}) {
    const auto request = request_with(f, incoming);
    const auto task = begin_task(f.core(), request, "task");
    const auto inner = begin_task(f.core(), task, "task of the task");
    const std::string of_request = sent(f, request, 0);
    for (const auto each : {task, inner}) {
      CHECK(trace(sent(f, each, call_of(f, each))) == trace(of_request));
      CHECK(sent(f, each, 0).substr(36, 16) != of_request.substr(36, 16));
    }
  }
}

TEST_CASE("Nothing is sent while it is switched off, nor for what is no open request") {
  Fixture f;
  const auto request = request_with(f, kIncoming);
  char text[kTraceparentSize];
  CHECK_FALSE(write_traceparent(f.core(), request, 0, text));
  CHECK(sent(f, INLENS_CURRENT, 0).empty());
  attach(f.core(), request);
  CHECK_FALSE(sent(f, INLENS_CURRENT, 0).empty());
  end_request(f.core(), request, ok());
  CHECK(sent(f, request, 0).empty());
  CHECK(sent(f, INLENS_CURRENT, 0).empty());
}
