// `issues` and `issues/{id}`: errors by cause. Pure; built when somebody looks.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "agent/store/snapshot.hpp"
#include "console/api/json.hpp"

namespace inlens::console::api {

// Whether the text has the form of schema IssueId.
bool is_issue_id(std::string_view text);

// The listed issue with that id, or null.
const store::Issue* find_issue(const store::Snapshot& snapshot, std::string_view id);

Json issues(const store::Snapshot& snapshot, std::uint64_t cap);  // schema Issues

// Schema IssueDetail; `resolved_unix_ms` when it was resolved by this very call.
Json issue_detail(const store::Issue& issue, const store::Snapshot& snapshot,
                  std::optional<std::int64_t> resolved_unix_ms = std::nullopt);

}  // namespace inlens::console::api
