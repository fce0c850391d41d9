// The path of a request with its variable parts masked, for hosts that do not name their routes:
// "/orders/4711?x=1" becomes "/orders/{id}". Pure, any thread.
#pragma once

#include <string>
#include <string_view>

namespace inlens::worker {

// Appends to `out`; query and fragment are dropped. Numbers, ids in hexadecimal, UUIDs, long tokens and
// segments that look like secrets or addresses become "{id}". At most kMaxSegments segments; the rest becomes
// "{…}".
inline constexpr std::size_t kMaxSegments = 16;
void append_route_template(std::string_view target, std::string& out);

// The part of a target that decides about its template.
std::string_view path_of(std::string_view target);

}  // namespace inlens::worker
