// `inlens run`: becomes another program, with libinlens-preload.so in front of its libraries.
#pragma once

#include <string>

namespace inlens::launcher {

struct RunOptions {
  std::string level;   // empty: as configured
  std::string config;  // a settings file
  std::string report;  // where the report goes at exit
  bool children = true;
  char** program = nullptr;  // its arguments, the name first, NULL last
};

// Returns only when the program could not be run: 127 not found, 126 otherwise.
int run(const RunOptions& options);

// The library that would be loaded; empty when it is nowhere.
std::string preload_library();

}  // namespace inlens::launcher
