// Turns what somebody wrote (a JSON value, an environment variable) into a valid value of one setting, and
// values into words. Pure functions, used by agent/config alone; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "agent/config/settings_table.hpp"

namespace inlens::config {

struct Parsed {
  std::optional<Value> value;  // nothing: not allowed
  std::string given;           // what was given, for a message; one line, and no secret
};

Parsed parse_json_value(const Setting& setting, const nlohmann::json& json);
Parsed parse_text_value(const Setting& setting, std::string_view text);

// The allowed values in words: "1–65535, or 0 for any free port".
std::string allowed_words(const Setting& setting);

// A value in words: `9790`, `full`, `"text"`, `empty`. Never shows a secret.
std::string value_words(const Setting& setting, const Value& value);

}  // namespace inlens::config
