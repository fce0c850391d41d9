// Any bytes as configuration file and as environment: no crash, a valid Config, printable problems.
// Input: the JSON text, then optionally a NUL byte and the value that every environment variable has.
#include <cstdlib>

#include "agent/config/config.hpp"
#include "agent/config/describe.hpp"
#include "agent/config/json.hpp"
#include "agent/config/settings_table.hpp"
#include "agent/config/text.hpp"
#include "agent/config/value.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

// What the console shows of a setting must itself be an allowed value, and the same one.
void require_round_trip(const inlens::LoadResult& settings) {
  const auto described = inlens::describe_settings(settings);
  for (const auto& item : described.at("items")) {
    const auto index = inlens::config::find_setting(item.at("key").get_ref<const std::string&>());
    require(index.has_value());
    const inlens::config::Setting& setting = inlens::config::settings()[*index];
    if (setting.secret) continue;
    require(inlens::config::parse_json_value(setting, nlohmann::json(item.at("value"))).value ==
            setting.read(settings.config));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  const std::size_t split = input.find('\0');
  inlens::LoadOptions options;
  options.json = input.substr(0, split);
  if (split != std::string::npos) {
    options.environment =
        [value = input.substr(split + 1)](const std::string& name) -> std::optional<std::string> {
      if (name == "INLENS_CONFIG") return std::nullopt;
      return value;
    };
  }
  const inlens::LoadResult settings = inlens::load_config(options);
  require(settings.problems.size() <= inlens::kMaxProblems);
  for (const inlens::Problem& problem : settings.problems)
    require(inlens::config::is_printable(problem.text()));
  require_round_trip(settings);
  inlens::apply_override(settings, "collect.level", options.json);
  return 0;
}
