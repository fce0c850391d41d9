#include "agent/worker/server_findings.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "agent/worker/findings.hpp"

namespace inlens::worker {

namespace {

constexpr std::size_t kMostFindings = 10;
constexpr std::uint64_t kFewestFailures = 3;  // a single 5xx is an accident
constexpr std::uint64_t kFailingShare = 100;  // one in a hundred
constexpr std::size_t kFewestOpening = 5;     // a pool that fills up is no finding
constexpr std::size_t kFewestAlike = 2;       // kept requests of a route with the same finding

struct Weighed {
  std::uint64_t weight = 0;  // requests concerned, failures before everything else
  store::Finding finding;
};

std::string name_of(const std::string& method, const std::string& route) {
  return method.empty() ? route : method + ' ' + route;
}

void add_failing_routes(const store::Snapshot& snapshot, std::vector<Weighed>& found) {
  for (const store::RouteStats& route : snapshot.routes) {
    const std::uint64_t failed = route.status_classes[5];
    const std::uint64_t all = route.latency.count;
    if (failed < kFewestFailures || failed * kFailingShare < all) continue;
    const std::string name = route.other ? "Routes that found no place" : name_of(route.method, route.route);
    found.push_back({failed << 32,
                     {"failingRoute",
                      name + " answered " + std::to_string(failed) + " of " + std::to_string(all) +
                          " requests with a 5xx status",
                      route.other ? std::string() : "requests?status=5xx"}});
  }
}

void add_flood(const store::Snapshot& snapshot, std::vector<Weighed>& found) {
  const store::GuardFigures& guard = snapshot.guard;
  if (guard.dropped == 0 && guard.overflowed == 0) return;
  found.push_back({guard.seen << 32,
                   {"errorFlood",
                    "Of " + std::to_string(guard.seen) + " errors, " + std::to_string(guard.dropped) +
                        " came faster than they are counted and " + std::to_string(guard.overflowed) +
                        " were of more kinds than are listed",
                    "issues"}});
}

void add_failing_servers(const store::Snapshot& snapshot, std::vector<Weighed>& found) {
  for (const store::CallStats& row : snapshot.calls) {
    const std::uint64_t failed = row.failures + row.status_classes[5];
    if (row.other || failed < kFewestFailures || failed * kFailingShare < row.latency.count) continue;
    const std::string reason = row.last_error.empty() ? "" : " (last: " + row.last_error + ")";
    found.push_back({failed << 32,
                     {"failingHost",
                      row.server + " failed " + std::to_string(failed) + " of " +
                          std::to_string(row.latency.count) + " calls" + reason,
                      "calls"}});
  }
}

// Routes whose kept requests open a connection as a rule, instead of taking one that is open already.
void add_connections_per_request(const store::Snapshot& snapshot, std::vector<Weighed>& found) {
  struct Opening {
    std::size_t requests = 0;
    std::size_t connections = 0;
    std::uint64_t total_ns = 0;
  };
  std::map<std::string, std::size_t> kept;
  std::map<std::pair<std::string, std::string>, Opening> openings;
  for (const auto& request : snapshot.requests) {
    if (request->background) continue;
    const std::string name = name_of(request->method, request->route);
    ++kept[name];
    std::map<std::string, Opening> own;
    for (const store::Span& span : request->spans) {
      if (span.kind != store::SpanKind::kConnect) continue;
      Opening& opening = own[span.name];
      ++opening.connections;
      opening.total_ns += static_cast<std::uint64_t>(std::max<std::int64_t>(span.duration_ns, 0));
    }
    for (const auto& [target, opening] : own) {
      Opening& all = openings[{name, target}];
      ++all.requests;
      all.connections += opening.connections;
      all.total_ns += opening.total_ns;
    }
  }
  for (const auto& [key, opening] : openings) {
    const std::size_t requests = kept[key.first];
    if (opening.requests < kFewestOpening || opening.requests * 2 < requests) continue;
    found.push_back(
        {opening.requests,
         {"connectionPerRequest",
          key.first + " opened " + std::to_string(opening.connections) + " connections to " + key.second +
              " in " + std::to_string(opening.requests) + " of its " + std::to_string(requests) +
              " kept requests, " + duration_text(opening.total_ns / opening.connections) + " each",
          "connections"}});
  }
}

// Of each route the kept requests that share a kind of finding, told by the longest of them.
void add_common_findings(const store::Snapshot& snapshot, std::vector<Weighed>& found) {
  struct Common {
    std::size_t requests = 0;
    std::uint64_t longest_ns = 0;
    const store::Finding* told_by = nullptr;
    const store::RequestDetail* request = nullptr;
  };
  std::map<std::string, std::size_t> kept;
  std::map<std::pair<std::string, std::string>, Common> common;
  for (const auto& request : snapshot.requests) {
    const std::string name = name_of(request->method, request->route);
    ++kept[name];
    std::string last_kind;
    for (const store::Finding& finding : request->findings) {
      if (finding.kind == last_kind) continue;
      last_kind = finding.kind;
      Common& group = common[{name, finding.kind}];
      ++group.requests;
      if (group.told_by != nullptr && request->duration_ns <= group.longest_ns) continue;
      group.longest_ns = request->duration_ns;
      group.told_by = &finding;
      group.request = request.get();
    }
  }
  for (const auto& [key, group] : common) {
    if (group.requests < kFewestAlike) continue;
    const std::string link =
        group.told_by->link.empty() ? "requests/" + to_hex(group.request->id) : group.told_by->link;
    found.push_back(
        {group.requests,
         {group.told_by->kind,
          key.first + ": " + group.told_by->sentence + " (the longest of " + std::to_string(group.requests) +
              " alike in its " + std::to_string(kept[key.first]) + " kept requests)",
          link}});
  }
}

}  // namespace

std::vector<store::Finding> server_findings(const store::Snapshot& snapshot) {
  std::vector<Weighed> found;
  add_failing_routes(snapshot, found);
  add_flood(snapshot, found);
  add_failing_servers(snapshot, found);
  add_connections_per_request(snapshot, found);
  add_common_findings(snapshot, found);
  std::stable_sort(found.begin(), found.end(),
                   [](const Weighed& a, const Weighed& b) { return a.weight > b.weight; });
  std::vector<store::Finding> findings;
  for (Weighed& weighed : found) {
    if (findings.size() == kMostFindings) break;
    findings.push_back(std::move(weighed.finding));
  }
  return findings;
}

}  // namespace inlens::worker
