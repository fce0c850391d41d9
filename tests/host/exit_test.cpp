// How a host ends and what it prints, with the agent and without.
#include <catch2/catch.hpp>
#include <csignal>
#include <string>

#include "tests/host/process.hpp"

namespace {

host_test::Ended sample_host(const std::string& scenario, const std::string& agent) {
  return host_test::run({SAMPLE_HOST, scenario, agent});
}

void check_ends_alike(const std::string& scenario, int exit_code, int signal = 0) {
  const host_test::Ended without = sample_host(scenario, "off");
  const host_test::Ended with = sample_host(scenario, "on");
  CHECK_FALSE(with.hung);
  CHECK(without.exit_code == exit_code);
  CHECK(with.exit_code == exit_code);
  CHECK(without.signal == signal);
  CHECK(with.signal == signal);
  CHECK(with.out == without.out);
  CHECK(with.err == without.err);
}

}  // namespace

TEST_CASE("A host that returns from main ends as without the agent") {
  check_ends_alike("return", 7);
}

TEST_CASE("A host that calls exit while its threads work ends as without the agent") {
  check_ends_alike("exit", 7);
}

TEST_CASE("A host that calls exit on another thread ends as without the agent") {
  check_ends_alike("exit-on-a-thread", 7);
}

TEST_CASE("A host that calls quick_exit ends as without the agent") {
  check_ends_alike("quick-exit", 7);
}

TEST_CASE("A host that calls _exit ends as without the agent") {
  check_ends_alike("immediate-exit", 7);
}

TEST_CASE("Hooks may be called by exit handlers and by destructors of static and thread-local objects") {
  check_ends_alike("exit-handlers", 7);
}

TEST_CASE("An exit handler may stop the agent while threads work and a client asks") {
  check_ends_alike("stop-in-exit-handler", 7);
}

TEST_CASE("A host may exit inside a request") {
  check_ends_alike("in-a-request", 7);
}

TEST_CASE("A host that dies of an exception dies as without the agent") {
  check_ends_alike("uncaught-exception", -1, SIGABRT);
}

TEST_CASE("The host's output stays its own: the agent prints nothing, whatever is wrong") {
  const host_test::Ended ended = sample_host("print", "on");
  CHECK(ended.exit_code == 0);
  CHECK(ended.out.empty());
  CHECK(ended.err.empty());
}
