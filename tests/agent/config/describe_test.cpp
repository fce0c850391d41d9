// The settings as the console shows them.
#include "agent/config/describe.hpp"

#include "agent/config/json.hpp"
#include "tests/agent/config/support.hpp"

using namespace inlens;
using namespace inlens::test;

TEST_CASE("every setting is described with value, default, source, bounds and meaning") {
  const auto items = describe_settings(load_json(R"({"console.port": 1234})")).at("items");
  REQUIRE(items.size() == kSettingCount);
  const auto port = describe_setting(load_json(R"({"console.port": 1234})"), "console.port");
  CHECK(port.at("value") == 1234);
  CHECK(port.at("default") == 9790);
  CHECK(port.at("source") == "options");
  CHECK(port.at("type") == "integer");
  CHECK(port.at("minimum") == 0);
  CHECK(port.at("maximum") == 65535);
  CHECK(port.at("unit").is_null());
  CHECK(port.at("allowed") == "1–65535, or 0 for any free port");
  CHECK(port.at("live") == false);
  CHECK(port.at("environment") == "INLENS_CONSOLE_PORT");
}

TEST_CASE("a choice lists its names and shows its value by name") {
  const auto level = describe_setting(load_config({}), "collect.level");
  CHECK(level.at("type") == "choice");
  CHECK(level.at("value") == "light");
  CHECK(level.at("choices") == nlohmann::ordered_json({"off", "light", "standard", "full"}));
  CHECK(level.at("live") == true);
  CHECK(level.at("minimum").is_null());
}

TEST_CASE("a secret is marked and its value is never given") {
  const LoadResult settings = load_json(R"({"console.token": "hunter2"})");
  REQUIRE(settings.config.console.token == "hunter2");
  CHECK(describe_setting(settings, "console.token").at("secret") == true);
  CHECK(describe_setting(settings, "console.token").at("value").is_null());
  CHECK(describe_settings(settings).dump().find("hunter2") == std::string::npos);
}

TEST_CASE("an overridden setting says that the console changed it") {
  const auto changed = apply_override(load_config({}), "bar.enabled", "true");
  const auto bar = describe_setting(std::get<LoadResult>(changed), "bar.enabled");
  CHECK(bar.at("value") == true);
  CHECK(bar.at("source") == "console");
}

TEST_CASE("an unknown key has no description") {
  CHECK(describe_setting(load_config({}), "a.b").is_null());
}
