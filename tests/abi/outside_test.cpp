// Work outside of requests, connections and collectors, through the C ABI and as the mounted console tells of
// them.
#include <catch2/catch.hpp>
#include <chrono>
#include <inlens/inlens.hpp>
#include <string>
#include <thread>

#include "tests/abi/running_agent.hpp"

using abi_test::ask_console;
using abi_test::running_agent;
using nlohmann::json;

namespace {

inlens_str str(std::string_view text) {
  return {text.data(), text.size()};
}

json view(const std::string& name) {
  const auto answer = ask_console("/~inlens/api/" + name);
  REQUIRE(answer.status == 200);
  return answer.json();
}

json row(const json& items, const char* key, const std::string& value) {
  for (const json& item : items)
    if (item.at(key) == value) return item;
  return nullptr;
}

void run_in_background(const std::string& text) {
  const inlens_request request = inlens_background_enter();
  REQUIRE(request != INLENS_NONE);
  inlens::Statement(text, inlens::Dialect::kSqlite, {}, inlens::RequestRef(request)).rows(1);
  inlens_background_leave(request);
}

[[gnu::noinline]] const void* return_address() {
  return __builtin_return_address(0);
}

std::uint64_t runs_of(const std::string& text) {
  const json statement = row(view("queries").at("items"), "text", text);
  return statement.is_null() ? 0 : statement.at("runs").get<std::uint64_t>();
}

}  // namespace

TEST_CASE(
    "Statements outside of requests are seen a second later, and no total of requests counts their record") {
  running_agent();
  abi_test::settle();
  const std::uint64_t requests = inlens::figures().requests;
  const std::uint64_t lost = inlens::figures().lost;
  std::thread job([] {
    for (int i = 0; i < 40; ++i) run_in_background("select in_background");
  });
  job.join();  // its thread ends, and with it the record
  std::thread idle([] {
    run_in_background("select while_idle");
    while (runs_of("select while_idle") == 0) std::this_thread::yield();  // the worker cuts it
    run_in_background("select while_idle");
  });
  idle.join();
  CHECK(runs_of("select in_background") == 40);
  CHECK(runs_of("select while_idle") == 2);
  CHECK(inlens::figures().requests == requests);
  INFO(view("agent").at("lost").dump());
  CHECK(inlens::figures().lost == lost);
}

TEST_CASE("A statement may bring its piece of background work along") {
  running_agent();
  std::thread([] {
    inlens_statement_info info{};
    info.struct_size = sizeof info;
    info.text = str("select brought_along");
    info.flags = INLENS_STATEMENT_BACKGROUND;
    inlens_statement_result result{};
    result.struct_size = sizeof result;
    result.rows = 3;
    result.duration_ns = 2'000'000;
    inlens_statement_end(inlens_statement_begin(INLENS_CURRENT, &info), nullptr);
    inlens_statement_add(INLENS_CURRENT, &info, &result);
  }).join();
  abi_test::settle();
  const json statement = row(view("queries").at("items"), "text", "select brought_along");
  REQUIRE_FALSE(statement.is_null());
  CHECK(statement.at("runs") == 2);
  CHECK(statement.at("rows") == 3);
  CHECK(statement.at("maxNs") == 2'000'000);
}

TEST_CASE("Inside a request the piece of work belongs to the request") {
  running_agent();
  inlens::Request request(abi_test::page_request());
  const inlens::Attach attach(request);
  const inlens_request entered = inlens_background_enter();
  CHECK(entered == request.ref().handle());
  inlens_background_leave(entered);
  CHECK(inlens::current() == request.ref());
}

TEST_CASE("Pieces of work on one thread may overlap and share one record") {
  running_agent();
  std::thread([] {
    const inlens_request first = inlens_background_enter();
    const inlens_request second = inlens_background_enter();
    CHECK(first == second);
    inlens_background_leave(first);
    inlens_background_leave(second);
    CHECK(inlens_background_enter() == first);
    inlens_background_leave(first);
  }).join();
}

TEST_CASE("Connections are counted by kind and target, and show in the request that opened them") {
  running_agent();
  inlens::Request request(abi_test::page_request());
  const std::string id(request.id().view());
  inlens_connection_info info{};
  info.struct_size = sizeof info;
  info.kind = str("postgresql");
  info.target = str("127.0.0.1:5432/shop");
  info.connect_ns = 2'000'000;
  const inlens_connection first = inlens_connection_opened(request.ref().handle(), &info);
  const inlens_connection second = inlens_connection_opened(INLENS_NONE, &info);
  inlens_connection_failed(INLENS_NONE, &info);
  inlens_connection_use(first, true);
  inlens_connection_use(second, true);
  std::thread([&] { inlens_connection_use(second, false); }).join();
  const json open = row(view("connections").at("items"), "target", "127.0.0.1:5432/shop");
  REQUIRE_FALSE(open.is_null());
  CHECK(open.at("kind") == "postgresql");
  CHECK(open.at("open") == 2);
  CHECK(open.at("inUse") == 1);
  CHECK(open.at("failed") == 1);
  CHECK(open.at("meanConnectNs") == 2'000'000);
  inlens_connection_use(first, false);
  inlens_connection_closed(first);
  inlens_connection_closed(second);
  const json closed = row(view("connections").at("items"), "target", "127.0.0.1:5432/shop");
  CHECK(closed.at("open") == 0);
  CHECK(closed.at("inUse") == 0);
  request.end(200);
  const json spans = abi_test::recorded(id).at("spans");
  REQUIRE(spans.size() == 1);
  CHECK(spans[0].at("kind") == "connect");
  CHECK(spans[0].at("name") == "postgresql 127.0.0.1:5432/shop");
}

TEST_CASE("Targets beyond the table share one row") {
  running_agent();
  inlens_connection_info info{};
  info.struct_size = sizeof info;
  info.kind = str("many");
  for (int i = 0; i < 100; ++i) {
    const std::string target = "host" + std::to_string(i);
    info.target = str(target);
    inlens_connection_closed(inlens_connection_opened(INLENS_NONE, &info));
  }
  std::uint64_t opened = 0;
  const json rows = view("connections").at("items");
  for (const json& item : rows)
    if (item.at("kind") == "many" || item.at("other").get<bool>())
      opened += item.at("opened").get<std::uint64_t>();
  CHECK(opened == 100);
}

TEST_CASE("What a collector said last is what the console shows") {
  running_agent();
  inlens_collector_report(str("sqlite"), INLENS_COLLECTOR_NOT_FOUND, str("not loaded"));
  inlens_collector_report(str("sqlite"), INLENS_COLLECTOR_ON, str("SQLite 3.40.1"));
  inlens_collector_report(str("curl"), INLENS_COLLECTOR_IMPOSSIBLE, str("linked statically"));
  const json attached = view("attached").at("items");
  CHECK(row(attached, "name", "sqlite").at("state") == "on");
  CHECK(row(attached, "name", "sqlite").at("detail") == "SQLite 3.40.1");
  CHECK(row(attached, "name", "curl").at("state") == "impossible");
}

TEST_CASE("A call is recorded with its phases, and its server with their sums") {
  running_agent();
  inlens::Request request(abi_test::page_request());
  const std::string id(request.id().view());
  inlens_call_info info{};
  info.struct_size = sizeof info;
  info.method = str("GET");
  info.url = str("http://phases.example/items?token=abc");
  inlens_call_result result{};
  result.struct_size = sizeof result;
  result.status = 200;
  result.duration_ns = 9'000'000;
  result.dns_ns = 1'000'000;
  result.connect_ns = 2'000'000;
  result.first_byte_ns = 5'000'000;
  inlens_call_end(inlens_call_begin(request.ref().handle(), &info), &result);
  request.end(200);
  const json call = abi_test::recorded(id).at("spans").at(0).at("call");
  CHECK(call.at("url") == "http://phases.example/items?token=***");
  CHECK(call.at("connectNs") == 2'000'000);
  CHECK(call.at("tlsNs").is_null());
  const json server = row(view("calls").at("items"), "server", "http://phases.example");
  CHECK(server.at("calls") == 1);
  CHECK(server.at("connected") == 1);
  CHECK(server.at("totalNs") == 9'000'000);
}

TEST_CASE("The caller of a statement is told as function, file and line") {
  running_agent();
  inlens::Request request(abi_test::page_request());
  const std::string id(request.id().view());
  const void* here = return_address();
  inlens::Statement("select 1", inlens::Dialect::kSqlite, {}, request, here).rows(1);
  request.end(200);
  std::string caller;
  do caller = abi_test::recorded(id).at("spans").at(0).at("statement").at("caller").get<std::string>();
  while (caller.find("outside_test.cpp:") == std::string::npos &&
         caller.find("abi_api") != std::string::npos);
  CHECK(caller.find("outside_test.cpp:") != std::string::npos);
}
