// What passes through the library on its way: the host's exceptions, the cancellation of its threads, threads
// that end, and the loader's lock.
#include <dlfcn.h>
#include <pthread.h>

#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <thread>

#include "tests/host/agent.hpp"
#include "tests/host/console.hpp"

using host_test::make_request;
using host_test::Running;

namespace {

std::string with_bar() {
  return host_test::settings("full", R"("bar": {"enabled": true, "allow": "loopback"})");
}

inlens_response begin_page(const inlens::Request& request) {
  static const std::array headers = {inlens::header("Content-Type", "text/html; charset=utf-8")};
  inlens_response_head head{};
  head.struct_size = sizeof head;
  head.status = 200;
  head.headers = headers.data();
  head.header_count = headers.size();
  inlens_response_edit edit{};
  edit.struct_size = sizeof edit;
  return inlens_response_begin(request.ref().handle(), &head, &edit);
}

struct SinkError : std::runtime_error {
  SinkError() : std::runtime_error("the client is gone") {}
};

void throwing_sink(void*, inlens_str) {
  throw SinkError();
}
void cancelled_sink(void*, inlens_str) {
  pthread_cancel(pthread_self());
  pthread_testcancel();
}
void appending_sink(void* text, inlens_str piece) {
  static_cast<std::string*>(text)->append(piece.data, piece.size);
}

inlens_str text(std::string_view bytes) {
  return {bytes.data(), bytes.size()};
}

int g_anything = 0;
constexpr std::string_view kPage = "<!doctype html><html><body><p>Hello</p></body></html>";
constexpr std::string_view kHalfAPage = "<!doctype html><html><body><p>Hello";  // finish has something to add

bool was_cancelled(void* (*work)(void*), void* argument = nullptr) {
  pthread_t thread;
  REQUIRE(pthread_create(&thread, nullptr, work, argument) == 0);
  void* result = nullptr;
  REQUIRE(pthread_join(thread, &result) == 0);
  return result == PTHREAD_CANCELED;
}

}  // namespace

TEST_CASE("An exception of a sink passes through write, and the response goes on") {
  const Running agent(with_bar());
  inlens::Request request(host_test::page_info());
  const inlens_response response = begin_page(request);
  REQUIRE(response != INLENS_NONE);
  CHECK_THROWS_AS(inlens_response_write(response, text(kPage), throwing_sink, nullptr), SinkError);
  std::string rest;
  inlens_response_write(response, text("<p>more</p>"), appending_sink, &rest);
  inlens_response_finish(response, appending_sink, &rest);
  CHECK(rest.find("<p>more</p>") != std::string::npos);
  request.end(200);
  CHECK(inlens::figures().requests == 1);
}

TEST_CASE("An exception of a sink passes through finish, and the response has ended") {
  const Running agent(with_bar());
  inlens::Request request(host_test::page_info());
  const inlens_response response = begin_page(request);
  REQUIRE(response != INLENS_NONE);
  std::string rest;
  inlens_response_write(response, text(kHalfAPage), appending_sink, &rest);
  CHECK_THROWS_AS(inlens_response_finish(response, throwing_sink, nullptr), SinkError);
  rest.clear();
  inlens_response_finish(response, appending_sink, &rest);
  CHECK(rest.empty());
  request.end(200);
  CHECK(inlens::figures().requests == 1);
}

TEST_CASE("An exception of the host passes through the call that answers for the console") {
  const Running agent;
  inlens_http_request request{};
  request.struct_size = sizeof request;
  request.method = text("GET");
  request.target = text("/~inlens/");
  const auto answer = [](void*, const inlens_http_answer*) { throw SinkError(); };
  CHECK_THROWS_AS(inlens_console_handle(&request, answer, nullptr), SinkError);
  CHECK(host_test::stop());
}

TEST_CASE("Responses whose sinks throw take nothing from the pool for good") {
  const Running agent(with_bar());
  const auto decorates_a_page = [] {
    inlens::Request request(host_test::page_info());
    const inlens_response response = begin_page(request);
    if (response == INLENS_NONE) return false;
    try {
      inlens_response_write(response, text(kPage), throwing_sink, nullptr);
    } catch (const SinkError&) {
    }
    request.end(500);  // without finish
    return true;
  };
  // More than the pool has blocks. Now and then the worker is behind and a page gets no bar.
  for (int i = 0; i < 20'000; ++i) decorates_a_page();
  CHECK(inlens::figures().requests == 20'000);
  host_test::wait_until([] { return inlens::figures().queue_depth == 0; });
  host_test::wait_until(decorates_a_page);
}

TEST_CASE("A thread may be cancelled inside a sink") {
  const Running agent(with_bar());
  CHECK(was_cancelled([](void*) -> void* {
    const inlens::Request request(host_test::page_info());
    const inlens_response response = begin_page(request);
    inlens_response_write(response, text(kPage), cancelled_sink, nullptr);
    return nullptr;
  }));
  CHECK(was_cancelled([](void*) -> void* {
    const inlens::Request request(host_test::page_info());
    const inlens_response response = begin_page(request);
    std::string page;
    inlens_response_write(response, text(kHalfAPage), appending_sink, &page);
    inlens_response_finish(response, cancelled_sink, nullptr);
    return nullptr;
  }));
  CHECK(inlens::figures().requests == 2);
  make_request();
  CHECK(inlens::figures().requests == 3);
}

TEST_CASE("No call of the library is a place where a thread is cancelled") {
  const Running agent;
  static std::atomic<bool> came_through{false};
  CHECK(was_cancelled([](void*) -> void* {
    pthread_cancel(pthread_self());
    make_request();  // this thread's first
    inlens::error("Error", "alone");
    (void)inlens::figures();
    (void)inlens::console_link();
    (void)inlens::set_level(inlens::Level::kFull);
    inlens::ConsoleRequest asked;
    asked.method = "GET";
    asked.target = "/~inlens/api/overview";
    inlens::handle_console(asked, [](const inlens_http_answer&) {});
    inlens::stop();
    host_test::start();
    make_request();
    came_through = true;
    pthread_testcancel();
    return nullptr;
  }));
  CHECK(came_through);
  CHECK(inlens::figures().requests == 1);
}

TEST_CASE("Destructors of the host's thread-local objects may make requests, and each is counted") {
  struct MakesARequest {
    ~MakesARequest() { make_request("/from-a-destructor"); }
  };
  const Running agent;
  std::thread([] {
    thread_local const MakesARequest before_the_first_hook;
    (void)before_the_first_hook;
    make_request();
    thread_local const MakesARequest after_the_first_hook;
    (void)after_the_first_hook;
  }).join();
  CHECK(inlens::figures().requests == 3);
}

TEST_CASE("Destructors of the host's thread keys may make requests") {
  const Running agent;
  pthread_key_t key;
  REQUIRE(pthread_key_create(&key, [](void*) { make_request("/from-a-key"); }) == 0);
  std::thread([key] {
    pthread_setspecific(key, &g_anything);
    make_request();
  }).join();
  pthread_key_delete(key);
  const inlens_figures figures = inlens::figures();
  CHECK(figures.requests >= 1);
  CHECK(figures.requests <= 2);
}

TEST_CASE("A request that its thread leaves open can be ended by another one") {
  const Running agent;
  inlens_request handle = INLENS_NONE;
  std::thread([&handle] {
    const inlens::RequestInfo page = host_test::page_info();
    inlens_request_info info{};
    info.struct_size = sizeof info;
    info.method = page.method;
    info.target = page.target;
    handle = inlens_request_begin(&info);
    inlens_request_attach(handle);
  }).join();
  CHECK(inlens::figures().in_flight == 1);
  inlens_request_end(handle, nullptr);
  CHECK(inlens::figures().in_flight == 0);
  CHECK(inlens::figures().requests == 1);
}

TEST_CASE(
    "The host may load libraries and throw on any thread while the agent starts, works at full and stops") {
  std::atomic<bool> over{false};
  std::atomic<std::uint64_t> loaded{0};
  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    while (!over) {
      void* const library = ::dlopen("libutil.so.1", RTLD_NOW | RTLD_LOCAL);
      if (library == nullptr) continue;
      ::dlclose(library);
      ++loaded;
    }
  });
  threads.emplace_back([&] {
    while (!over) {
      inlens::Request request(host_test::page_info());
      try {
        throw std::runtime_error("no such order");
      } catch (const std::exception& error) {
        inlens::error(error, inlens::Handled::kYes, request);
      }
      request.end(500);
    }
  });
  constexpr int rounds = 20;
  for (int round = 0; round < rounds; ++round) {
    const Running agent(host_test::settings("full"));
    REQUIRE(agent.status() == INLENS_OK);
    const std::uint64_t before = loaded;
    host_test::wait_until([&] { return inlens::figures().errors > 0 && loaded > before; });
    CHECK(host_test::ask_json(host_test::console_port(), "issues").is_object());
  }
  over = true;
  for (std::thread& thread : threads) thread.join();
}
