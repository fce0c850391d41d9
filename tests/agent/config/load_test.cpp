// The layers of the settings, and how each kind of value is written in them.
#include "tests/agent/config/support.hpp"

using namespace inlens;
using namespace inlens::test;

TEST_CASE("without any configuration the documented defaults hold") {
  const LoadResult result = load_config({});
  const Config& config = result.config;
  CHECK(config.collect.level == Level::kLight);
  CHECK(config.console.enabled);
  CHECK(config.console.port == 9790);
  CHECK(config.console.address == "127.0.0.1");
  CHECK(config.console.token.empty());
  CHECK(config.console.hosts.empty());
  CHECK_FALSE(config.bar.enabled);
  CHECK(config.bar.allow == BarAllow::kSession);
  CHECK(config.guard.events_per_second == 1000);
  CHECK(config.guard.new_issues_per_minute == 20);
  CHECK(config.issues.max == 200);
  CHECK(config.issues.retention_hours == 72);
  CHECK(config.limits.pool_megabytes == 16);
  CHECK(config.worker.poll_ms == 50);
  CHECK(config.log.level == LogLevel::kInfo);
  CHECK(result.problems.empty());
  CHECK(result.file.empty());
}

TEST_CASE("a file may group the settings or name them in full") {
  const TemporaryFile file(R"({"console": {"port": 1234, "hosts": ["a.example", "b.example:8080"]},
                               "bar.enabled": true, "collect": {"level": "full"}})");
  const LoadResult result = load_file(file.path());
  CHECK(result.problems.empty());
  CHECK(result.file == file.path());
  CHECK(result.config.console.port == 1234);
  CHECK(result.config.console.hosts == std::vector<std::string>{"a.example", "b.example:8080"});
  CHECK(result.config.bar.enabled);
  CHECK(result.config.collect.level == Level::kFull);
}

TEST_CASE("a setting named in full beats the same setting in a group") {
  CHECK(load_json(R"({"console.port": 1, "console": {"port": 2}})").config.console.port == 1);
}

TEST_CASE("INLENS_CONFIG names the file unless the host does") {
  const TemporaryFile ours(R"({"console.port": 1})");
  const TemporaryFile theirs(R"({"console.port": 2})");
  CHECK(load_file("", {{"INLENS_CONFIG", theirs.path()}}).config.console.port == 2);
  CHECK(load_file(ours.path(), {{"INLENS_CONFIG", theirs.path()}}).config.console.port == 1);
}

TEST_CASE("environment beats options, options beat the file, the file beats the default") {
  const TemporaryFile file(R"({"history": {"recent": 1, "notable": 1}, "limits": {"routes": 1}})");
  LoadOptions options =
      options_with(R"({"history": {"recent": 2, "notable": 2}})", {{"INLENS_HISTORY_RECENT", "3"}});
  options.file = file.path();
  const Config config = load_config(options).config;
  CHECK(config.history.recent == 3);
  CHECK(config.history.notable == 2);
  CHECK(config.limits.routes == 1);
  CHECK(config.limits.statements == 500);
}

TEST_CASE("the name and release of the start options lie above the file and below the JSON text") {
  const TemporaryFile file(R"({"server": {"name": "file", "release": "file"}})");
  LoadOptions options = options_with(R"({"server.release": "text"})");
  options.file = file.path();
  options.server_name = "options";
  options.release = "options";
  const LoadResult result = load_config(options);
  CHECK(result.config.server.name == "options");
  CHECK(result.config.server.release == "text");
}

TEST_CASE("an environment variable writes numbers, names, lists and truth in plain text") {
  const LoadResult result = load_variables({{"INLENS_CONSOLE_PORT", " 8000 "},
                                            {"INLENS_COLLECT_LEVEL", "standard"},
                                            {"INLENS_MASK_KEYS", "iban, customer-number,,pin "},
                                            {"INLENS_BAR_ENABLED", "yes"},
                                            {"INLENS_CONSOLE_ENABLED", "0"},
                                            {"INLENS_ISSUES_RETENTION_HOURS", "24"},
                                            {"INLENS_SERVER_NAME", "Läden & Co"}});
  CHECK(result.problems.empty());
  CHECK(result.config.console.port == 8000);
  CHECK(result.config.collect.level == Level::kStandard);
  CHECK(result.config.mask.keys == std::vector<std::string>{"iban", "customer-number", "pin"});
  CHECK(result.config.bar.enabled);
  CHECK_FALSE(result.config.console.enabled);
  CHECK(result.config.issues.retention_hours == 24);
  CHECK(result.config.server.name == "Läden & Co");
}

TEST_CASE("an empty environment variable counts as not given") {
  LoadOptions options = options_with(R"({"console.port": 1, "server.name": "shop"})",
                                     {{"INLENS_CONSOLE_PORT", ""}, {"INLENS_SERVER_NAME", ""}});
  const LoadResult result = load_config(options);
  CHECK(result.problems.empty());
  CHECK(result.config.console.port == 1);
  CHECK(result.config.server.name == "shop");
}

TEST_CASE("zero is allowed where it has a meaning of its own") {
  const LoadResult result = load_json(R"({"console.port": 0})");
  CHECK(result.problems.empty());
  CHECK(result.config.console.port == 0);
  CHECK(load_json(R"({"history.recent": 0})").problems.size() == 1);
}

TEST_CASE("the console's address may be IPv4, IPv6 or localhost") {
  for (const char* address : {"0.0.0.0", "::1", "localhost", "192.168.1.20"}) {
    const LoadResult result = load_variables({{"INLENS_CONSOLE_ADDRESS", address}});
    CHECK(result.problems.empty());
    CHECK(result.config.console.address == address);
  }
  for (const char* address : {"256.1.1.1", "example.org", "127.0.0.1:80", "any"}) {
    CHECK(load_variables({{"INLENS_CONSOLE_ADDRESS", address}}).problems.size() == 1);
  }
}

TEST_CASE("the environment of this process is read by name") {
  REQUIRE(::setenv("INLENS_TEST_VARIABLE", "value", 1) == 0);
  CHECK(process_environment("INLENS_TEST_VARIABLE") == "value");
  CHECK_FALSE(process_environment("INLENS_TEST_VARIABLE_THAT_IS_NOT_SET"));
}
