#include "console/api/views.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "agent/config/describe.hpp"
#include "console/api/agent.hpp"
#include "console/api/inflight.hpp"
#include "console/api/issues.hpp"
#include "console/api/json.hpp"
#include "console/api/openapi_text.hpp"
#include "console/api/outside.hpp"
#include "console/api/overview.hpp"
#include "console/api/parameters.hpp"
#include "console/api/queries.hpp"
#include "console/api/refusals.hpp"
#include "console/api/reports.hpp"
#include "console/api/request_detail.hpp"
#include "console/api/requests.hpp"
#include "console/server/answers.hpp"

namespace inlens::console::api {
namespace {

// With a busy worker the answer takes what there is: it has to be out within 50 ms.
constexpr std::chrono::milliseconds kWait{20};

Answer ok(const Json& value) {
  return json_answer(200, to_text(value));
}

std::optional<Answer> refuse_any_parameter(const Request& request) {
  if (auto problem = Parameters(request.query).problem()) return bad_parameter(*problem);
  return std::nullopt;
}

// The new value as JSON text, or nothing when the body is not of schema SettingChange.
std::optional<std::string> read_setting_change(std::string_view body) {
  const Json json = Json::parse(body, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || json.size() != 1 || !json.contains("value")) return std::nullopt;
  return to_text(json["value"]);
}

class Views {
 public:
  Views(store::Source& source, std::string version, Clock clock)
      : source_(source), version_(std::move(version)), clock_(std::move(clock)) {}

  Answer overview(const Request&) const {
    const auto snapshot = source_.snapshot(kWait);
    const store::Totals totals = source_.totals();
    const store::AgentFigures figures = source_.figures();
    return ok(api::overview({*snapshot, totals, figures, source_.settings()->config.server,
                             requests_in_flight(source_.in_flight()), now()}));
  }

  Answer requests(const Request& request) const {
    Parameters parameters(request.query);
    const RequestFilter filter = read_filter(parameters);
    if (const auto problem = parameters.problem()) return bad_parameter(*problem);
    const auto snapshot = source_.snapshot(kWait);
    return ok(api::requests(*snapshot, filter, history_limit(), source_.totals().requests));
  }

  // Asked for by the console, and by a page for its own request, which may have ended a moment ago.
  Answer request(const Request& request) const {
    const auto id = store::request_id_from_hex(request.parameter);
    if (!id) return no_such_id("a request");
    // Twice, as it may end and be drained between the first look and the others.
    for (int look = 0; look < 2; ++look) {
      const auto snapshot = source_.snapshot(kWait);
      if (const auto* found = find_request(*snapshot, *id)) return ok(request_detail(*found, *snapshot));
      if (is_running(*id)) return still_running();
      if (source_.figures().queue_depth > 0) return not_yet(history_limit());
    }
    return recycled_request(history_limit());
  }

  Answer inflight(const Request&) const {
    const auto snapshot = source_.snapshot(kWait);
    return ok(api::inflight(source_.in_flight(), *snapshot, now()));
  }

  Answer issues(const Request&) const {
    return ok(api::issues(*source_.snapshot(kWait), source_.settings()->config.issues.max));
  }

  Answer issue(const Request& request) const {
    if (!is_issue_id(request.parameter)) return no_such_id("an issue");
    const auto snapshot = source_.snapshot(kWait);
    const store::Issue* issue = find_issue(*snapshot, request.parameter);
    return issue ? ok(issue_detail(*issue, *snapshot)) : recycled_issue();
  }

  Answer resolve(const Request& request) const {
    if (!is_issue_id(request.parameter)) return no_such_id("an issue");
    const auto snapshot = source_.snapshot(kWait);
    const store::Issue* issue = find_issue(*snapshot, request.parameter);
    if (!issue || !source_.resolve_issue(issue->id)) return recycled_issue();
    return ok(issue_detail(*issue, *snapshot, now()));
  }

  Answer queries(const Request&) const {
    return ok(api::queries(*source_.snapshot(kWait), source_.settings()->config.limits.statements));
  }

  Answer reports(const Request&) const {
    const auto snapshot = source_.snapshot(kWait);
    return ok(api::reports(*snapshot, source_.settings()->config.limits.routes,
                           source_.figures().started_unix_ms, now()));
  }

  Answer agent(const Request&) const {
    const auto snapshot = source_.snapshot(kWait);
    const store::AgentFigures figures = source_.figures();
    return ok(api::agent({*snapshot, figures, *source_.settings(), version_, now()}));
  }

  Answer calls(const Request&) const { return ok(api::calls(*source_.snapshot(kWait))); }
  Answer findings(const Request&) const { return ok(api::findings(*source_.snapshot(kWait))); }
  Answer connections(const Request&) const { return ok(api::connections(source_.connections())); }
  Answer attached(const Request&) const { return ok(api::attached(source_.collectors())); }

  Answer settings(const Request&) const { return ok(describe_settings(*source_.settings())); }

  Answer change_setting(const Request& request) const {
    const auto value = read_setting_change(request.body);
    if (!value) return refusal(400, "badRequest", "Send JSON with one member, `value`.");
    const auto problem = source_.change_setting(request.parameter, *value);
    if (problem && problem->kind == ProblemKind::kUnknownKey)
      return refusal(404, "notFound", problem->text());
    if (problem) return refusal(400, "badRequest", problem->text());
    return ok(describe_setting(*source_.settings(), request.parameter));
  }

 private:
  std::int64_t now() const { return clock_().unix_ms; }
  std::uint64_t history_limit() const { return history_cap(source_.settings()->config); }

  bool is_running(const store::RequestId& id) const {
    const auto rows = source_.in_flight();
    return std::any_of(rows.begin(), rows.end(), [&](const store::InFlight& row) { return row.id == id; });
  }

  store::Source& source_;
  const std::string version_;
  const Clock clock_;
};

}  // namespace

void register_views(const AddRoute& add, store::Source& source, std::string version, Clock clock) {
  const auto views = std::make_shared<const Views>(source, std::move(version), std::move(clock));
  using View = Answer (Views::*)(const Request&) const;
  const auto with_parameters = [&](std::string_view method, std::string_view pattern, View view) {
    add(method, pattern,
        [views, view](const Request& request, const Identity&) { return ((*views).*view)(request); });
  };
  const auto plain = [&](std::string_view method, std::string_view pattern, View view) {
    add(method, pattern, [views, view](const Request& request, const Identity&) {
      if (auto refused = refuse_any_parameter(request)) return *std::move(refused);
      return ((*views).*view)(request);
    });
  };
  plain("GET", "/api/overview", &Views::overview);
  with_parameters("GET", "/api/requests", &Views::requests);
  plain("GET", "/api/requests/{id}", &Views::request);
  plain("GET", "/api/inflight", &Views::inflight);
  plain("GET", "/api/issues", &Views::issues);
  plain("GET", "/api/issues/{id}", &Views::issue);
  plain("POST", "/api/issues/{id}/resolve", &Views::resolve);
  plain("GET", "/api/queries", &Views::queries);
  plain("GET", "/api/reports", &Views::reports);
  plain("GET", "/api/calls", &Views::calls);
  plain("GET", "/api/connections", &Views::connections);
  plain("GET", "/api/findings", &Views::findings);
  plain("GET", "/api/attached", &Views::attached);
  plain("GET", "/api/agent", &Views::agent);
  plain("GET", "/api/settings", &Views::settings);
  plain("PUT", "/api/settings/{key}", &Views::change_setting);
  plain("GET", "/bar/data/{id}", &Views::request);
  add("GET", "/api/openapi.json", [](const Request&, const Identity&) {
    Answer answer = json_answer(200, {});
    answer.body = openapi_text();
    return answer;
  });
}

}  // namespace inlens::console::api
