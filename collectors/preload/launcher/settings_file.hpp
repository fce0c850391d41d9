// What the launcher looks at by itself in a settings file.
#pragma once

#include <string>

namespace inlens::launcher {

// `console.token` of a settings file; empty when there is none, or no such file.
std::string token_in_settings(const std::string& file);

// Why the agent will not take the file, which then records nothing; empty when it may.
std::string problem_of_settings(const std::string& file);

}  // namespace inlens::launcher
