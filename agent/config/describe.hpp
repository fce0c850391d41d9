// The settings as data for the console's settings pages. The console calls it, on the console thread, when
// somebody looks. Pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "agent/config/config.hpp"

namespace inlens {

// {"items": [...]}: every setting with value, default, source, type, what is allowed and what it means, as
// `Settings` in console/api/openapi.json. A secret's value is null.
nlohmann::ordered_json describe_settings(const LoadResult& settings);

// One item of the above; null for an unknown key.
nlohmann::ordered_json describe_setting(const LoadResult& settings, std::string_view key);

}  // namespace inlens
