#include "collectors/preload/launcher/doctor.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <vector>

#include "collectors/preload/launcher/libraries.hpp"
#include "collectors/preload/launcher/program.hpp"
#include "collectors/preload/launcher/run.hpp"

namespace inlens::launcher {

namespace {

// What a collector stands in front of.
struct Collector {
  const char* name;
  const char* library;
  std::vector<std::string_view> names;  // of the library's file
  std::string_view prefix;              // of its functions
  std::string_view sign;                // in the library's own data, whoever carries it
  const char* instead;                  // what helps where the library is built in
};

const std::vector<Collector>& collectors() {
  static const std::vector<Collector> all = {
      {"sqlite",
       "SQLite",
       {"libsqlite3.so"},
       "sqlite3_",
       "SQLite format 3",
       "link libsqlite3.so, or call inlens::sqlite::attach() for each connection"},
      {"postgresql", "libpq", {"libpq.so"}, "PQ", "could not connect to server", "link libpq.so"},
      {"mysql",
       "libmariadb",
       {"libmariadb.so", "libmysqlclient.so"},
       "mysql_",
       "mysql_native_password",
       "link libmariadb.so"},
      {"curl", "libcurl", {"libcurl.so", "libcurl-gnutls.so"}, "curl_", "libcurl/", "link libcurl.so"}};
  return all;
}

void line(const std::string& name, const std::string& value) {
  std::printf("  %-16s %s\n", name.c_str(), value.c_str());
}

bool is_of(const Collector& collector, std::string_view library) {
  return std::any_of(collector.names.begin(), collector.names.end(), [&](std::string_view name) {
    return library.starts_with(name) && (library.size() == name.size() || library[name.size()] == '.');
  });
}

std::size_t count_with(const std::vector<std::string_view>& symbols, std::string_view prefix) {
  const std::set<std::string_view> names(symbols.begin(), symbols.end());
  return static_cast<std::size_t>(std::count_if(
      names.begin(), names.end(), [&](std::string_view name) { return name.starts_with(prefix); }));
}

std::string with_number(std::size_t number, const char* one, const char* many) {
  return std::to_string(number) + ' ' + (number == 1 ? one : many);
}

// One line about a collector.
std::string prospect(const Collector& collector, const std::string& program, const ElfFile& file,
                     const std::vector<Library>& libraries, const std::string& obstacle) {
  const std::string name = collector.library;
  const auto found = std::find_if(libraries.begin(), libraries.end(),
                                  [&](const Library& library) { return is_of(collector, library.name); });
  if (found != libraries.end() && found->path.empty())
    return "no: " + found->name + " is linked but was not found";
  if (found != libraries.end()) {
    if (!obstacle.empty()) return "no: " + name + " is linked (" + found->path + "), but " + obstacle;
    const std::size_t calls = count_with(file.imported(), collector.prefix);
    return "yes: " + found->path + ", " +
           (found->needed_by == program
                ? with_number(calls, "function of it is", "functions of it are") + " called"
                : "linked by " + found->needed_by);
  }
  if (file.bytes().find(collector.sign) != std::string_view::npos &&
      count_with(file.imported(), collector.prefix) == 0)
    return "no: " + name + " seems to be built into the program, where no call of it passes the loader; " +
           collector.instead;
  if (!obstacle.empty()) return "no: not linked";
  return "not linked; seen if the program loads it while it runs";
}

// Where the file's debug information is; empty: nowhere.
std::string debug_information(const std::string& path, const ElfFile& file) {
  if (file.has_section(".debug_info") || file.has_section(".zdebug_info")) return "in the file";
  const std::string id = file.build_id();
  std::vector<std::filesystem::path> places;
  if (id.size() > 2)
    places.emplace_back("/usr/lib/debug/.build-id/" + id.substr(0, 2) + '/' + id.substr(2) + ".debug");
  if (!file.debug_link().empty()) {
    std::error_code failed;
    const auto real = std::filesystem::canonical(path, failed);
    const auto directory = failed ? std::filesystem::path(path).parent_path() : real.parent_path();
    for (const auto& place :
         {directory, directory / ".debug", std::filesystem::path("/usr/lib/debug" + directory.string())})
      places.push_back(place / file.debug_link());
  }
  for (const auto& place : places) {
    std::error_code failed;
    if (std::filesystem::is_regular_file(place, failed) && !std::filesystem::equivalent(place, path, failed))
      return place.string();
  }
  return {};
}

void print_file(const std::string& path) {
  const ElfFile file(path);
  const std::size_t own = file.defined().size();
  const bool table = file.has_section(".symtab");
  line("symbols", with_number(own, "function", "functions") +
                      (table ? "" : " in the table for the loader alone: the file is stripped"));
  const std::optional<std::uint64_t> unwind = file.unwind_entries();
  line("unwind tables", unwind ? ".eh_frame, of " + with_number(*unwind, "function", "functions")
                               : "none; compile with -fasynchronous-unwind-tables");
  const std::optional<std::uint64_t> prologues = file.frame_pointer_prologues();
  if (!prologues)
    line("frame pointers", "cannot be told on this architecture");
  else if (*prologues == 0)
    line("frame pointers", "none; -fno-omit-frame-pointer gives them");
  else
    line("frame pointers", "set up by " + with_number(*prologues, "function", "functions") +
                               (unwind ? " of about " + std::to_string(*unwind) : ""));
  const std::string debug = debug_information(path, file);
  const std::string id = file.build_id();
  line("debug info", !debug.empty() ? debug
                                    : "none; compile with -g, or install the package's -dbgsym" +
                                          (id.empty() ? std::string() : " (build id " + id + ")"));
}

}  // namespace

int doctor(const std::string& name) {
  const Program program = find_program(name);
  if (program.path.empty()) {
    std::fprintf(stderr, "inlens: %s: no such program\n", name.c_str());
    return 127;
  }
  const ElfFile file(program.path);
  std::printf("%s\n", program.path.c_str());
  if (!program.interpreted.empty()) line("runs", program.interpreted);
  line("attach", program.obstacle.empty() ? "yes" : "no: " + program.obstacle);
  const std::string library = preload_library();
  line("with", library.empty() ? "nothing: libinlens-preload.so was not found" : library);
  if (file.kind() != Kind::kOurs) return program.obstacle.empty() ? 0 : 1;

  const std::vector<Library> libraries = libraries_of(program.path);
  std::printf("\nseen\n");
  for (const Collector& collector : collectors())
    line(collector.name, prospect(collector, program.path, file, libraries, program.obstacle));
  std::printf("\nprogram\n");
  print_file(program.path);
  std::printf("\nlibraries\n");
  if (libraries.empty()) std::printf("  none\n");
  std::size_t width = 0;
  for (const Library& each : libraries) width = std::max(width, each.name.size());
  for (const Library& each : libraries)
    std::printf("  %-*s  %s\n", static_cast<int>(width), each.name.c_str(),
                each.path.empty() ? "not found" : each.path.c_str());
  return program.obstacle.empty() ? 0 : 1;
}

}  // namespace inlens::launcher
