// The libraries that the loader would bring along with a program, found the way it looks for them: DT_RPATH,
// LD_LIBRARY_PATH, DT_RUNPATH, /etc/ld.so.cache, the standard directories.
#pragma once

#include <string>
#include <vector>

#include "collectors/preload/launcher/elf_file.hpp"

namespace inlens::launcher {

struct Library {
  std::string name;       // as it was asked for
  std::string needed_by;  // the first file that asked for it
  std::string path;       // empty: not found
};

// In the loader's order, without the program itself.
std::vector<Library> libraries_of(const std::string& program);

}  // namespace inlens::launcher
