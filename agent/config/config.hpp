// The settings, validated once into an immutable Config that nobody checks again.
//
// The start reads them (inlens_start, on the host's thread) and the console changes live ones; everybody else
// holds a shared_ptr to a LoadResult that never changes. Owns no state. What a key is called, allows and
// means stands in the one table, agent/config/settings_table.cpp; this header only gives each setting its C++
// type.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "agent/config/level.hpp"

namespace inlens {

enum class BarAllow : std::uint8_t { kSession, kLoopback };
enum class LogLevel : std::uint8_t { kDebug, kInfo, kWarning, kError };

struct Config {
  Config();  // the table's defaults

  struct Collect {
    Level level{};
  } collect;
  struct Server {
    std::string name;  // empty: the program's name
    std::string release;
  } server;
  struct Console {
    bool enabled{};
    std::uint16_t port{};  // 0: any free port
    std::string address;
    std::string token;  // empty: a random one per process
    std::vector<std::string> hosts;
  } console;
  struct Bar {
    bool enabled{};
    BarAllow allow{};
  } bar;
  struct Thresholds {
    std::uint32_t slow_request_ms{};
    std::uint32_t slow_statement_ms{};
    std::uint32_t slow_call_ms{};
  } thresholds;
  struct Calls {
    bool propagate{};
  } calls;
  struct Guard {
    std::uint32_t events_per_second{};
    std::uint32_t new_issues_per_minute{};
  } guard;
  struct Issues {
    std::uint32_t max{};
    std::uint32_t retention_hours{};
  } issues;
  struct History {
    std::uint32_t recent{};
    std::uint32_t notable{};
  } history;
  struct Limits {
    std::uint32_t pool_megabytes{};
    std::uint32_t routes{};
    std::uint32_t statements{};
    std::uint32_t string_bytes{};
    std::uint32_t statements_per_request{};
    std::uint32_t spans_per_request{};
    std::uint32_t errors_per_request{};
    std::uint32_t messages_per_request{};
    std::uint32_t sessions{};
  } limits;
  struct Worker {
    std::uint32_t poll_ms{};
  } worker;
  struct Mask {
    std::vector<std::string> keys;
  } mask;
  struct Log {
    std::string file;  // empty: none
    LogLevel level{};
  } log;
};

inline constexpr std::size_t kSettingCount = 33;

// Where a value comes from; a later one beats an earlier one.
enum class Origin : std::uint8_t { kDefault, kFile, kOptions, kEnvironment, kConsole };

enum class ProblemKind : std::uint8_t {
  kUnreadable,  // the file cannot be read: the level is off
  kMalformed,   // the file or the options are not a JSON object: the level is off
  kUnknownKey,
  kNotAllowed,  // wrong type or out of range
  kNotLive,     // the setting exists but cannot change while running
};

// One thing that is wrong with the settings. All texts are one line of printable UTF-8; a secret's value is
// not shown.
struct Problem {
  ProblemKind kind = ProblemKind::kNotAllowed;
  Origin origin = Origin::kDefault;
  std::string where;    // the file's path, the environment variable, "start options" or "console"
  std::string key;      // empty when it concerns the whole file
  std::string message;  // such as `"99999" is not allowed`
  std::string allowed;  // in words; empty when that says nothing
  std::string used;     // the value used instead, or empty

  // The line for the log, such as
  // `inlens.json: console.port: 99999 is not allowed (1–65535, or 0 for any free port); using 9790`.
  std::string text() const;
};

struct LoadResult {
  Config config;
  std::string file;  // the path that was read or tried; empty when there is none
  std::vector<Problem> problems;
  std::array<Origin, kSettingCount> origins{};  // in the table's order
};

struct LoadOptions {
  using Environment = std::function<std::optional<std::string>(const std::string& name)>;

  std::string file;         // empty: INLENS_CONFIG, else none
  std::string json;         // settings as JSON text; empty: none
  std::string server_name;  // for server.name, below `json`; empty: not given
  std::string release;      // for server.release, below `json`; empty: not given
  Environment environment;  // empty: no environment
};

inline constexpr std::size_t kMaxProblems = 50;

// Defaults < file < options < environment. A value that is not allowed leaves the one from below in force,
// except that of collect.level, which then becomes off.
//
// Blocks: for reading the file.
//
// Errors: never throws; everything wrong is in `problems`, at most kMaxProblems of them.
LoadResult load_config(const LoadOptions& options) noexcept;

// Reads a variable of this process's environment; the usual LoadOptions::environment.
std::optional<std::string> process_environment(const std::string& name);

// Changes one live setting and returns the new settings, or why not. `json_value` is a JSON text such as
// `"full"`. Errors: never throws.
std::variant<LoadResult, Problem> apply_override(const LoadResult& current, std::string_view key,
                                                 std::string_view json_value) noexcept;

std::string_view name_of(Level level) noexcept;    // "off", "light", "standard", "full"
std::string_view name_of(Origin origin) noexcept;  // "default", "file", "options", "environment", "console"

}  // namespace inlens
