// What a host reports through the C++ API and what the mounted console then tells of it.
#include <catch2/catch.hpp>
#include <chrono>
#include <inlens/inlens.hpp>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>

#include "tests/abi/running_agent.hpp"

using abi_test::page_request;
using abi_test::recorded;
using abi_test::running_agent;
using inlens::Request;
using nlohmann::json;

namespace {

json one_named(const json& list, const char* key, const std::string& name) {
  for (const json& item : list)
    if (item.at(key) == name) return item;
  FAIL("no " << name << " in " << list.dump());
  return {};
}

// Runs `work` with a request attached and gives what the console tells of that request.
template <class Work>
json recorded_after(Work&& work) {
  running_agent();
  Request request(page_request());
  const std::string id(request.id().view());
  {
    const inlens::Attach attach(request);
    work(request);
  }
  request.end({.status = 200, .bytes_out = 12, .content_type = "text/html"});
  return recorded(id);
}

struct ShopError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace

TEST_CASE("A request is recorded with what begin, route and end said") {
  const json request = recorded_after([](Request& r) { r.route("/page/{id}"); });
  CHECK(request.at("method") == "GET");
  CHECK(request.at("target") == "/page");
  CHECK(request.at("route") == "/page/{id}");
  CHECK(request.at("status") == 200);
  CHECK(request.at("bytesOut") == 12);
  CHECK(request.at("contentType") == "text/html");
  CHECK(request.at("protocol") == "HTTP/1.1");
}

TEST_CASE("Spans are recorded inside each other as their scopes were") {
  const json request = recorded_after([](Request&) {
    const inlens::Span outer("outer", inlens::SpanKind::kStage);
    const inlens::Span inner("inner", inlens::SpanKind::kCache);
  });
  const json& spans = request.at("spans");
  REQUIRE(spans.size() == 2);
  CHECK(spans[0].at("name") == "outer");
  CHECK(spans[0].at("kind") == "stage");
  CHECK(spans[0].at("depth") == 0);
  CHECK(spans[1].at("name") == "inner");
  CHECK(spans[1].at("kind") == "cache");
  CHECK(spans[1].at("parent") == 0);
}

TEST_CASE("A span that begins on one thread may end on another") {
  const json request = recorded_after([](Request&) {
    inlens::Span span("travels");
    std::thread([moved = std::move(span)]() mutable { moved.end(); }).join();
  });
  CHECK(one_named(request.at("spans"), "name", "travels").at("durationNs").is_number());
}

TEST_CASE("While it runs a request tells what is open in it: a statement, a call or another span") {
  running_agent();
  const Request request(page_request());
  const inlens::Attach attach(request);
  const auto now = [id = std::string(request.id().view())] {
    const json rows = abi_test::ask_console("/~inlens/api/inflight").json().at("items");
    return one_named(rows, "id", id);
  };
  CHECK(now().at("currentKind").is_null());
  {
    const inlens::Span span("checkout", inlens::SpanKind::kStage);
    CHECK(now().at("currentKind") == "span");
    {
      const inlens::Statement statement("SELECT 1");
      CHECK(now().at("currentKind") == "statement");
    }
    CHECK(now().at("currentKind") == "span");
    const inlens::Call call("GET", "http://localhost/");
    CHECK(now().at("currentKind") == "call");
  }
  CHECK(now().at("currentKind").is_null());
  CHECK(now().at("statements") == 1);
}

TEST_CASE("A statement is recorded with masked text, rows and outcome") {
  const json request = recorded_after([](Request&) {
    inlens::Statement("SELECT name FROM users WHERE mail = 'a@example.org'", inlens::Dialect::kSqlite, "shop")
        .rows(3);
    inlens::Statement("UPDATE users SET x = 1").failed("23505", "duplicate");
  });
  const json& counts = request.at("counts");
  CHECK(counts.at("statements") == 2);
  CHECK(counts.at("failedStatements") == 1);
  const json first = request.at("spans").at(0).at("statement");
  CHECK(first.at("text").get<std::string>().find("example") == std::string::npos);
  CHECK(first.at("rows") == 3);
  CHECK(first.at("dialect") == "sqlite");
  CHECK(first.at("database") == "shop");
  CHECK_FALSE(first.at("failed").get<bool>());
  const json second = request.at("spans").at(1).at("statement");
  CHECK(second.at("failed").get<bool>());
  CHECK(second.at("errorCode") == "23505");
}

TEST_CASE("A statement and a call left by an exception count as failed") {
  const json request = recorded_after([](Request&) {
    try {
      const inlens::Statement statement("SELECT 1");
      const inlens::Call call("GET", "http://localhost/");
      throw ShopError("out");
    } catch (const ShopError&) {
    }
  });
  CHECK(request.at("spans").at(0).at("statement").at("failed").get<bool>());
  CHECK(request.at("spans").at(1).at("call").at("failed").get<bool>());
}

TEST_CASE("A call is recorded with its answer, without secrets of its URL") {
  const json request = recorded_after([](Request&) {
    inlens::Call("POST", "https://me:pass-word@example.org/pay?token=abcdef&n=1").answered(201, 10, 20);
  });
  const json call = request.at("spans").at(0).at("call");
  CHECK(call.at("method") == "POST");
  CHECK(call.at("status") == 201);
  CHECK(call.at("bytesIn") == 10);
  CHECK(call.at("bytesOut") == 20);
  const auto url = call.at("url").get<std::string>();
  CHECK(url.find("example.org/pay") != std::string::npos);
  CHECK(url.find("pass-word") == std::string::npos);
  CHECK(url.find("abcdef") == std::string::npos);
}

TEST_CASE("An exception is recorded under its dynamic type, with its code if it has one") {
  const json request = recorded_after([](Request&) {
    const ShopError derived("derived");
    inlens::error(static_cast<const std::exception&>(derived), inlens::Handled::kYes);
    inlens::error(std::system_error(std::make_error_code(std::errc::timed_out), "late"));
  });
  const json& errors = request.at("errors");
  REQUIRE(errors.size() == 2);
  CHECK(errors[0].at("type").get<std::string>().find("ShopError") != std::string::npos);
  CHECK(errors[0].at("message") == "derived");
  CHECK(errors[0].at("handled").get<bool>());
  CHECK(errors[1].at("type") == "std::system_error");
  CHECK(errors[1].at("code") == "generic:110");
  CHECK_FALSE(errors[1].at("handled").get<bool>());
}

TEST_CASE("The exception being handled is reported, whatever was thrown") {
  const json request = recorded_after([](Request&) {
    inlens::error_being_handled();  // none is: nothing to report
    try {
      throw ShopError("known");
    } catch (...) {
      inlens::error_being_handled();
    }
    try {
      throw 42;
    } catch (...) {
      inlens::error_being_handled(inlens::Handled::kYes);
    }
  });
  const json& errors = request.at("errors");
  REQUIRE(errors.size() == 2);
  CHECK(errors[0].at("message") == "known");
  CHECK(errors[1].at("type") == "int");
}

TEST_CASE("A request left by an exception ends with status 500") {
  running_agent();
  std::string id;
  try {
    const Request request(page_request());
    id = request.id().view();
    throw ShopError("nobody ended it");
  } catch (const ShopError&) {
  }
  CHECK(recorded(id).at("status") == 500);
}

TEST_CASE("A request whose owner goes away ends with its status unknown") {
  running_agent();
  std::string id;
  {
    const Request request(page_request());
    id = request.id().view();
  }
  CHECK(recorded(id).at("status") == 0);
}

TEST_CASE("A request may be begun, worked on and ended on three threads") {
  running_agent();
  Request request(page_request());
  const std::string id(request.id().view());
  std::thread([&request] {
    const inlens::Attach attach(request);
    inlens::message("from the second thread");
  }).join();
  std::thread([moved = std::move(request)]() mutable { moved.end(202); }).join();
  const json seen = recorded(id);
  CHECK(seen.at("status") == 202);
  CHECK(one_named(seen.at("messages"), "text", "from the second thread").at("severity") == "info");
}

TEST_CASE("Tasks work beside their request, and their statements belong to it") {
  const json request = recorded_after([](Request&) {
    std::vector<std::thread> threads;
    for (const char* name : {"left", "right"}) {
      threads.emplace_back(
          [](inlens::Task task) {
            const inlens::Attach attach(task);
            CHECK(inlens::current());
            inlens::Statement("SELECT 1").rows(1);
          },
          inlens::Task(name));
    }
    for (std::thread& thread : threads) thread.join();
  });
  const json& tasks = request.at("tasks");
  REQUIRE(tasks.size() == 2);
  one_named(tasks, "name", "left");
  one_named(tasks, "name", "right");
  CHECK(request.at("counts").at("statements") == 2);
}

TEST_CASE("A task may outlive its request") {
  running_agent();
  const auto before = inlens::figures();
  Request request(page_request());
  inlens::Task task("late", request);
  request.end(200);
  {
    const inlens::Attach attach(task);
    inlens::Statement("SELECT 1").rows(1);
  }
  task.end();
  const auto after = inlens::figures();
  CHECK(after.statements == before.statements + 1);
  CHECK(after.unpaired == before.unpaired);
}

TEST_CASE("Messages, timers and headers are recorded, secrets of headers are not") {
  const json request = recorded_after([](Request& r) {
    inlens::message("careful", inlens::Severity::kWarning);
    inlens::timer("rendering", std::chrono::milliseconds(5));
    inlens::timer("rendering", std::chrono::milliseconds(7));
    r.ref().header(inlens::Direction::kRequest, "Cookie", "session=top-secret");
    r.ref().header(inlens::Direction::kResponse, "X-Plain", "visible");
  });
  CHECK(one_named(request.at("messages"), "text", "careful").at("severity") == "warning");
  const json timer = one_named(request.at("timers"), "name", "rendering");
  CHECK(timer.at("count") == 2);
  CHECK(timer.at("totalNs").get<double>() == Approx(12e6));  // to a tick of the clock
  CHECK(timer.at("maxNs").get<double>() == Approx(7e6));
  CHECK(one_named(request.at("headers").at("response"), "name", "X-Plain").at("value") == "visible");
  CHECK(request.dump().find("top-secret") == std::string::npos);
}

TEST_CASE("Panels of each kind arrive cell by cell") {
  const json request = recorded_after([](Request&) {
    inlens::Panel::table("goods", {"name", "count"})
        .row({"bowl", "3"})
        .row({"lamp"})
        .row({"vase", "1", "surplus"})
        .show();
    inlens::Panel::key_value("facts").pair("a", "1").pair("b", "").show();
    inlens::Panel::tree("tree").node(0, "root").node(1, "leaf", "x").show();
    inlens::Panel::text("note", "a\nb").show();
  });
  const json& panels = request.at("panels");
  REQUIRE(panels.size() == 4);
  CHECK(panels[0].at("kind") == "table");
  CHECK(panels[0].at("columns") == json({"name", "count"}));
  CHECK(panels[0].at("rows") == json::array({{"bowl", "3"}, {"lamp", ""}, {"vase", "1"}}));
  CHECK(panels[1].at("kind") == "keyValue");
  CHECK(panels[1].at("rows") == json::array({{"a", "1"}, {"b", ""}}));
  CHECK(panels[2].at("kind") == "tree");
  CHECK(panels[2].at("depths") == json({0, 1}));
  CHECK(panels[3].at("kind") == "text");
  CHECK(panels[3].at("rows").at(0).at(0) == "a\nb");
}

TEST_CASE("A subrequest names its parent") {
  running_agent();
  Request parent(page_request());
  const std::string parent_id(parent.id().view());
  inlens::RequestInfo info = page_request();
  info.flags = INLENS_REQUEST_SUBREQUEST;
  info.parent = parent;
  Request child(info);
  const std::string id(child.id().view());
  child.end(200);
  parent.end(200);
  CHECK(recorded(id).at("parentId") == parent_id);
}

TEST_CASE("A request that the client left is marked as aborted") {
  running_agent();
  Request request(page_request());
  const std::string id(request.id().view());
  request.end({.status = 200, .aborted = true});
  CHECK(recorded(id).at("flags").dump().find("aborted") != std::string::npos);
}
