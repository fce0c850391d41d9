// An ELF file of this machine's class, read for what it needs and what it holds. Everything in the file is
// checked against its size: a damaged one has less in it, and is never read past its end.
// Threads: one at a time. Owns: the mapping, for the object's life; views point into it.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inlens::launcher {

#if __SIZEOF_POINTER__ == 8
using Header = Elf64_Ehdr;
using Segment = Elf64_Phdr;
using Section = Elf64_Shdr;
using Dynamic = Elf64_Dyn;
using Symbol = Elf64_Sym;
inline constexpr unsigned char kOurClass = ELFCLASS64;
#else
using Header = Elf32_Ehdr;
using Segment = Elf32_Phdr;
using Section = Elf32_Shdr;
using Dynamic = Elf32_Dyn;
using Symbol = Elf32_Sym;
inline constexpr unsigned char kOurClass = ELFCLASS32;
#endif

// A file's bytes, mapped.
class Mapping {
 public:
  explicit Mapping(const std::string& path);
  ~Mapping();
  Mapping(Mapping&& other) noexcept : data_(other.data_), size_(other.size_) { other.data_ = nullptr; }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  explicit operator bool() const { return data_ != nullptr; }
  std::string_view bytes() const { return {data_, data_ == nullptr ? 0 : size_}; }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

enum class Kind { kUnreadable, kNotElf, kForeign, kOurs };

class ElfFile {
 public:
  explicit ElfFile(const std::string& path);

  Kind kind() const { return kind_; }
  std::string_view bytes() const { return mapping_.bytes(); }

  // The loader that the program asks for; empty: it is statically linked.
  std::string_view interpreter() const;

  // DT_NEEDED, and the two lists of directories as they stand there.
  std::vector<std::string_view> needed() const;
  std::string_view rpath() const { return dynamic_text(DT_RPATH); }
  std::string_view runpath() const { return dynamic_text(DT_RUNPATH); }

  // Names of functions: what the loader binds from elsewhere, and what the file has itself, by either table
  // of symbols.
  std::vector<std::string_view> imported() const;
  std::vector<std::string_view> defined() const;

  bool has_section(std::string_view name) const { return section(name) != nullptr; }
  std::string_view section_bytes(std::string_view name) const;
  // In hexadecimal; empty without one.
  std::string build_id() const;
  // The name of a file of debug information.
  std::string_view debug_link() const;

  // Functions with unwind tables; nothing without a table.
  std::optional<std::uint64_t> unwind_entries() const;
  // Functions that begin by setting up a frame pointer; nothing where this cannot be told.
  std::optional<std::uint64_t> frame_pointer_prologues() const;

 private:
  template <class T>
  const T* at(std::uint64_t offset) const;
  template <class T>
  std::vector<T> all(std::uint64_t offset, std::uint64_t count) const;
  std::string_view slice(std::uint64_t offset, std::uint64_t size) const;
  std::string_view text_at(std::string_view table, std::uint64_t offset) const;
  std::optional<std::uint64_t> offset_of(std::uint64_t address) const;
  const Section* section(std::string_view name) const;
  std::string_view dynamic_text(std::int64_t tag) const;
  std::uint64_t dynamic_value(std::int64_t tag) const;
  std::string_view dynamic_strings() const;
  std::vector<std::string_view> symbols(std::string_view table, std::string_view strings,
                                        bool want_defined) const;

  Mapping mapping_;
  Kind kind_ = Kind::kUnreadable;
  std::vector<Segment> segments_;
  std::vector<Section> sections_;
  std::vector<Dynamic> dynamic_;
  std::string_view section_names_;
};

}  // namespace inlens::launcher
