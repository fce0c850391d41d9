#include "collectors/preload/versioned.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>

namespace inlens::preload {

namespace {

struct Search {
  std::uintptr_t address;
  ModuleRange found;
};

int look_at_module(dl_phdr_info* module, std::size_t, void* user) noexcept {
  auto& search = *static_cast<Search*>(user);
  std::uintptr_t low = UINTPTR_MAX;
  std::uintptr_t high = 0;
  for (unsigned number = 0; number < module->dlpi_phnum; ++number) {
    const ElfW(Phdr)& segment = module->dlpi_phdr[number];
    if (segment.p_type != PT_LOAD) continue;
    low = std::min<std::uintptr_t>(low, module->dlpi_addr + segment.p_vaddr);
    high = std::max<std::uintptr_t>(high, module->dlpi_addr + segment.p_vaddr + segment.p_memsz);
  }
  if (search.address < low || search.address >= high) return 0;
  search.found = {low, high - low};
  return 1;
}

void* look_up(void* where, const char* symbol, const char* version) noexcept {
  return version != nullptr ? dlvsym(where, symbol, version) : dlsym(where, symbol);
}

// The module stays open: what we hand out must not be unloaded.
void* find_in(const char* module, const char* symbol, const char* version) noexcept {
  void* opened = dlopen(module, RTLD_LAZY | RTLD_NOLOAD);
  return opened != nullptr ? look_up(opened, symbol, version) : nullptr;
}

}  // namespace

void* find_versioned(const char* soname, const char* symbol, const char* version,
                     const void* caller) noexcept {
  if (void* found = find_in(soname, symbol, version)) return found;
  if (void* found = look_up(RTLD_NEXT, symbol, version)) return found;
  Dl_info asking;
  return dladdr(caller, &asking) != 0 ? find_in(asking.dli_fname, symbol, version) : nullptr;
}

ModuleRange module_of(const void* address) noexcept {
  Search search{reinterpret_cast<std::uintptr_t>(address), {}};
  dl_iterate_phdr(look_at_module, &search);
  return search.found;
}

}  // namespace inlens::preload
