// The C++ API against the shared library alone: what a host is promised, seen from outside.
#include <catch2/catch.hpp>
#include <cerrno>
#include <inlens/inlens.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/abi/running_agent.hpp"

using abi_test::page_request;
using abi_test::running_agent;
using inlens::Request;
using inlens::RequestRef;

TEST_CASE("Every request has an id of its own, 32 hexadecimal digits long") {
  running_agent();
  std::set<std::string> ids;
  for (int i = 0; i < 1000; ++i) {
    Request request(page_request());
    const std::string id(request.id().view());
    CHECK(id.size() == 32);
    CHECK(id.find_first_not_of("0123456789abcdef") == std::string::npos);
    ids.insert(id);
    request.end(200);
  }
  CHECK(ids.size() == 1000);
}

TEST_CASE("Attached requests nest, and each detach gives the outer one back") {
  running_agent();
  Request outer(page_request());
  Request inner(page_request());
  CHECK_FALSE(inlens::current());
  {
    const inlens::Attach attach_outer(outer);
    CHECK(inlens::current() == outer.ref());
    {
      const inlens::Attach attach_inner(inner);
      CHECK(inlens::current() == inner.ref());
      CHECK(inlens::id().view() == inner.id().view());
    }
    CHECK(inlens::current() == outer.ref());
  }
  CHECK_FALSE(inlens::current());
  CHECK(inlens::id().empty());
}

TEST_CASE("A request that ends while attached is not current afterwards") {
  running_agent();
  Request request(page_request());
  const RequestRef ref = request;
  {
    const inlens::Attach attach(ref);
    request.end(200);
    inlens::message("too late");
  }
  CHECK_FALSE(inlens::current());
  CHECK(ref.id().empty());
}

TEST_CASE("What is attached on one thread is not current on another") {
  running_agent();
  Request request(page_request());
  const inlens::Attach attach(request);
  bool elsewhere = true;
  std::thread([&elsewhere] { elsewhere = static_cast<bool>(inlens::current()); }).join();
  CHECK_FALSE(elsewhere);
  CHECK(inlens::current() == request.ref());
}

TEST_CASE("A moved request leaves nothing behind to end") {
  running_agent();
  const auto before = inlens::figures();
  {
    Request first(page_request());
    const RequestRef ref = first;
    Request second(std::move(first));
    CHECK(second.ref() == ref);
    CHECK_FALSE(first.ref());
    second.end(200);
    second.end(500);
  }
  const auto after = inlens::figures();
  CHECK(after.requests == before.requests + 1);
  CHECK(after.unpaired == before.unpaired);
}

TEST_CASE("A stale handle changes nothing and is counted as unpaired") {
  running_agent();
  Request request(page_request());
  const RequestRef stale = request;
  request.end(200);
  const auto before = inlens::figures();
  stale.route("/too/late");
  inlens::message("too late", inlens::Severity::kError, stale);
  inlens::Span("too late", inlens::SpanKind::kScope, stale).end();
  inlens_request_end(stale.handle(), nullptr);
  const auto after = inlens::figures();
  CHECK(after.requests == before.requests);
  CHECK(after.in_flight == before.in_flight);
  CHECK(after.unpaired > before.unpaired);
}

TEST_CASE("A stale handle does not reach the request that now has its place") {
  running_agent();
  Request first(page_request());
  const RequestRef stale = first;
  first.end(200);
  Request second(page_request());
  CHECK(second.ref() != stale);
  CHECK(stale.id().empty());
  inlens_request_end(stale.handle(), nullptr);
  CHECK_FALSE(second.id().empty());
}

TEST_CASE("Figures count requests, statements and errors exactly, from many threads") {
  running_agent();
  constexpr int kThreads = 8;
  constexpr int kRequests = 500;
  const auto before = inlens::figures();
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < kRequests; ++i) {
        Request request(page_request());
        const inlens::Attach attach(request);
        for (int s = 0; s < 3; ++s) inlens::Statement("SELECT 1").rows(1);
        if (i % 10 == 0) inlens::error("Broken", "every tenth");
        request.end(200);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto after = inlens::figures();
  CHECK(after.requests - before.requests == kThreads * kRequests);
  CHECK(after.statements - before.statements == kThreads * kRequests * 3);
  CHECK(after.errors - before.errors == kThreads * kRequests / 10);
  CHECK(after.in_flight == before.in_flight);
}

TEST_CASE("Statements past the details' limit of a request are still counted") {
  running_agent();
  const auto before = inlens::figures();
  Request request(page_request());
  const inlens::Attach attach(request);
  for (int i = 0; i < 5000; ++i) inlens::Statement("SELECT " + std::to_string(i)).end();
  request.end(200);
  CHECK(inlens::figures().statements - before.statements == 5000);
}

TEST_CASE("A request is in flight from its begin to its end") {
  running_agent();
  const auto before = inlens::figures();
  Request request(page_request());
  CHECK(inlens::figures().in_flight == before.in_flight + 1);
  request.end(204);
  CHECK(inlens::figures().in_flight == before.in_flight);
}

TEST_CASE("At level off nothing begins, and what began before still ends") {
  running_agent();
  Request begun(page_request());
  const auto before = inlens::figures();
  REQUIRE(inlens::set_level(inlens::Level::kOff) == INLENS_OK);
  {
    Request request(page_request());
    CHECK_FALSE(request.ref());
    CHECK(request.id().empty());
  }
  begun.end(200);
  REQUIRE(inlens::set_level(inlens::Level::kFull) == INLENS_OK);
  const auto after = inlens::figures();
  CHECK(after.requests == before.requests + 1);
  CHECK(after.in_flight == before.in_flight - 1);
}

TEST_CASE("Calls keep errno") {
  running_agent();
  errno = 4711;
  Request request(page_request());
  {
    const inlens::Attach attach(request);
    const inlens::Span span("span");
    inlens::Statement("SELECT 1").failed("42", "no");
    inlens::error(std::runtime_error("error"));
    inlens::Panel::text("title", "text").show();
  }
  request.end(200);
  CHECK(errno == 4711);
}

TEST_CASE("NULL and empty texts are accepted wherever a text is") {
  running_agent();
  const char* null = nullptr;
  Request request(inlens::RequestInfo{});
  const inlens::Attach attach(request);
  request.route(null);
  request.ref().header(inlens::Direction::kResponse, nullptr, {});
  inlens::Span(null).end();
  inlens::Statement(nullptr).failed(null, nullptr);
  inlens::Call(null, {}).failed(null);
  inlens::error(null, null, null);
  inlens::message({});
  inlens::Panel::table(null, {}).row({}).show();
  inlens::Panel::key_value({}).pair(null, null).show();
  std::string body;
  inlens::decorate(body, {});
  CHECK(body.empty());
  CHECK_FALSE(inlens::handle_console({}, [](const inlens_http_answer&) {}));
  request.end({});
}
