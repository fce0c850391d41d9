// Uses every part of the C++ API once, so that a host's older dialect or missing features show when it is
// compiled.
#include <chrono>
#include <inlens/inlens.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace host {

void respond(inlens::Request& request, std::string& body) {
  const std::vector<inlens_header> headers = {inlens::header("Content-Type", std::string("text/html"))};
  inlens::ResponseHead head;
  head.headers = headers;
  const inlens::Edit edit = inlens::decorate(body, head, request);
  edit.remove_stale([](std::string_view) {});
  inlens::Decorator decorator(head);
  decorator.write(body, [](std::string_view) {});
  decorator.finish([](std::string_view) {});
}

void report(const std::exception& failure) {
  const inlens::Span span("span", inlens::SpanKind::kWait);
  inlens::Statement statement(std::string("SELECT 1"), inlens::Dialect::kPostgres, "db");
  statement.rows(1);
  inlens::Call call("GET", "http://localhost/");
  static_cast<void>(call.traceparent());
  call.answered(200);
  inlens::error(failure, inlens::Handled::kYes);
  inlens::error("Type", "message");
#if defined(__cpp_exceptions)
  inlens::error_being_handled();
#endif
  inlens::message("message", inlens::Severity::kDebug);
  inlens::timer("timer", std::chrono::microseconds(3));
  inlens::Panel::table("table", {"a", "b"}).row({"1", "2"}).show();
  inlens::Panel::tree("tree").node(0, "root").show();
}

void serve() {
  inlens::start();
  inlens::Request request(inlens::RequestInfo{});
  inlens::Task task("task", request);
  {
    const inlens::Attach attach(task);
    report(std::runtime_error("failure"));
  }
  std::string body;
  respond(request, body);
  inlens::Request moved(std::move(request));
  moved.end(200, body.size(), "text/html");
  inlens::handle_console({}, [](const inlens_http_answer&) {});
  static_cast<void>(inlens::console_link());
  static_cast<void>(inlens::figures());
  static_cast<void>(inlens::id());
  inlens::stop();
}

}  // namespace host
