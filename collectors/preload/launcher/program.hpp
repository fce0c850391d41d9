// What would run if a program were started by this name, and whether a library can be loaded into it.
#pragma once

#include <string>

namespace inlens::launcher {

struct Program {
  std::string path;         // of the file that the kernel would run; empty: not found
  std::string interpreted;  // by it: the script that was named, when it is one
  // Why nothing can be loaded into it, as the end of a sentence; empty when it can.
  std::string obstacle;
  // Whether LD_PRELOAD may be set all the same: the loader ignores it in silence, and children may use it.
  bool preload_is_harmless = true;
};

// Looked for as execvp() does. Reads the file and, for a script, its interpreter.
Program find_program(const std::string& name);

}  // namespace inlens::launcher
