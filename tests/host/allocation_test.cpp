// A host whose memory runs out while it calls the agent: in every phase of the agent's life the first, the
// second … the 200th allocation is refused, each in a process of its own.
#include <poll.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "tests/host/agent.hpp"
#include "tests/host/console.hpp"
#include "tests/host/failing_malloc.hpp"
#include "tests/host/process.hpp"

using failing_malloc::arm;
using failing_malloc::disarm;
using failing_malloc::in_agent;
using failing_malloc::Refuse;
using host_test::make_request;

namespace {

// How a process of the test ends when the agent kept its promises; other codes say where it did not.
constexpr int kFine = 0;
constexpr int kFineAndNothingRefused = 1;

int verdict(std::uint32_t refused) {
  return refused > 0 ? kFine : kFineAndNothingRefused;
}

const std::string kSettings = host_test::settings(
    "full", R"("bar": {"enabled": true, "allow": "loopback"}, "mask": {"keys": ["mine"]}, "nonsense": 1)");

bool starts() {
  return host_test::start(kSettings) == INLENS_OK;
}

// Starts, and waits for the console's thread to be at work.
bool starts_wholly() {
  return starts() && host_test::ask(host_test::console_port(), "overview").status == 200;
}

bool works() {
  const std::uint64_t before = inlens::figures().requests;
  make_request();
  return inlens::figures().requests == before + 1;
}

// A request with something of everything, its texts new each time and made before: they are the host's.
void make_rich_request(int number) {
  const std::string text = "number " + std::to_string(number);
  const std::string path = "/page/" + text;
  std::vector<std::string> statements;
  for (int i = 0; i < 20; ++i) statements.push_back("SELECT " + std::string(i, 'x') + " FROM " + text);
  std::string page = "<!doctype html><title>x</title><body>" + text;
  const std::array headers = {inlens::header("Content-Type", "text/html; charset=utf-8")};
  inlens::ResponseHead head;
  head.headers = headers;
  in_agent([&] {
    inlens::Request request(host_test::page_info(path));
    const inlens::Attach attach(request);
    request.route(path);
    request.ref().header(inlens::Direction::kRequest, "Cookie", "a=b");
    for (const std::string& statement : statements) inlens::Statement(statement).rows(1);
    inlens::Call("GET", path).answered(200);
    inlens::error(text, path);
    inlens::message(text);
    inlens::Task task("task");
    task.end();
    (void)inlens::decorate(page, head);
    request.end(200, page.size(), "text/html");
  });
}

void make_rich_request_on_a_thread(int number) {
  std::thread([number] {
    failing_malloc::set_host_thread(true);
    make_rich_request(number);
  }).join();
}

int fail_in_start(std::uint32_t nth, Refuse refuse) {
  arm(nth, refuse);
  const inlens_status status = in_agent([] { return host_test::start(kSettings); });
  const std::uint32_t refused = disarm();
  if (status != INLENS_OK && status != INLENS_E_RESOURCES) return 10;
  if (status == INLENS_E_RESOURCES) {
    make_request();
    if (inlens::figures().running || inlens::level() != inlens::Level::kOff) return 11;
    if (!starts()) return 12;
  }
  if (inlens::level() != inlens::Level::kOff && !works()) return 13;
  return host_test::stop() ? verdict(refused) : 14;
}

int fail_in_requests(std::uint32_t nth, Refuse refuse) {
  constexpr int requests = 8;
  if (!starts_wholly()) return 20;
  make_rich_request(1000);
  arm(nth, refuse);
  for (int i = 0; i < requests; i += 2) {
    make_rich_request(i);
    make_rich_request_on_a_thread(i + 1);
  }
  in_agent([] { (void)inlens::set_level(inlens::Level::kStandard); });
  in_agent([] { (void)inlens::console_link(); });
  in_agent([] { (void)inlens::figures(); });
  host_test::wait_until([] { return inlens::figures().queue_depth == 0; });
  const std::uint32_t refused = disarm();
  if (inlens::figures().requests != requests + 1) return 21;
  if (!works()) return 22;
  if (host_test::ask(host_test::console_port(), "overview").status != 200) return 23;
  return host_test::stop() ? verdict(refused) : 24;
}

void ask_mounted_console(const char* target) {
  inlens_http_request request{};
  request.struct_size = sizeof request;
  request.method = {"GET", 3};
  request.target = inlens::Text(target);
  inlens_console_handle(
      &request, [](void*, const inlens_http_answer*) {}, nullptr);
}

// Without any memory the console cannot answer, so a client waits for its answer or for the first refusal.
void ask_or_be_refused(std::uint16_t port, std::string_view path) {
  host_test::RawClient client(port);
  client.send(host_test::api_request(path));
  pollfd answered{client.fd(), POLLIN, 0};
  while (failing_malloc::refused() == 0 && ::poll(&answered, 1, 0) == 0) std::this_thread::yield();
}

int fail_in_console(std::uint32_t nth, Refuse refuse) {
  if (!starts_wholly()) return 30;
  for (int i = 0; i < 4; ++i) make_rich_request(i);
  const std::uint16_t port = host_test::console_port();
  arm(nth, refuse);
  for (const char* path : {"overview", "requests", "agent", "nothing"}) {
    if (refuse == Refuse::kOne)
      host_test::ask(port, path);
    else
      ask_or_be_refused(port, path);
  }
  in_agent([] { ask_mounted_console("/~inlens/api/overview"); });
  in_agent([] { ask_mounted_console("/~inlens/"); });
  const std::uint32_t refused = disarm();
  for (const char* path : {"overview", "requests", "issues", "queries", "agent"}) {
    const host_test::RawAnswer answer = host_test::ask(port, path);
    if (answer.status == 200) continue;
    std::fprintf(stderr, "%s: %d %s\n", path, answer.status, answer.body.c_str());
    return 31;
  }
  if (!works()) return 32;
  return host_test::stop() ? verdict(refused) : 33;
}

int fail_in_stop(std::uint32_t nth, Refuse refuse) {
  if (!starts_wholly()) return 40;
  for (int i = 0; i < 4; ++i) make_rich_request(i);
  const host_test::RawClient waiting(host_test::console_port());
  arm(nth, refuse);
  const inlens_status status = in_agent([] { return inlens::stop(); });
  const std::uint32_t refused = disarm();
  if (status != INLENS_OK && status != INLENS_E_TIMEOUT) return 41;
  if (inlens::figures().running) return 42;
  if (!starts() || !works()) return 43;
  return host_test::stop() ? verdict(refused) : 44;
}

host_test::Ended in_a_process(int (*phase)(std::uint32_t, Refuse), std::uint32_t nth, Refuse refuse) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    failing_malloc::set_host_thread(true);
    try {
      ::_exit(phase(nth, refuse));
    } catch (...) {
      ::_exit(99);  // an exception came out of the library
    }
  }
  return host_test::wait_for(child);
}

void check_ended_well(const host_test::Ended& ended, std::uint32_t nth) {
  INFO("allocation " << nth << ": exit code " << ended.exit_code << ", signal " << ended.signal);
  CHECK_FALSE(ended.hung);
  CHECK(ended.signal == 0);
  CHECK(ended.exit_code <= kFineAndNothingRefused);
}

// Goes on to the 200th allocation, or to where no more are made.
void check_each_allocation(int (*phase)(std::uint32_t, Refuse)) {
  int without = 0;
  std::uint32_t reached = 0;
  for (std::uint32_t nth = 1; nth <= 200 && without < 3; ++nth) {
    const host_test::Ended ended = in_a_process(phase, nth, Refuse::kOne);
    check_ended_well(ended, nth);
    without = ended.exit_code == kFineAndNothingRefused ? without + 1 : 0;
    reached = nth;
  }
  WARN("allocations refused: " << reached);
}

void check_all_from(int (*phase)(std::uint32_t, Refuse)) {
  for (const std::uint32_t nth : {1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144})
    check_ended_well(in_a_process(phase, nth, Refuse::kAllFrom), nth);
}

}  // namespace

TEST_CASE("Any one allocation may be refused while the agent starts") {
  check_each_allocation(fail_in_start);
}

TEST_CASE("Any one allocation may be refused while requests are made, and all are counted") {
  check_each_allocation(fail_in_requests);
}

// Hidden, to be run by name: after a refusal one of the next answers is now and then no 200, for a reason not
// found yet.
TEST_CASE("Any one allocation may be refused while the console answers") {
  check_each_allocation(fail_in_console);
}

TEST_CASE("Any one allocation may be refused while the agent stops") {
  check_each_allocation(fail_in_stop);
}

TEST_CASE("All further allocations may be refused while the agent starts") {
  check_all_from(fail_in_start);
}

TEST_CASE("All further allocations may be refused while requests are made, and all are counted") {
  check_all_from(fail_in_requests);
}

TEST_CASE("All further allocations may be refused while the console answers") {
  check_all_from(fail_in_console);
}

TEST_CASE("All further allocations may be refused while the agent stops") {
  check_all_from(fail_in_stop);
}
