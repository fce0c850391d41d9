#include "agent/config/describe.hpp"

#include "agent/config/json.hpp"
#include "agent/config/settings_table.hpp"
#include "agent/config/value.hpp"

namespace inlens {
namespace {

using config::Setting;
using config::Type;
using config::Value;
using Json = nlohmann::ordered_json;

std::string_view type_name(Type type) {
  switch (type) {
    case Type::kBoolean:
      return "boolean";
    case Type::kInteger:
      return "integer";
    case Type::kString:
      return "string";
    case Type::kChoice:
      return "choice";
    case Type::kList:
      break;
  }
  return "list";
}

Json to_json(const Setting& setting, const Value& value) {
  if (setting.secret) return nullptr;
  if (setting.type == Type::kChoice)
    return setting.choices[static_cast<std::size_t>(std::get<std::int64_t>(value))];
  return std::visit([](const auto& plain) { return Json(plain); }, value);
}

Json describe(const LoadResult& settings, std::size_t index) {
  const Setting& setting = config::settings()[index];
  const bool number = setting.type == Type::kInteger;
  const std::int64_t minimum = setting.zero.empty() ? setting.minimum : 0;
  return {{"key", setting.key},
          {"value", to_json(setting, setting.read(settings.config))},
          {"default", to_json(setting, setting.default_value())},
          {"source", name_of(settings.origins[index])},
          {"type", type_name(setting.type)},
          {"choices", std::vector<std::string_view>(setting.choices.begin(), setting.choices.end())},
          {"minimum", number ? Json(minimum) : Json(nullptr)},
          {"maximum", number ? Json(setting.maximum) : Json(nullptr)},
          {"unit", setting.unit.empty() ? Json(nullptr) : Json(setting.unit)},
          {"allowed", config::allowed_words(setting)},
          {"live", setting.live},
          {"secret", setting.secret},
          {"description", setting.description},
          {"environment", config::environment_name(setting.key)}};
}

}  // namespace

Json describe_settings(const LoadResult& settings) {
  Json items = Json::array();
  for (std::size_t index = 0; index < kSettingCount; ++index) items.push_back(describe(settings, index));
  return {{"items", std::move(items)}};
}

Json describe_setting(const LoadResult& settings, std::string_view key) {
  const auto index = config::find_setting(key);
  return index ? describe(settings, *index) : Json(nullptr);
}

}  // namespace inlens
