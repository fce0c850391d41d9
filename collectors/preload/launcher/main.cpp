// inlens: starts programs that do not know Inlens so that they are seen, and says what would be seen.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>

#include "collectors/preload/launcher/doctor.hpp"
#include "collectors/preload/launcher/run.hpp"

namespace {

using inlens::launcher::RunOptions;

constexpr int kUsage = 125;  // a status that shells and most programs do not use

constexpr const char* kHelp = R"(usage: inlens run [options] [--] program [arguments]
       inlens doctor program
       inlens --help | --version

run     Starts the program with Inlens in front of its database and HTTP libraries. Arguments, input, output,
        signals and exit status are the program's own. What cannot be attached runs unseen, and one line on
        standard error says why.

  --level L       off, light, standard or full; otherwise as configured, else light
  --config FILE   a JSON file of settings (INLENS_CONFIG)
  --report FILE   when a process exits, what was seen goes into FILE as JSON; other processes than the first
                  write FILE.<pid>
  --no-children   programs that this one starts run without Inlens

doctor  Says which libraries the program uses, what would be seen of it, and what would help.
)";

int usage(const std::string& problem) {
  std::fprintf(stderr, "inlens: %s\n%s", problem.c_str(), kHelp);
  return kUsage;
}

bool is_level(std::string_view level) {
  return level == "off" || level == "light" || level == "standard" || level == "full";
}

// The value of `--name value` or `--name=value`; nullptr when the argument at `at` is another one. Moves `at`
// to the last argument that belongs to it.
const char* value_of(std::string_view name, char** arguments, int& at, bool& missing) {
  const std::string_view argument = arguments[at];
  if (!argument.starts_with(name)) return nullptr;
  if (argument.size() > name.size())
    return argument[name.size()] == '=' ? arguments[at] + name.size() + 1 : nullptr;
  missing = arguments[at + 1] == nullptr;
  return missing ? nullptr : arguments[++at];
}

int run(char** arguments) {
  RunOptions options;
  int at = 0;
  for (; arguments[at] != nullptr; ++at) {
    const std::string_view argument = arguments[at];
    if (argument == "--") {
      ++at;
      break;
    }
    if (!argument.starts_with('-')) break;
    bool missing = false;
    if (argument == "--no-children") {
      options.children = false;
    } else if (const char* level = value_of("--level", arguments, at, missing)) {
      if (!is_level(level)) return usage("--level takes off, light, standard or full");
      options.level = level;
    } else if (const char* config = value_of("--config", arguments, at, missing)) {
      options.config = config;
    } else if (const char* report = value_of("--report", arguments, at, missing)) {
      options.report = report;
    } else {
      return usage(std::string(argument) + (missing ? " needs a value" : " is no option of `inlens run`"));
    }
  }
  if (arguments[at] == nullptr) return usage("no program was given");
  options.program = arguments + at;
  return inlens::launcher::run(options);
}

bool asks_for_help(std::string_view argument) {
  return argument == "--help" || argument == "-h";
}

int start(int count, char** arguments) {
  const std::string_view verb = count > 1 ? arguments[1] : "";
  const bool helps = count > 2 && (verb == "run" || verb == "doctor") && asks_for_help(arguments[2]);
  if (helps || asks_for_help(verb) || verb == "help") return std::fputs(kHelp, stdout) < 0;
  if (verb == "run") return run(arguments + 2);
  if (verb == "doctor" && count == 3) return inlens::launcher::doctor(arguments[2]);
  if (verb == "doctor") return usage("`inlens doctor` takes one program");
  if (verb == "--version") return std::printf("inlens %s\n", INLENS_VERSION) < 0;
  return usage(verb.empty() ? "nothing was asked for" : std::string(verb) + " is none of its verbs");
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return start(count, arguments);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "inlens: %s\n", exception.what());
    return kUsage;
  }
}
