// Does one source expression of a Content-Security-Policy ('self', a scheme, a host with port and path) cover
// the bar's files? Pure; a part of csp.cpp that has rules of its own.
#pragma once

#include <string_view>

#include "console/bar/csp.hpp"

namespace inlens::bar {

// Nonces, hashes and other keywords never match here: they are not about places.
bool source_matches(std::string_view expression, const LoaderSource& source) noexcept;

}  // namespace inlens::bar
