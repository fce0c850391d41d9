#include "collectors/preload/real.hpp"

#include <dlfcn.h>

namespace inlens::preload {

void* find_real(const char* soname, const char* symbol) noexcept {
  if (void* found = dlsym(RTLD_NEXT, symbol)) return found;
  // Stays open: what we hand out must not be unloaded.
  void* library = dlopen(soname, RTLD_LAZY | RTLD_NOLOAD);
  return library != nullptr ? dlsym(library, symbol) : nullptr;
}

}  // namespace inlens::preload
