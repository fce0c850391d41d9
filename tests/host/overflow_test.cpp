// More than the agent can hold: what is lost is counted, and the totals stay exact.
#include <atomic>
#include <catch2/catch.hpp>
#include <thread>
#include <vector>

#include "tests/host/agent.hpp"
#include "tests/host/console.hpp"
#include "tests/host/process.hpp"
#include "tests/host/sanitized.hpp"

using host_test::make_request;
using host_test::Running;
using nlohmann::json;

namespace {

constexpr std::uint64_t kMostLogLines = 21;  // 1st, 2nd, 4th … of a million

std::string small_pool(std::string_view level = "light") {
  return host_test::settings(level, R"("limits": {"poolMegabytes": 1}, "worker": {"pollMs": 1000})");
}

template <class Work>
void on_threads(int threads, Work&& work) {
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i) running.emplace_back(work);
  for (std::thread& thread : running) thread.join();
}

// The agent's figures once the worker has taken everything off the queue.
json settled_figures() {
  const std::uint16_t port = host_test::console_port();
  for (;;) {
    json agent = host_test::ask_json(port, "agent");
    if (!agent.is_object()) return agent;
    if (agent["queue"]["depth"] == 0 &&
        host_test::ask_json(port, "agent")["worker"]["records"] == agent["worker"]["records"])
      return agent;
  }
}

// "/shop/baaa", "/shop/caaa" …: words, so that no two are taken for one route.
std::string path_of(std::uint64_t number) {
  std::string path = "/shop/";
  for (int letter = 0; letter < 5; ++letter, number /= 26) path += static_cast<char>('a' + number % 26);
  return path;
}

// Without cut strings, which are shortened, and unpaired calls, which carried nothing.
std::uint64_t sum_of_reasons(const json& lost) {
  std::uint64_t sum = 0;
  for (const auto& [reason, count] : lost.items())
    if (reason != "total" && reason != "stringCut" && reason != "unpaired") sum += count.get<std::uint64_t>();
  return sum;
}

}  // namespace

TEST_CASE("Of a million requests through a small pool each is counted, and kept or lost for a named reason") {
  constexpr int threads = 8;
  constexpr std::uint64_t each = host_test::kSanitized ? 12'500 : 125'000;
  host_test::LogLines log;
  const Running agent(small_pool(), &log);
  on_threads(threads, [] {
    for (std::uint64_t i = 0; i < each; ++i) {
      inlens::Request request(host_test::page_info());
      request.end(i % 10 == 0 ? 404 : 200, 5);
    }
  });
  const json figures = settled_figures();
  REQUIRE(figures.is_object());
  const auto& lost = figures["lost"];
  INFO(lost.dump());
  const auto kept = figures["worker"]["records"].get<std::uint64_t>();
  CHECK(lost["poolEmpty"] > 0);
  CHECK(lost["total"] == sum_of_reasons(lost));
  CHECK(kept + lost["total"].get<std::uint64_t>() == threads * each);
  CHECK(figures["lostByKind"]["requests"] == lost["total"]);

  const json overview = host_test::ask_json(host_test::console_port(), "overview");
  CHECK(overview["requests"]["total"] == threads * each);
  CHECK(overview["requests"]["statusClasses"]["4xx"] == threads * each / 10);
  CHECK(overview["requests"]["bytesOut"] == threads * each * 5);
  CHECK(overview["requests"]["inflight"] == 0);
  CHECK(log.lines().size() <= kMostLogLines);
}

TEST_CASE("Of many errors through a small pool each is counted, and seen by the guard or lost by name") {
  constexpr int threads = 4;
  constexpr std::uint64_t each = host_test::kSanitized ? 5'000 : 50'000;
  host_test::LogLines log;
  const Running agent(small_pool(), &log);
  on_threads(threads, [] {
    for (std::uint64_t i = 0; i < each; ++i) inlens::error("Flood", "a", {}, inlens::Handled::kNo, {});
  });
  const json figures = settled_figures();
  REQUIRE(figures.is_object());
  INFO(figures["lost"].dump() << figures["guard"].dump());
  const auto& guard = figures["guard"];
  CHECK(figures["lost"]["poolEmpty"] > 0);
  CHECK(guard["seen"].get<std::uint64_t>() + figures["lostByKind"]["errors"].get<std::uint64_t>() ==
        threads * each);
  CHECK(guard["identityHolds"] == true);
  CHECK(inlens::figures().errors == threads * each);
  CHECK(log.lines().size() <= kMostLogLines);
}

TEST_CASE("Requests that are too large for their record are counted in full") {
  const Running agent(small_pool("full"));
  inlens::Request request(host_test::page_info());
  const inlens::Attach attach(request);
  const std::string long_text(10'000, 'x');
  for (int i = 0; i < 5'000; ++i) {
    inlens::Statement("SELECT '" + long_text + std::to_string(i)).rows(1);
    inlens::message(long_text);
  }
  request.end(200);
  make_request();
  CHECK(inlens::figures().statements == 5'001);
  CHECK(inlens::figures().requests == 2);
  CHECK(inlens::figures().lost > 0);
}

TEST_CASE("Any number of different paths and statements takes the tables' rows and then one named other") {
  constexpr std::uint64_t distinct = host_test::kSanitized ? 2'000 : 50'000;
  const Running agent(host_test::settings("light", R"("worker": {"pollMs": 5})"));
  std::size_t memory = 0;
  for (std::uint64_t i = 0; i < distinct; ++i) {
    std::string name;  // of letters alone: numbers would be masked
    for (std::uint64_t rest = i + 1; rest != 0; rest /= 26)
      name.push_back(static_cast<char>('a' + rest % 26));
    inlens::Request request(host_test::page_info("/" + name));
    inlens::Statement("SELECT x FROM " + name, inlens::Dialect::kGeneric, {}, request).rows(1);
    request.end(200);
    // The pool may be the small one of the first case: it lives as long as the process.
    if (i % 100 == 0) host_test::wait_until([] { return inlens::figures().queue_depth == 0; });
    if (i == distinct / 10) memory = host_test::resident_bytes();
  }
  const json lost = settled_figures()["lost"];
  // An answer waits only so long for the worker, and then tells what was before.
  json reports, queries;
  host_test::wait_until([&] {
    queries = host_test::ask_json(host_test::console_port(), "queries");
    return queries.is_object() && queries["overall"]["runs"] == distinct;
  });
  host_test::wait_until([&] {
    reports = host_test::ask_json(host_test::console_port(), "reports");
    return reports.is_object();
  });
  CHECK(reports["routes"]["items"].size() == 300);
  CHECK(queries["items"].size() == 500);
  CHECK(lost["total"] == lost["stopped"]);  // an earlier case's, that a busy machine left in the queue
  std::uint64_t in_rows = reports["routes"]["other"]["count"].get<std::uint64_t>();
  for (const json& row : reports["routes"]["items"]) in_rows += row["requests"].get<std::uint64_t>();
  CHECK(in_rows == distinct);
  if (!host_test::kSanitized) CHECK(host_test::resident_bytes() < memory + (std::size_t{24} << 20));
}

TEST_CASE("A hundred thousand threads of one request each cost no more memory than a few") {
  constexpr int rounds = host_test::kSanitized ? 60 : 2'000;
  constexpr int at_once = 50;
  const Running agent;
  const std::uint64_t before = inlens::figures().requests;
  std::size_t memory = 0;
  for (int round = 0; round < rounds; ++round) {
    on_threads(at_once, [] { make_request(); });
    if (round == rounds / 10) memory = host_test::resident_bytes();
  }
  CHECK(inlens::figures().requests - before == std::uint64_t{rounds} * at_once);
  CHECK(host_test::ask_json(host_test::console_port(), "agent")["hooks"]["threads"] <= 2 * at_once);
  if (!host_test::kSanitized) CHECK(host_test::resident_bytes() < memory + (std::size_t{24} << 20));
}

TEST_CASE("A million different paths cost no more memory than a few, and most of them share a row") {
  constexpr std::uint64_t paths = host_test::kSanitized ? 50'000 : 1'000'000;
  const Running agent;
  std::size_t memory = 0;
  for (std::uint64_t path = 0; path < paths; ++path) {
    make_request(path_of(path));
    if (path == paths / 10) memory = host_test::resident_bytes();
  }
  CHECK(inlens::figures().requests == paths);
  if (!host_test::kSanitized) CHECK(host_test::resident_bytes() < memory + (std::size_t{24} << 20));
  // The snapshot may be older than the figures while the machine is busy.
  json routes;
  do {
    const json stores = settled_figures()["stores"];
    for (const json& table : stores) {
      CHECK(table["used"] <= table["cap"]);
      if (table["name"] == "routes") routes = table;
    }
  } while (routes["used"] != routes["cap"] || routes["overflowed"] <= paths / 100);
}
