#include "collectors/preload/launcher/run.hpp"

#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "collectors/preload/launcher/program.hpp"
#include "collectors/preload/launcher/settings_file.hpp"

namespace inlens::launcher {

namespace {

constexpr const char* kLibrary = "libinlens-preload.so";
constexpr std::size_t kTokenBytes = 24;

void put(const char* name, const std::string& value) {
  setenv(name, value.c_str(), 1);
}

std::string get(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

void say(const std::string& line) {
  std::fprintf(stderr, "inlens: %s\n", line.c_str());
}

// The program may change its directory before it opens the file.
std::string absolute(const std::string& path) {
  std::error_code ignored;
  const auto whole = std::filesystem::absolute(path, ignored);
  return whole.empty() ? path : whole.string();
}

std::string random_token() {
  unsigned char bytes[kTokenBytes];
  if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes)) return {};
  std::string token;
  for (const unsigned char byte : bytes) {
    char digits[3];
    std::snprintf(digits, sizeof(digits), "%02x", byte);
    token += digits;
  }
  return token;
}

bool is_listed(std::string_view list, std::string_view library) {
  while (!list.empty()) {
    const std::size_t end = list.find_first_of(": ");
    if (list.substr(0, end) == library) return true;
    list.remove_prefix(end == std::string_view::npos ? list.size() : end + 1);
  }
  return false;
}

// The report is read through the console, so there has to be a token that both sides know.
void set_report(const RunOptions& options) {
  put("INLENS_REPORT", absolute(options.report));
  put("INLENS_REPORT_PID", std::to_string(getpid()));
  if (!get("INLENS_CONSOLE_TOKEN").empty()) return;
  std::string token = token_in_settings(get("INLENS_CONFIG"));
  if (token.empty()) token = random_token();
  put("INLENS_CONSOLE_TOKEN", token);
}

void set_preload(const RunOptions& options, const std::string& library) {
  const std::string before = get("LD_PRELOAD");
  if (before.empty())
    put("LD_PRELOAD", library);
  else if (!is_listed(before, library))
    put("LD_PRELOAD", before + ':' + library);
  put("INLENS_PRELOAD_LIBRARY", library);
  if (options.children)
    unsetenv("INLENS_NO_CHILDREN");
  else
    put("INLENS_NO_CHILDREN", "1");
  if (!options.level.empty()) put("INLENS_COLLECT_LEVEL", options.level);
  if (!options.config.empty()) put("INLENS_CONFIG", absolute(options.config));
  if (!options.report.empty()) set_report(options);
}

// The program runs all the same, and has no log of ours that could say it.
void tell_problems(const RunOptions& options) {
  if (!options.config.empty()) {
    const std::string problem = problem_of_settings(options.config);
    if (!problem.empty()) say("--config " + options.config + ": " + problem + ". Nothing will be recorded.");
  }
  if (options.report.empty()) return;
  const std::string directory = std::filesystem::path(absolute(options.report)).parent_path().string();
  if (access(directory.c_str(), W_OK) != 0)
    say("--report " + options.report + ": " + std::strerror(errno) + ". There will be no report.");
}

// Sets the environment, or says in one line why the program runs unseen.
void attach(const RunOptions& options) {
  const std::string name = options.program[0];
  const Program program = find_program(name);
  if (program.path.empty()) return;  // exec says it
  const std::string what =
      program.interpreted.empty() ? program.path : program.interpreted + ", run by " + program.path + ",";
  if (!program.obstacle.empty()) say(what + " cannot be attached: " + program.obstacle + ". It runs unseen.");
  const bool reaches_children = program.preload_is_harmless && options.children;
  if (!program.obstacle.empty() && !reaches_children) return;
  const std::string library = preload_library();
  if (library.empty())
    say(std::string(kLibrary) + " was not found beside the launcher; " + what + " runs unseen.");
  else if (library.find_first_of(": ") != std::string::npos)
    say("LD_PRELOAD cannot hold " + library + ", which has a colon or a space; " + what + " runs unseen.");
  else {
    tell_problems(options);
    set_preload(options, library);
  }
}

}  // namespace

std::string preload_library() {
  const std::string given = get("INLENS_PRELOAD_LIBRARY");
  if (!given.empty() && access(given.c_str(), R_OK) == 0) return absolute(given);
  std::error_code failed;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) return {};
  for (const char* directory : {"../lib", "../" INLENS_LIBRARY_DIRECTORY, "."}) {
    const auto candidate = (self.parent_path() / directory / kLibrary).lexically_normal();
    if (access(candidate.c_str(), R_OK) == 0) return candidate.string();
  }
  return {};
}

int run(const RunOptions& options) {
  attach(options);
  execvp(options.program[0], options.program);
  const int error = errno;
  say(std::string(options.program[0]) + ": " + std::strerror(error));
  return error == ENOENT || error == ENOTDIR ? 127 : 126;
}

}  // namespace inlens::launcher
