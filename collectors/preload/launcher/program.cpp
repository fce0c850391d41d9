#include "collectors/preload/launcher/program.hpp"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "collectors/preload/launcher/elf_file.hpp"

namespace inlens::launcher {

namespace {

constexpr int kMostInterpreters = 5;  // as many as the kernel follows

bool is_program(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && access(path.c_str(), X_OK) == 0;
}

std::string find_path(const std::string& name) {
  if (name.find('/') != std::string::npos) return is_program(name) ? name : std::string();
  const char* given = std::getenv("PATH");
  std::string_view path = given != nullptr ? given : "/bin:/usr/bin";
  while (true) {
    const std::size_t end = path.find(':');
    const std::string_view directory = path.substr(0, end);
    std::string candidate = directory.empty() ? name : std::string(directory) + '/' + name;
    if (!name.empty() && is_program(candidate)) return candidate;
    if (end == std::string_view::npos) return {};
    path.remove_prefix(end + 1);
  }
}

// The interpreter in a script's first line; empty when there is none.
std::string interpreter_of(std::string_view bytes) {
  if (!bytes.starts_with("#!")) return {};
  std::string_view line = bytes.substr(2, 254);
  line = line.substr(0, line.find('\n'));
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  line.remove_prefix(begin);
  return std::string(line.substr(0, line.find_first_of(" \t\r")));
}

// The word after the interpreter, which `env` runs.
std::string argument_of(std::string_view bytes) {
  std::string_view line = bytes.substr(2, 254);
  line = line.substr(0, line.find('\n'));
  std::size_t at = line.find_first_not_of(" \t");
  at = at == std::string_view::npos ? at : line.find_first_of(" \t", at);
  at = at == std::string_view::npos ? at : line.find_first_not_of(" \t", at);
  if (at == std::string_view::npos) return {};
  line.remove_prefix(at);
  return std::string(line.substr(0, line.find_first_of(" \t\r")));
}

// Where the kernel gives the program rights that its caller has not, the loader takes no libraries from the
// caller.
std::string gained_rights(const std::string& path) {
  struct stat status {};
  struct statvfs mount {};
  if (stat(path.c_str(), &status) != 0) return {};
  const bool withheld = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ||
                        (statvfs(path.c_str(), &mount) == 0 && (mount.f_flag & ST_NOSUID) != 0);
  if (withheld) return {};
  if ((status.st_mode & S_ISUID) != 0 && status.st_uid != getuid())
    return "it is setuid, and the loader takes no library from the caller of such a program";
  if ((status.st_mode & S_ISGID) != 0 && (status.st_mode & S_IXGRP) != 0 && status.st_gid != getgid())
    return "it is setgid, and the loader takes no library from the caller of such a program";
  if (getuid() != 0 && getxattr(path.c_str(), "security.capability", nullptr, 0) > 0)
    return "its file has capabilities, and the loader takes no library from the caller of such a program";
  return {};
}

void judge(Program& program, const ElfFile& file) {
  if (file.kind() == Kind::kUnreadable) return;  // a program may be run without being readable
  if (file.kind() == Kind::kForeign) {
    program.obstacle = "it is for another architecture";
    program.preload_is_harmless = false;
    return;
  }
  static const std::string own_loader(ElfFile("/proc/self/exe").interpreter());
  const std::string_view loader = file.interpreter();
  if (loader.empty()) {
    program.obstacle = "it is statically linked";
  } else if (loader.substr(loader.rfind('/') + 1) != own_loader.substr(own_loader.rfind('/') + 1)) {
    program.obstacle = "it uses another C library (" + std::string(loader) + ")";
    program.preload_is_harmless = false;
  } else {
    program.obstacle = gained_rights(program.path);
  }
}

}  // namespace

Program find_program(const std::string& name) {
  Program program;
  program.path = find_path(name);
  for (int i = 0; i < kMostInterpreters && !program.path.empty(); ++i) {
    const ElfFile file(program.path);
    std::string next = file.kind() == Kind::kNotElf ? interpreter_of(file.bytes()) : std::string();
    if (file.kind() == Kind::kNotElf && next.empty()) next = "/bin/sh";  // as execvp() does
    if (next.empty()) {
      judge(program, file);
      break;
    }
    // `#!/usr/bin/env name`
    if (next.ends_with("/env")) {
      const std::string asked = argument_of(file.bytes());
      if (const std::string found = asked.starts_with('-') ? std::string() : find_path(asked); !found.empty())
        next = found;
    }
    if (program.interpreted.empty()) program.interpreted = program.path;
    program.path = is_program(next) ? next : std::string();
  }
  return program;
}

}  // namespace inlens::launcher
