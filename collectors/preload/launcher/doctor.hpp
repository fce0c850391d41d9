// `inlens doctor`: what would be seen of a program and what would not, and why, from its file and those of
// its libraries. Runs nothing.
#pragma once

#include <string>

namespace inlens::launcher {

// Prints to standard output. 0: it can be attached; 1: it cannot; 127: there is no such program.
int doctor(const std::string& name);

}  // namespace inlens::launcher
