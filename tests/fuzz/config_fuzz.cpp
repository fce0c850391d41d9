// Any bytes as configuration file and as environment: no crash, a valid Config, printable problems.
// Input: the JSON text, then optionally a NUL byte and the value that every environment variable has.
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "agent/config/config.hpp"
#include "agent/config/describe.hpp"
#include "agent/config/text.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

// What the console shows must itself be an allowed value.
void require_round_trip(const inlens::LoadResult& settings) {
  const auto described = inlens::describe_settings(settings);
  for (const auto& item : described.at("items")) {
    const std::string key = item.at("key").get<std::string>();
    const auto result = inlens::apply_override(settings, key, item.at("value").dump());
    if (!item.at("live").get<bool>()) continue;
    require(std::holds_alternative<inlens::LoadResult>(result));
    require(inlens::describe_setting(std::get<inlens::LoadResult>(result), key).at("value") ==
            item.at("value"));
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
