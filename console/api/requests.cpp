#include "console/api/requests.hpp"

#include <algorithm>

#include "console/api/usual.hpp"

namespace inlens::console::api {
namespace {

constexpr std::uint64_t kMaxLimit = 200;
constexpr std::uint64_t kMaxOffset = 1'000'000;
constexpr std::uint64_t kMaxDurationMs = 86'400'000;
constexpr std::uint64_t kNsPerMs = 1'000'000;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool contains(std::string_view text, std::string_view part) {
  const auto same = [](char a, char b) { return lower(a) == lower(b); };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

bool has_text(const store::RequestDetail& request, std::string_view part) {
  return contains(request.target, part) || contains(request.route, part) || contains(request.method, part) ||
         contains(store::to_hex(request.id), part);
}

bool is_server_error(const store::RequestDetail& request) {
  return request.status >= 500 && request.status <= 599;
}

bool has_unhandled_error(const store::RequestDetail& request) {
  return std::any_of(request.errors.begin(), request.errors.end(),
                     [](const store::ErrorDetail& error) { return !error.handled; });
}

bool is_slow(const store::RequestDetail& request) {
  return std::any_of(request.findings.begin(), request.findings.end(),
                     [](const store::Finding& finding) { return finding.kind == "slowRequest"; });
}

bool is_truncated(const store::RequestCounts& counts) {
  return counts.statements_cut + counts.spans_cut + counts.errors_cut + counts.messages_cut +
             counts.strings_cut >
         0;
}

Json request_row(const store::RequestDetail& request, const UsualTimes& usual) {
  return Json::object({{"id", store::to_hex(request.id)},
                       {"method", request.method},
                       {"target", request.target},
                       {"route", request.route},
                       {"status", request.status},
                       {"startedAtMs", whole(request.started_unix_ms)},
                       {"durationNs", request.duration_ns},
                       {"usual", usual.of(request.method, request.route)},
                       {"bytesOut", request.bytes_out},
                       {"statements", request.counts.statements},
                       {"statementNs", request.counts.statement_ns},
                       {"errors", request.counts.errors},
                       {"messages", request.counts.messages},
                       {"calls", request.counts.calls},
                       {"findings", request.findings.size()},
                       {"flags", request_flags(request)}});
}

}  // namespace

std::uint64_t history_cap(const Config& config) {
  return std::uint64_t{config.history.recent} + config.history.notable;
}

RequestFilter read_filter(Parameters& parameters) {
  RequestFilter filter;
  filter.text = parameters.text("q", 200);
  filter.method = parameters.text("method", 32);
  filter.status_class = parameters.choice("status", {"1xx", "2xx", "3xx", "4xx", "5xx"});
  filter.route = parameters.text("route", 2000);
  filter.min_duration_ns = parameters.integer("minDurationMs", 0, 0, kMaxDurationMs) * kNsPerMs;
  filter.failed_only = parameters.choice("error", {"1"}).has_value();
  filter.offset = parameters.integer("offset", 0, 0, kMaxOffset);
  filter.limit = parameters.integer("limit", filter.limit, 1, kMaxLimit);
  return filter;
}

bool matches(const RequestFilter& filter, const store::RequestDetail& request) {
  if (filter.text && !has_text(request, *filter.text)) return false;
  if (filter.method && request.method != *filter.method) return false;
  if (filter.route && request.route != *filter.route) return false;
  if (filter.status_class &&
      request.status / 100 != static_cast<std::uint32_t>(filter.status_class->front() - '0'))
    return false;
  if (request.duration_ns < filter.min_duration_ns) return false;
  return !filter.failed_only || request.counts.errors > 0 || is_server_error(request);
}

Json requests(const store::Snapshot& snapshot, const RequestFilter& filter, std::uint64_t cap,
              std::uint64_t seen) {
  const UsualTimes usual(snapshot);
  Json items = Json::array();
  std::uint64_t total = 0;
  for (const auto& request : snapshot.requests) {
    if (!matches(filter, *request)) continue;
    if (total >= filter.offset && items.size() < filter.limit) items.push_back(request_row(*request, usual));
    ++total;
  }
  const std::size_t shown = items.size();
  return Json::object({{"total", total},
                       {"shown", shown},
                       {"cap", cap},
                       {"held", snapshot.requests.size()},
                       {"seen", seen},
                       {"offset", filter.offset},
                       {"limit", filter.limit},
                       {"items", std::move(items)}});
}

Json request_flags(const store::RequestDetail& request) {
  const std::pair<const char*, bool> flags[] = {
      {"slow", is_slow(request)},
      {"failed", is_server_error(request) || has_unhandled_error(request)},
      {"finding", !request.findings.empty()},
      {"truncated", is_truncated(request.counts)},
      {"aborted", request.aborted},
      {"tls", request.tls},
      {"subrequest", request.subrequest},
      {"background", request.background}};
  Json list = Json::array();
  for (const auto& [name, set] : flags)
    if (set) list.push_back(name);
  return list;
}

}  // namespace inlens::console::api
