#include "collectors/preload/launcher/libraries.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>

namespace inlens::launcher {

namespace {

constexpr std::size_t kMostLibraries = 2000;

// /etc/ld.so.cache: names of libraries and where they are, in the format that glibc has written since 2.2.
class LoaderCache {
 public:
  LoaderCache() : mapping_("/etc/ld.so.cache") {
    constexpr std::string_view kMagic = "glibc-ld.so.cache1.1";
    const std::string_view whole = mapping_.bytes();
    const std::size_t begin = whole.find(kMagic);  // an older format may stand before it
    if (begin == std::string_view::npos) return;
    const std::string_view cache = whole.substr(begin);
    FileHeader header;
    if (cache.size() < sizeof(header)) return;
    std::memcpy(&header, cache.data(), sizeof(header));
    const std::size_t most = (cache.size() - sizeof(header)) / sizeof(Entry);
    for (std::size_t i = 0; i < std::min<std::size_t>(header.count, most); ++i) {
      Entry entry;
      std::memcpy(&entry, cache.data() + sizeof(header) + i * sizeof(entry), sizeof(entry));
      paths_.emplace(text(cache, entry.key), text(cache, entry.value));
    }
  }

  // Every place with a library of that name, of any architecture.
  std::vector<std::string> find(std::string_view name) const {
    std::vector<std::string> found;
    const auto [begin, end] = paths_.equal_range(name);
    for (auto it = begin; it != end; ++it) found.emplace_back(it->second);
    return found;
  }

 private:
  struct FileHeader {
    char magic[20];
    std::uint32_t count;
    std::uint32_t strings_size;
    std::uint32_t unused[5];
  };
  struct Entry {
    std::int32_t flags;
    std::uint32_t key;
    std::uint32_t value;
    std::uint32_t version;
    std::uint64_t hwcap;
  };

  static std::string_view text(std::string_view cache, std::size_t offset) {
    if (offset >= cache.size()) return {};
    cache.remove_prefix(offset);
    const std::size_t end = cache.find('\0');
    return end == std::string_view::npos ? std::string_view() : cache.substr(0, end);
  }

  Mapping mapping_;
  std::multimap<std::string_view, std::string_view, std::less<>> paths_;
};

std::string with_origin(std::string directory, const std::string& file) {
  const std::string origin = std::filesystem::path(file).parent_path().string();
  for (const std::string_view name : {"$ORIGIN", "${ORIGIN}"}) {
    for (std::size_t at; (at = directory.find(name)) != std::string::npos;)
      directory.replace(at, name.size(), origin.empty() ? "." : origin);
  }
  return directory;
}

class Search {
 public:
  explicit Search(const std::string& program) : program_(program) {
    if (const char* given = std::getenv("LD_LIBRARY_PATH")) library_path_ = given;
  }

  std::string find(std::string_view name, const std::string& asking, const ElfFile& file) const {
    if (name.find('/') != std::string_view::npos) return usable(std::string(name));
    std::string found;
    if (file.runpath().empty()) found = in_list(file.rpath(), asking, name);
    if (found.empty()) found = in_list(library_path_, program_, name);
    if (found.empty()) found = in_list(file.runpath(), asking, name);
    for (const std::string& path : cache_.find(name)) {
      if (found.empty()) found = usable(path);
    }
    if (found.empty()) found = in_list("/lib64:/usr/lib64:/lib:/usr/lib", program_, name);
    return found;
  }

 private:
  static std::string usable(const std::string& path) {
    return ElfFile(path).kind() == Kind::kOurs ? path : std::string();
  }

  static std::string in_list(std::string_view list, const std::string& asking, std::string_view name) {
    while (!list.empty()) {
      const std::size_t end = list.find(':');
      const std::string directory = with_origin(std::string(list.substr(0, end)), asking);
      std::string found = usable((directory.empty() ? "." : directory) + '/' + std::string(name));
      if (!found.empty()) return found;
      list.remove_prefix(end == std::string_view::npos ? list.size() : end + 1);
    }
    return {};
  }

  std::string program_;
  std::string library_path_;
  LoaderCache cache_;
};

}  // namespace

std::vector<Library> libraries_of(const std::string& program) {
  const Search search(program);
  std::vector<Library> libraries;
  const auto add_needed_by = [&](const std::string& path) {
    const ElfFile file(path);
    for (const std::string_view name : file.needed()) {
      const bool known = std::any_of(libraries.begin(), libraries.end(),
                                     [&](const Library& library) { return library.name == name; });
      if (known || libraries.size() >= kMostLibraries) continue;
      libraries.push_back({std::string(name), path, search.find(name, path, file)});
    }
  };
  add_needed_by(program);
  for (std::size_t i = 0; i < libraries.size(); ++i) {
    const std::string path = libraries[i].path;
    if (!path.empty()) add_needed_by(path);
  }
  return libraries;
}

}  // namespace inlens::launcher
