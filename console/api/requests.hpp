// `requests`: the history, newest first, filtered and in pages. Pure; built when somebody looks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "agent/config/config.hpp"
#include "agent/store/snapshot.hpp"
#include "console/api/json.hpp"
#include "console/api/parameters.hpp"

namespace inlens::console::api {

// How many requests the history keeps.
std::uint64_t history_cap(const Config& config);

struct RequestFilter {
  std::optional<std::string> text;  // part of target, route, id or method, ASCII case aside
  std::optional<std::string> method;
  std::optional<std::string> route;
  std::optional<std::string> status_class;  // "2xx"
  std::uint64_t min_duration_ns = 0;
  bool failed_only = false;  // an error or a 5xx status
  std::uint64_t offset = 0;
  std::uint64_t limit = 100;
};

// Ask `parameters` for its problem afterwards.
RequestFilter read_filter(Parameters& parameters);

bool matches(const RequestFilter& filter, const store::RequestDetail& request);

// Schema Requests; `seen` is how many requests ended so far.
Json requests(const store::Snapshot& snapshot, const RequestFilter& filter, std::uint64_t cap,
              std::uint64_t seen);

Json request_flags(const store::RequestDetail& request);  // of schema RequestFlag

}  // namespace inlens::console::api
