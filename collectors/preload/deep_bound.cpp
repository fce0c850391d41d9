// Modules that a program loads with RTLD_DEEPBIND, as PHP does its extensions: they find the functions of
// their own libraries before they find ours. So dlopen is ours too: once it has loaded such a module, the
// module's entries for the functions that we stand in front of are turned to us. Everything else stays bound
// as the program wanted it.
//
// Threads: any. Blocks: as dlopen does. Only the module itself is looked at, not the libraries it brings
// along.
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstring>

#include "collectors/preload/real.hpp"

namespace inlens::preload {

namespace {

#if defined(__x86_64__)
constexpr unsigned kSlot = R_X86_64_JUMP_SLOT;
constexpr unsigned kEntry = R_X86_64_GLOB_DAT;
#elif defined(__aarch64__)
constexpr unsigned kSlot = R_AARCH64_JUMP_SLOT;
constexpr unsigned kEntry = R_AARCH64_GLOB_DAT;
#else
constexpr unsigned kSlot = ~0u;  // none: such modules are not seen
constexpr unsigned kEntry = ~0u;
#endif

bool is_interposed(const char* name) noexcept {
  for (const char* prefix : {"PQ", "sqlite3_", "mysql_", "curl_"})
    if (std::strncmp(name, prefix, std::strlen(prefix)) == 0) return true;
  return false;
}

// This library itself, to look for symbols in.
void* ourselves() noexcept {
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(&is_interposed), &info) == 0) return nullptr;
  return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

class Module {
 public:
  Module(void* handle, const link_map& map) noexcept : handle_(handle), base_(map.l_addr) {
    for (const ElfW(Dyn)* entry = map.l_ld; entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_STRTAB) names_ = at<char>(entry->d_un.d_ptr);
      if (entry->d_tag == DT_SYMTAB) symbols_ = at<ElfW(Sym)>(entry->d_un.d_ptr);
      if (entry->d_tag == DT_RELA) entries_.first = at<ElfW(Rela)>(entry->d_un.d_ptr);
      if (entry->d_tag == DT_RELASZ) entries_.count = entry->d_un.d_val / sizeof(ElfW(Rela));
      if (entry->d_tag == DT_JMPREL) slots_.first = at<ElfW(Rela)>(entry->d_un.d_ptr);
      if (entry->d_tag == DT_PLTRELSZ) slots_.count = entry->d_un.d_val / sizeof(ElfW(Rela));
    }
  }

  void turn_to(void* us) const noexcept {
    if (names_ == nullptr || symbols_ == nullptr) return;
    for (const Table& table : {entries_, slots_})
      for (std::size_t number = 0; table.first != nullptr && number < table.count; ++number)
        turn_to(us, table.first[number]);
  }

 private:
  struct Table {
    const ElfW(Rela) * first = nullptr;
    std::size_t count = 0;
  };

  // The loader has made most of these addresses absolute.
  template <class T>
  const T* at(ElfW(Addr) address) const noexcept {
    return reinterpret_cast<const T*>(address < base_ ? base_ + address : address);
  }

  void turn_to(void* us, const ElfW(Rela) & relocation) const noexcept {
    const auto type = ELF64_R_TYPE(relocation.r_info);
    if (type != kSlot && type != kEntry) return;
    const ElfW(Sym)& symbol = symbols_[ELF64_R_SYM(relocation.r_info)];
    const char* name = names_ + symbol.st_name;
    // What the module defines itself is no library's.
    if (symbol.st_shndx != SHN_UNDEF || !is_interposed(name)) return;
    void* ours = dlsym(us, name);
    if (ours == nullptr) return;
    // Two copies of a library in one process: ours leads to the other one.
    void* next = dlsym(RTLD_NEXT, name);
    if (next != nullptr && next != dlsym(handle_, name)) return;
    write(base_ + relocation.r_offset, ours);
  }

  // The table may have been made read-only after the module was bound.
  static void write(ElfW(Addr) address, void* function) noexcept {
    const auto page_size = static_cast<ElfW(Addr)>(sysconf(_SC_PAGESIZE));
    void* page = reinterpret_cast<void*>(address & ~(page_size - 1));
    const bool was_writable = is_writable(address);
    if (!was_writable && mprotect(page, page_size, PROT_READ | PROT_WRITE) != 0) return;
    reinterpret_cast<std::atomic<void*>*>(address)->store(function, std::memory_order_release);
    if (!was_writable) mprotect(page, page_size, PROT_READ);
  }

  static bool is_writable(ElfW(Addr) address) noexcept {
    struct Asked {
      ElfW(Addr) address;
      bool is_writable;
    } asked{address, true};
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* user) {
          auto& looked_for = *static_cast<Asked*>(user);
          for (int number = 0; number < info->dlpi_phnum; ++number) {
            const ElfW(Phdr)& part = info->dlpi_phdr[number];
            const ElfW(Addr) begin = info->dlpi_addr + part.p_vaddr;
            if (part.p_type == PT_GNU_RELRO && looked_for.address >= begin &&
                looked_for.address < begin + part.p_memsz)
              looked_for.is_writable = false;
          }
          return looked_for.is_writable ? 0 : 1;
        },
        &asked);
    return asked.is_writable;
  }

  void* handle_;
  ElfW(Addr) base_;
  const char* names_ = nullptr;
  const ElfW(Sym) * symbols_ = nullptr;
  Table entries_;
  Table slots_;
};

void turn(void* handle) noexcept {
  const int error = errno;
  link_map* map = nullptr;
  void* us = ourselves();
  if (us != nullptr && dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0) Module(handle, *map).turn_to(us);
  if (us != nullptr) dlclose(us);
  dlerror();  // what our own look-ups did not find is nobody's error
  errno = error;
}

}  // namespace

}  // namespace inlens::preload

extern "C" __attribute__((visibility("default"), optimize("O2"))) void* dlopen(const char* file, int mode) {
  static constinit inlens::preload::Real<decltype(dlopen)> real("libc.so.6", "dlopen");
  const auto function = real.get();
  if (function == nullptr) return nullptr;
  // A name without a directory is looked for on behalf of the caller, which the C library knows by its return
  // address: these calls go on as jumps, also those that are not deep.
  if ((mode & RTLD_DEEPBIND) == 0 || file == nullptr || std::strchr(file, '/') == nullptr)
    return function(file, mode);
  void* handle = function(file, mode);
  if (handle != nullptr) inlens::preload::turn(handle);
  return handle;
}
