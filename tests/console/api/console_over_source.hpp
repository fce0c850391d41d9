// A source whose answers a test sets, and a real console over it, called as its listener would. For tests
// only.
#pragma once

#include <string>
#include <vector>

#include "agent/config/json.hpp"
#include "console/api/views.hpp"
#include "console/server/router.hpp"
#include "tests/console/api/sample_store.hpp"

namespace inlens::console::api::test {

class SampleSource : public store::Source {
 public:
  SampleSource() = default;  // an agent that has seen nothing
  explicit SampleSource(Texts texts)
      : snapshot_now(sample_snapshot(texts)),
        totals_now(sample_totals()),
        in_flight_now(sample_in_flight(texts)),
        figures_now(sample_figures(texts)),
        connections_now(sample_connections(texts)),
        collectors_now(sample_collectors(texts)) {}

  store::Snapshot snapshot_now;
  store::Totals totals_now;
  std::vector<store::InFlight> in_flight_now;
  store::AgentFigures figures_now;
  std::vector<store::ConnectionStats> connections_now;
  std::vector<store::CollectorStats> collectors_now;
  std::shared_ptr<const LoadResult> settings_now = std::make_shared<const LoadResult>();
  std::vector<std::uint32_t> resolved;
  std::chrono::milliseconds longest_wait{0};
  std::uint64_t requests_per_snapshot = 0;  // how many requests end while a snapshot is taken

  std::shared_ptr<const store::Snapshot> snapshot(std::chrono::milliseconds wait) override {
    longest_wait = std::max(longest_wait, wait);
    auto taken = std::make_shared<const store::Snapshot>(snapshot_now);
    totals_now.requests += requests_per_snapshot;
    return taken;
  }
  store::Totals totals() override { return totals_now; }
  std::vector<store::InFlight> in_flight() override { return in_flight_now; }
  std::vector<store::ConnectionStats> connections() override { return connections_now; }
  std::vector<store::CollectorStats> collectors() override { return collectors_now; }
  store::AgentFigures figures() override { return figures_now; }
  std::shared_ptr<const LoadResult> settings() override { return settings_now; }

  std::optional<Problem> change_setting(std::string_view key, std::string_view json_value) override {
    auto changed = apply_override(*settings_now, key, json_value);
    if (auto* problem = std::get_if<Problem>(&changed)) return *problem;
    settings_now = std::make_shared<const LoadResult>(std::get<LoadResult>(std::move(changed)));
    return std::nullopt;
  }

  bool resolve_issue(std::uint32_t id) override {
    resolved.push_back(id);
    return std::erase_if(snapshot_now.issues, [&](const store::Issue& issue) { return issue.id == id; }) > 0;
  }
};

struct Reply {
  int status = 0;
  std::string text;
  nlohmann::json body;  // discarded when `text` is no JSON
};

class ConsoleOverSource {
 public:
  explicit ConsoleOverSource(store::Source& source) : console_(options(), now, nullptr) {
    register_views(
        [this](auto method, auto pattern, auto handler) { console_.add_route(method, pattern, handler); },
        source, "0.1.0", now);
  }

  Reply ask(std::string_view method, std::string_view target, std::string_view body = "",
            bool with_token = true) {
    Request request;
    request.method = method;
    request.set_target(target);
    request.headers.add("Host", "127.0.0.1:9790");
    if (with_token) request.headers.add("Authorization", "Bearer a token for tests");
    request.body = body;
    request.peer_address = "127.0.0.1";
    const Answer answer = console_.handle(request);
    const std::string text(answer.body_view());
    return {answer.status, text, nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false)};
  }
  Reply get(std::string_view target) { return ask("GET", target); }

 private:
  static Moment now() { return {1'000'000, kNowMs}; }
  static ConsoleOptions options() {
    ConsoleOptions options;
    options.gate.token = "a token for tests";
    options.gate.bound_address = "127.0.0.1";
    options.gate.port = 9790;
    return options;
  }

  Console console_;
};

}  // namespace inlens::console::api::test
