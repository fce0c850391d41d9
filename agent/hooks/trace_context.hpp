// The W3C trace context of an outgoing call: the trace that its request came with goes on, or else one begins
// that has the request's id.
// Threads: host threads. Blocks: never.
#pragma once

#include <cstdint>
#include <string_view>

#include "agent/hooks/core.hpp"

namespace inlens::hooks {

inline constexpr std::size_t kTraceparentSize = 55;

// Whether it may be continued: of any version, with a trace and a parent that are not all zeros.
bool is_traceparent(std::string_view text);

// "00-<trace>-<parent>-<flags>" without NUL. The parent is `call`, or the request itself for 0. False when
// calls are not to send it, or the request has no record.
bool write_traceparent(Core& core, std::uint64_t request, std::uint64_t call, char (&out)[kTraceparentSize]);

}  // namespace inlens::hooks
