#include "collectors/preload/real.hpp"

#include <dlfcn.h>

namespace inlens::preload {

namespace {

// Stays open: what we hand out must not be unloaded.
void* find_in(const char* module, const char* symbol) noexcept {
  void* library = dlopen(module, RTLD_LAZY | RTLD_NOLOAD);
  return library != nullptr ? dlsym(library, symbol) : nullptr;
}

}  // namespace

void* find_real(const char* soname, const char* symbol, const void* caller) noexcept {
  if (void* found = dlsym(RTLD_NEXT, symbol)) return found;
  if (void* found = find_in(soname, symbol)) return found;
  Dl_info asking;
  if (caller == nullptr || dladdr(caller, &asking) == 0) return nullptr;
  return find_in(asking.dli_fname, symbol);
}

}  // namespace inlens::preload
