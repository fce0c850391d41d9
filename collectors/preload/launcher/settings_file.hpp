// The one setting that the launcher looks at by itself.
#pragma once

#include <string>

namespace inlens::launcher {

// `console.token` of a settings file; empty when there is none, or no such file.
std::string token_in_settings(const std::string& file);

}  // namespace inlens::launcher
