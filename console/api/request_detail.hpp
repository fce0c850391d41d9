// `requests/{id}` and `bar/data/{id}`: one request in full. Pure; built when somebody looks.
#pragma once

#include "agent/store/snapshot.hpp"
#include "console/api/json.hpp"

namespace inlens::console::api {

// The request with that id in the history, or null.
const store::RequestDetail* find_request(const store::Snapshot& snapshot, const store::RequestId& id);

// Schema RequestDetail; `snapshot` gives the route's usual times and the issues' ids.
Json request_detail(const store::RequestDetail& request, const store::Snapshot& snapshot);

}  // namespace inlens::console::api
