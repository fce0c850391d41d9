// A host program of its own for what only a whole process can show: how it ends and what it prints.
//
//   sample_host SCENARIO on|off [PORT]
//
// With `off` the agent is never started and every hook is called all the same.
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <thread>

#include "tests/host/agent.hpp"
#include "tests/host/console.hpp"

using host_test::make_request;

namespace {

constexpr int kExitCode = 7;
constexpr int kThreads = 4;

std::atomic<std::uint64_t> g_made{0};
std::atomic<std::uint64_t> g_answers{0};
bool g_agent = false;

// Threads that make requests and ask the console for as long as the process lives.
void start_load() {
  for (int i = 0; i < kThreads; ++i) {
    std::thread([] {
      for (;;) {
        make_request();
        g_made.fetch_add(1);
      }
    }).detach();
  }
  if (!g_agent) return;
  std::thread([port = host_test::console_port()] {
    for (;;) {
      if (host_test::ask(port, "overview").status == 200) g_answers.fetch_add(1);
    }
  }).detach();
  host_test::wait_until([] { return g_answers > 2; });
}

void wait_for_requests() {
  const std::uint64_t before = g_made;
  host_test::wait_until([before] { return g_made > before + 200; });
}

void call_every_kind_of_hook() {
  make_request("/late");
  inlens::error("Late", "reported while the process ends");
  inlens::message("late");
  (void)inlens::figures();
}

struct CallsHooksAtItsEnd {
  ~CallsHooksAtItsEnd() { call_every_kind_of_hook(); }
};
CallsHooksAtItsEnd g_before_main;

int end_by_return() {
  start_load();
  wait_for_requests();
  return kExitCode;
}

int end_by_exit() {
  start_load();
  wait_for_requests();
  std::exit(kExitCode);
}

int end_by_exit_on_a_thread() {
  start_load();
  std::thread([] {
    wait_for_requests();
    std::exit(kExitCode);
  }).join();
  return 1;  // never reached
}

int end_by_quick_exit() {
  std::at_quick_exit(call_every_kind_of_hook);
  start_load();
  wait_for_requests();
  std::quick_exit(kExitCode);
}

int end_by_immediate_exit() {
  start_load();
  wait_for_requests();
  ::_exit(kExitCode);
}

int end_with_hooks_in_exit_handlers() {
  std::atexit(call_every_kind_of_hook);
  start_load();
  wait_for_requests();
  std::atexit(call_every_kind_of_hook);
  static const CallsHooksAtItsEnd at_exit;
  thread_local const CallsHooksAtItsEnd at_thread_exit;
  (void)at_thread_exit;
  return kExitCode;
}

int end_with_a_stop_in_an_exit_handler() {
  std::atexit([] { inlens::stop(); });
  start_load();
  wait_for_requests();
  return kExitCode;
}

int end_by_an_uncaught_exception() {
  start_load();
  wait_for_requests();
  throw std::runtime_error("nobody catches this");
}

int end_in_a_request() {
  start_load();
  const inlens::Request request(host_test::page_info());
  const inlens::Attach attach(request);
  const inlens::Span span("left open");
  std::exit(kExitCode);
}

// Everything that might tempt the agent to say something, for as long as it takes to be answered twice.
int be_tempted_to_print() {
  inlens::stop();
  inlens::StartOptions wrong;
  wrong.config_file = "/nowhere/inlens.json";
  wrong.config_json = R"({"collect": {"level": "everything"}, "console": {"port": 0}, "nonsense": 1})";
  if (g_agent && inlens::start(wrong) != INLENS_OK) return 1;
  inlens::set_level(inlens::Level::kFull);
  for (int i = 0; i < 100; ++i) {
    make_request("/%s%n{}", 500);
    inlens::error("Error", "%s%n{}");
  }
  inlens_request_end(INLENS_CURRENT, nullptr);
  if (g_agent) {
    host_test::ask(host_test::console_port(), "overview");  // with a token that is not this console's
    host_test::RawClient client(host_test::console_port());
    client.ask("NONSENSE\r\n\r\n");
  }
  inlens::stop();
  return 0;
}

// Prints where its console is and what the agent's log says, and serves until its input ends.
int serve(const char* port) {
  host_test::LogLines log;
  const std::string json =
      R"({"console": {"port": )" + std::string(port) + R"(, "token": ")" + host_test::kToken + R"("}})";
  if (host_test::start(json, &log) != INLENS_OK) return 1;
  make_request();
  std::cout << inlens::console_url().view() << "\n";
  for (const std::string& line : log.lines()) std::cout << line << "\n";
  std::cout << "." << std::endl;
  std::string nothing;
  std::getline(std::cin, nothing);
  inlens::stop();
  return 0;
}

struct Scenario {
  const char* name;
  int (*run)();
};

constexpr Scenario kScenarios[] = {
    {"return", end_by_return},
    {"exit", end_by_exit},
    {"exit-on-a-thread", end_by_exit_on_a_thread},
    {"quick-exit", end_by_quick_exit},
    {"immediate-exit", end_by_immediate_exit},
    {"exit-handlers", end_with_hooks_in_exit_handlers},
    {"stop-in-exit-handler", end_with_a_stop_in_an_exit_handler},
    {"uncaught-exception", end_by_an_uncaught_exception},
    {"in-a-request", end_in_a_request},
    {"print", be_tempted_to_print},
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  if (std::strcmp(argv[1], "serve") == 0) return serve(argv[3]);
  g_agent = std::strcmp(argv[2], "on") == 0;
  if (g_agent && host_test::start() != INLENS_OK) return 3;
  for (const Scenario& scenario : kScenarios)
    if (std::strcmp(argv[1], scenario.name) == 0) return scenario.run();
  return 2;
}
