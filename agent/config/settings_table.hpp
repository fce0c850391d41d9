// The one table of settings. Reading, validation, the console's Settings page and docs/configuration.md come
// from it. Included by agent/config alone. Constant data; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "agent/config/config.hpp"

namespace inlens::config {

enum class Type : std::uint8_t { kBoolean, kInteger, kString, kChoice, kList };

// What the text of a string, or of each item of a list, must look like.
enum class Form : std::uint8_t {
  kText,     // printable UTF-8
  kToken,    // visible ASCII without spaces: it travels in a header
  kAddress,  // an IPv4 or IPv6 address, or localhost
  kHost,     // a host name or address, with or without a port
  kKeyName,  // letters, digits, '-', '_' and '.'
};

// Integers and choices (as an index) share the number.
using Value = std::variant<bool, std::int64_t, std::string, std::vector<std::string>>;

struct Setting {
  std::string_view key;
  Type type;
  std::int64_t default_number;                // booleans: 0 or 1; choices: an index
  std::string_view default_text;              // strings only; a list is empty by default
  std::int64_t minimum;                       // integers: the value
  std::int64_t maximum;                       // integers: the value; strings: bytes; lists: items
  std::string_view zero;                      // what zero means when it lies apart from the range; else empty
  std::span<const std::string_view> choices;  // in the order of the enum
  std::string_view unit;
  Form form;
  bool live;
  bool secret;
  std::string_view description;  // one sentence; says what an empty value means
  Value (*read)(const Config&);
  void (*write)(Config&, const Value&);

  Value default_value() const;
};

std::span<const Setting, kSettingCount> settings() noexcept;
std::optional<std::size_t> find_setting(std::string_view key) noexcept;

// "console.port" -> "INLENS_CONSOLE_PORT", "issues.retentionHours" -> "INLENS_ISSUES_RETENTION_HOURS"
std::string environment_name(std::string_view key);

// The known key that `key` was probably meant to be, or "".
std::string_view nearest_key(std::string_view key);

}  // namespace inlens::config
