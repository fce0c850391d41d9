// Every row of the table: its default is allowed, its bounds are enforced, and it writes its own member
// alone.
#include <set>

#include "agent/config/json.hpp"
#include "agent/config/settings_table.hpp"
#include "agent/config/value.hpp"
#include "tests/agent/config/support.hpp"

using namespace inlens;
using namespace inlens::test;
using config::Setting;
using config::Type;
using config::Value;

namespace {

// An allowed text that is not the default.
std::string other_text(const Setting& setting) {
  switch (setting.type) {
    case Type::kBoolean:
      return setting.default_number != 0 ? "false" : "true";
    case Type::kInteger:
      return std::to_string(setting.default_number - 1);
    case Type::kChoice:
      return std::string(setting.choices[setting.default_number == 0 ? 1 : 0]);
    case Type::kString:
      return setting.form == config::Form::kAddress ? "::1" : "other";
    case Type::kList:
      return "one,two";
  }
  return {};
}

}  // namespace

TEST_CASE("each setting's default is within its own bounds") {
  for (const Setting& setting : config::settings()) {
    INFO(setting.key);
    const Value value = setting.default_value();
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
      CHECK(*number >= setting.minimum);
      CHECK(*number <= setting.maximum);
    }
    CHECK(setting.read(Config()) == value);
  }
}

TEST_CASE("each setting is changed by its environment variable and changes nothing else") {
  for (std::size_t changed = 0; changed < kSettingCount; ++changed) {
    const Setting& setting = config::settings()[changed];
    INFO(setting.key);
    const LoadResult result = load_variables({{config::environment_name(setting.key), other_text(setting)}});
    CHECK(result.problems.empty());
    for (std::size_t i = 0; i < kSettingCount; ++i) {
      const Setting& each = config::settings()[i];
      CHECK((each.read(result.config) == each.default_value()) == (i != changed));
      CHECK(result.origins[i] == (i == changed ? Origin::kEnvironment : Origin::kDefault));
    }
  }
}

TEST_CASE("each integer takes its bounds and refuses one beyond") {
  for (const Setting& setting : config::settings()) {
    if (setting.type != Type::kInteger) continue;
    INFO(setting.key);
    const auto accepts = [&](std::int64_t number) {
      const config::Parsed parsed = config::parse_json_value(setting, number);
      if (!parsed.value) return false;
      Config written;
      setting.write(written, *parsed.value);
      return setting.read(written) == Value(number);  // the member is wide enough
    };
    CHECK(accepts(setting.minimum));
    CHECK(accepts(setting.maximum));
    CHECK(accepts(setting.minimum - 1) == (setting.minimum == 1 && !setting.zero.empty()));
    CHECK_FALSE(accepts(setting.maximum + 1));
  }
}

TEST_CASE("a number beyond 64 bits with a sign is refused, not wrapped around") {
  Setting setting = config::settings()[*config::find_setting("history.recent")];
  setting.minimum = -1;
  CHECK(config::parse_json_value(setting, -1).value);
  CHECK_FALSE(config::parse_json_value(setting, UINT64_MAX).value);
}

TEST_CASE("each list and string refuses more than its maximum") {
  for (const Setting& setting : config::settings()) {
    INFO(setting.key);
    const auto most = static_cast<std::size_t>(setting.maximum);
    if (setting.type == Type::kList) {
      CHECK(config::parse_json_value(setting, std::vector<std::string>(most, "a")).value);
      CHECK_FALSE(config::parse_json_value(setting, std::vector<std::string>(most + 1, "a")).value);
      CHECK_FALSE(config::parse_json_value(setting, std::vector<std::string>{std::string(254, 'a')}).value);
    } else if (setting.type == Type::kString && setting.form != config::Form::kAddress) {
      CHECK(config::parse_json_value(setting, std::string(most, 'a')).value);
      CHECK_FALSE(config::parse_json_value(setting, std::string(most + 1, 'a')).value);
    }
  }
}

TEST_CASE("each choice has the names of its enum in order") {
  CHECK(load_json(R"({"collect.level": "off"})").config.collect.level == Level::kOff);
  CHECK(load_json(R"({"collect.level": "light"})").config.collect.level == Level::kLight);
  CHECK(load_json(R"({"collect.level": "standard"})").config.collect.level == Level::kStandard);
  CHECK(load_json(R"({"collect.level": "full"})").config.collect.level == Level::kFull);
  CHECK(load_json(R"({"bar.allow": "session"})").config.bar.allow == BarAllow::kSession);
  CHECK(load_json(R"({"bar.allow": "loopback"})").config.bar.allow == BarAllow::kLoopback);
  CHECK(load_json(R"({"log.level": "debug"})").config.log.level == LogLevel::kDebug);
  CHECK(load_json(R"({"log.level": "error"})").config.log.level == LogLevel::kError);
  for (const char* name : {"off", "light", "standard", "full"}) {
    CHECK(name_of(load_json(std::string(R"({"collect.level": ")") + name + "\"}").config.collect.level) ==
          name);
  }
}

TEST_CASE("keys and environment names are unique and follow one pattern") {
  std::set<std::string> names;
  for (const Setting& setting : config::settings()) {
    CHECK(names.insert(config::environment_name(setting.key)).second);
    CHECK(setting.key.find('.') != std::string_view::npos);
    CHECK(setting.description.ends_with('.'));
  }
  CHECK(config::environment_name("console.port") == "INLENS_CONSOLE_PORT");
  CHECK(config::environment_name("issues.retentionHours") == "INLENS_ISSUES_RETENTION_HOURS");
}
