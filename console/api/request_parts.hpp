// The lists inside one request's answer: spans, errors, messages, timers, panels, headers, tasks. Pure.
#pragma once

#include "agent/store/snapshot.hpp"
#include "console/api/json.hpp"

namespace inlens::console::api {

Json spans_list(const store::RequestDetail& request);  // of schema Span
Json errors_list(const store::RequestDetail& request,
                 const store::Snapshot& snapshot);        // of schema RequestError
Json messages_list(const store::RequestDetail& request);  // of schema Message
Json timers_list(const store::RequestDetail& request);    // of schema Timer: spans of kind timer, by name
Json panels_list(const store::RequestDetail& request);    // of schema Panel
Json headers_of(const store::RequestDetail& request);     // schema Headers, or null when none were collected
Json tasks_list(const store::RequestDetail& request);     // of schema Task
Json counts_of(const store::RequestCounts& counts);       // schema Counts

}  // namespace inlens::console::api
