#include "collectors/preload/launcher/elf_file.hpp"

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace inlens::launcher {

namespace {

constexpr std::uint64_t kMostSymbols = 4'000'000;

Header own_header() {
  Header header{};
  if (const ElfFile self("/proc/self/exe"); self.bytes().size() >= sizeof(header))
    std::memcpy(&header, self.bytes().data(), sizeof(header));
  return header;
}

Kind kind_of(std::string_view bytes, Header& header) {
  if (!bytes.starts_with(ELFMAG)) return Kind::kNotElf;
  if (bytes.size() < sizeof(Header)) return Kind::kForeign;
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.e_ident[EI_CLASS] != kOurClass) return Kind::kForeign;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (header.e_ident[EI_DATA] != ELFDATA2LSB) return Kind::kForeign;
#else
  if (header.e_ident[EI_DATA] != ELFDATA2MSB) return Kind::kForeign;
#endif
  return Kind::kOurs;
}

}  // namespace

Mapping::Mapping(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  struct stat status {};
  if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    size_ = static_cast<std::size_t>(status.st_size);
    void* mapped = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd, 0);
    if (mapped != MAP_FAILED) data_ = static_cast<const char*>(mapped);
  }
  close(fd);
}

Mapping::~Mapping() {
  if (data_ != nullptr) munmap(const_cast<char*>(data_), size_);
}

ElfFile::ElfFile(const std::string& path) : mapping_(path) {
  if (!mapping_) return;
  Header header{};
  kind_ = kind_of(bytes(), header);
  if (kind_ != Kind::kOurs) return;
  if (path != "/proc/self/exe") {
    static const Header own = own_header();
    if (header.e_machine != own.e_machine) {
      kind_ = Kind::kForeign;
      return;
    }
  }
  if (header.e_phentsize == sizeof(Segment)) segments_ = all<Segment>(header.e_phoff, header.e_phnum);
  if (header.e_shentsize == sizeof(Section)) sections_ = all<Section>(header.e_shoff, header.e_shnum);
  if (header.e_shstrndx < sections_.size()) {
    const Section& names = sections_[header.e_shstrndx];
    section_names_ = slice(names.sh_offset, names.sh_size);
  }
  for (const Segment& segment : segments_) {
    if (segment.p_type == PT_DYNAMIC)
      dynamic_ = all<Dynamic>(segment.p_offset, segment.p_filesz / sizeof(Dynamic));
  }
  const auto end = std::find_if(dynamic_.begin(), dynamic_.end(),
                                [](const Dynamic& entry) { return entry.d_tag == DT_NULL; });
  dynamic_.erase(end, dynamic_.end());
}

std::string_view ElfFile::slice(std::uint64_t offset, std::uint64_t size) const {
  const std::string_view whole = bytes();
  if (offset > whole.size() || size > whole.size() - offset) return {};
  return whole.substr(offset, size);
}

template <class T>
std::vector<T> ElfFile::all(std::uint64_t offset, std::uint64_t count) const {
  if (count > bytes().size() / sizeof(T)) return {};
  const std::string_view part = slice(offset, count * sizeof(T));
  std::vector<T> items(part.size() / sizeof(T));
  if (!items.empty()) std::memcpy(items.data(), part.data(), items.size() * sizeof(T));
  return items;
}

std::string_view ElfFile::text_at(std::string_view table, std::uint64_t offset) const {
  if (offset >= table.size()) return {};
  table.remove_prefix(offset);
  const std::size_t end = table.find('\0');
  return end == std::string_view::npos ? std::string_view() : table.substr(0, end);
}

std::optional<std::uint64_t> ElfFile::offset_of(std::uint64_t address) const {
  for (const Segment& segment : segments_) {
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
        address - segment.p_vaddr < segment.p_filesz)
      return segment.p_offset + (address - segment.p_vaddr);
  }
  return std::nullopt;
}

std::string_view ElfFile::interpreter() const {
  for (const Segment& segment : segments_) {
    if (segment.p_type == PT_INTERP) return text_at(slice(segment.p_offset, segment.p_filesz), 0);
  }
  return {};
}

std::uint64_t ElfFile::dynamic_value(std::int64_t tag) const {
  for (const Dynamic& entry : dynamic_)
    if (entry.d_tag == tag) return entry.d_un.d_val;
  return 0;
}

std::string_view ElfFile::dynamic_strings() const {
  const auto offset = offset_of(dynamic_value(DT_STRTAB));
  return offset ? slice(*offset, dynamic_value(DT_STRSZ)) : std::string_view();
}

std::string_view ElfFile::dynamic_text(std::int64_t tag) const {
  const std::uint64_t offset = dynamic_value(tag);
  return offset == 0 ? std::string_view() : text_at(dynamic_strings(), offset);
}

std::vector<std::string_view> ElfFile::needed() const {
  std::vector<std::string_view> names;
  const std::string_view strings = dynamic_strings();
  for (const Dynamic& entry : dynamic_) {
    if (entry.d_tag != DT_NEEDED) continue;
    const std::string_view name = text_at(strings, entry.d_un.d_val);
    if (!name.empty()) names.push_back(name);
  }
  return names;
}

const Section* ElfFile::section(std::string_view name) const {
  for (const Section& candidate : sections_)
    if (text_at(section_names_, candidate.sh_name) == name) return &candidate;
  return nullptr;
}

std::string_view ElfFile::section_bytes(std::string_view name) const {
  const Section* found = section(name);
  if (found == nullptr || found->sh_type == SHT_NOBITS) return {};
  return slice(found->sh_offset, found->sh_size);
}

std::vector<std::string_view> ElfFile::symbols(std::string_view table, std::string_view strings,
                                               bool want_defined) const {
  std::vector<std::string_view> names;
  const std::size_t count = std::min<std::uint64_t>(table.size() / sizeof(Symbol), kMostSymbols);
  for (std::size_t i = 0; i < count; ++i) {
    Symbol symbol;
    std::memcpy(&symbol, table.data() + i * sizeof(Symbol), sizeof(symbol));
    const unsigned type = symbol.st_info & 0xF;
    const bool is_defined = symbol.st_shndx != SHN_UNDEF;
    if ((type != STT_FUNC && type != STT_NOTYPE) || is_defined != want_defined) continue;
    const std::string_view name = text_at(strings, symbol.st_name);
    if (!name.empty()) names.push_back(name);
  }
  return names;
}

std::vector<std::string_view> ElfFile::imported() const {
  return symbols(section_bytes(".dynsym"), section_bytes(".dynstr"), false);
}

std::vector<std::string_view> ElfFile::defined() const {
  std::vector<std::string_view> names = symbols(section_bytes(".dynsym"), section_bytes(".dynstr"), true);
  const std::vector<std::string_view> own = symbols(section_bytes(".symtab"), section_bytes(".strtab"), true);
  names.insert(names.end(), own.begin(), own.end());
  return names;
}

std::string ElfFile::build_id() const {
  constexpr std::size_t kNoteHeader = 12;
  const std::string_view note = section_bytes(".note.gnu.build-id");
  if (note.size() < kNoteHeader) return {};
  std::uint32_t name_size = 0;
  std::uint32_t id_size = 0;
  std::memcpy(&name_size, note.data(), sizeof(name_size));
  std::memcpy(&id_size, note.data() + sizeof(name_size), sizeof(id_size));
  const std::uint64_t begin = kNoteHeader + (std::uint64_t{name_size} + 3) / 4 * 4;
  if (begin > note.size() || id_size > note.size() - begin) return {};
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const char c : note.substr(begin, id_size)) {
    const auto byte = static_cast<unsigned char>(c);
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 0xF];
  }
  return hex;
}

std::string_view ElfFile::debug_link() const {
  return text_at(section_bytes(".gnu_debuglink"), 0);
}

std::optional<std::uint64_t> ElfFile::unwind_entries() const {
  // Version 1, then how the pointer, the count and the table are written; the count is four bytes with
  // DW_EH_PE_udata4, as every linker writes it.
  constexpr char kFourBytes = 0x03;
  for (const Segment& segment : segments_) {
    if (segment.p_type != PT_GNU_EH_FRAME) continue;
    const std::string_view table = slice(segment.p_offset, segment.p_filesz);
    if (table.size() < 12 || table[0] != 1 || table[2] != kFourBytes) return 0;
    std::uint32_t count = 0;
    std::memcpy(&count, table.data() + 8, sizeof(count));
    return count;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> ElfFile::frame_pointer_prologues() const {
#if defined(__x86_64__)
  constexpr std::string_view kPrologue = "\x55\x48\x89\xe5";  // push %rbp; mov %rsp,%rbp
  std::uint64_t count = 0;
  for (const Segment& segment : segments_) {
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    const std::string_view code = slice(segment.p_offset, segment.p_filesz);
    for (std::size_t at = 0; (at = code.find(kPrologue, at)) != std::string_view::npos;
         at += kPrologue.size())
      ++count;
  }
  return count;
#else
  return std::nullopt;
#endif
}

}  // namespace inlens::launcher
