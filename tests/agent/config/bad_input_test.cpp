// Wrong configurations never stop the start: each has its one line and leaves a valid Config.
#include <sys/stat.h>

#include <stdexcept>

#include "agent/config/text.hpp"
#include "tests/agent/config/support.hpp"

using namespace inlens;
using namespace inlens::test;

namespace {

const Problem& only_problem(const LoadResult& result) {
  REQUIRE(result.problems.size() == 1);
  return result.problems.front();
}

}  // namespace

TEST_CASE("a value out of range keeps the default and one line names file, key and what is allowed") {
  const TemporaryFile file(R"({"console": {"port": 99999}})");
  const LoadResult result = load_file(file.path());
  CHECK(result.config.console.port == 9790);
  CHECK(only_problem(result).text() == file.path() +
                                           ": console.port: 99999 is not allowed (1–65535, or 0 for any free "
                                           "port); using 9790");
}

TEST_CASE("a wrong environment variable is named by its own name") {
  const LoadResult result = load_variables({{"INLENS_ISSUES_RETENTION_HOURS", "3 days"}});
  CHECK(result.config.issues.retention_hours == 72);
  CHECK(only_problem(result).text() ==
        "INLENS_ISSUES_RETENTION_HOURS: issues.retentionHours: \"3 days\" is not allowed (1–8760 hours); "
        "using 72");
  CHECK(only_problem(result).origin == Origin::kEnvironment);
}

TEST_CASE("a wrong value leaves what an earlier layer said") {
  const LoadResult result =
      load_config(options_with(R"({"console.port": 9000})", {{"INLENS_CONSOLE_PORT", "-1"}}));
  CHECK(result.config.console.port == 9000);
  CHECK(only_problem(result).used == "9000");
}

TEST_CASE("one wrong setting does not touch the others") {
  const LoadResult result = load_json(R"({"console.port": "x", "history.recent": 7, "bar.enabled": 1})");
  CHECK(result.config.history.recent == 7);
  CHECK(result.config.console.port == 9790);
  CHECK_FALSE(result.config.bar.enabled);
  CHECK(result.problems.size() == 2);
}

TEST_CASE("every wrong type is refused with its default kept") {
  const std::string wrong[] = {
      R"({"console.port": "9791"})",      R"({"console.port": 1.5})",
      R"({"console.port": null})",        R"({"console.port": true})",
      R"({"console.port": [1]})",         R"({"console.port": {"a": 1}})",
      R"({"console.port": 1e3})",         R"({"console.port": -9223372036854775808})",
      R"({"bar.enabled": "true"})",       R"({"bar.allow": 0})",
      R"({"console.hosts": "a"})",        R"({"console.hosts": [1]})",
      R"({"console.hosts": [""]})",       R"({"console.hosts": ["a b"]})",
      R"({"mask.keys": ["a\n"]})",        R"({"server.name": 1})",
      R"({"server.name": "a\nb"})",       R"({"server.name": "\u0000"})",
      R"({"console.token": "a b"})",      R"({"console.port": 18446744073709551615})",
      R"({"console.address": "\u0000"})", R"({"console.address": "127.0.0.1\u0000"})"};
  for (const std::string& json : wrong) {
    INFO(json);
    const LoadResult result = load_json(json);
    CHECK(only_problem(result).kind == ProblemKind::kNotAllowed);
    CHECK(result.config.console.port == 9790);
    CHECK(result.config.console.hosts.empty());
    CHECK(result.config.mask.keys.empty());
    CHECK(result.config.server.name.empty());
    CHECK(result.config.console.token.empty());
    CHECK(result.config.console.address == "127.0.0.1");
    CHECK(result.config.collect.level == Level::kLight);
  }
}

TEST_CASE("a level that is not known means off, in every layer") {
  for (const char* json : {R"({"collect.level": "everything"})", R"({"collect": {"level": 3}})",
                           R"({"collect.level": null})", R"({"collect.level": ""})"}) {
    INFO(json);
    const LoadResult result = load_json(json);
    CHECK(result.config.collect.level == Level::kOff);
    CHECK(only_problem(result).used == "off");
  }
  CHECK(load_config(options_with(R"({"collect.level": "full"})", {{"INLENS_COLLECT_LEVEL", "FULL"}}))
            .config.collect.level == Level::kOff);
}

TEST_CASE("an empty or malformed file turns the level off and keeps every other default") {
  for (const char* text :
       {"", " \n\t", "{", "[]", "7", "null", "{]", "{\"a\":1,}", "\"text\"", "{} {}", "\xFF\xFE",
        "{\"console.port\": 01}", "{\"server.name\": \"\xC3\x28\"}", "{\"console.port\": 1e999}"}) {
    INFO(text);
    const TemporaryFile file(text);
    const LoadResult result = load_file(file.path());
    CHECK(result.config.collect.level == Level::kOff);
    CHECK(result.config.console.port == 9790);
    CHECK(only_problem(result).kind == ProblemKind::kMalformed);
    CHECK(only_problem(result).where == file.path());
    CHECK(only_problem(result).used == "collect.level off");
  }
}

TEST_CASE("malformed JSON is located by line and column") {
  const TemporaryFile file("{\n  \"console\": {\n    \"port\": 97x0\n  }\n}\n");
  CHECK(only_problem(load_file(file.path())).text() ==
        file.path() + ": is not valid JSON at line 3, column 15; using collect.level off");
}

TEST_CASE("the environment still decides the level over a malformed file") {
  const TemporaryFile file("{");
  const LoadResult result = load_file(file.path(), {{"INLENS_COLLECT_LEVEL", "standard"}});
  CHECK(result.config.collect.level == Level::kStandard);
  CHECK(result.problems.size() == 1);
}

TEST_CASE("a file that cannot be read turns the level off and is named") {
  const TemporaryFile pipe("");
  REQUIRE(::unlink(pipe.path().c_str()) == 0);
  REQUIRE(::mkfifo(pipe.path().c_str(), 0600) == 0);
  const TemporaryFile large(std::string(1'000'001, ' '));
  for (const std::string& path :
       {std::string("/nonexistent/inlens.json"), std::string("/tmp"), std::string("/dev/zero"), pipe.path(),
        large.path(), std::string(5000, 'x')}) {
    const LoadResult result = load_file(path);
    CHECK(result.config.collect.level == Level::kOff);
    CHECK(result.config.console.port == 9790);
    CHECK(only_problem(result).kind == ProblemKind::kUnreadable);
    CHECK(only_problem(result).message.starts_with("cannot be read: "));
  }
}

TEST_CASE("malformed JSON text of the host turns the level off and is called start options") {
  const LoadResult result = load_json("{\"collect\"");
  CHECK(result.config.collect.level == Level::kOff);
  CHECK(only_problem(result).where == "start options");
  CHECK(only_problem(result).origin == Origin::kOptions);
}

TEST_CASE("an unknown key is named with the known one it resembles") {
  CHECK(only_problem(load_json(R"({"console": {"prot": 1}})")).text() ==
        "start options: console.prot: is not a setting; did you mean console.port?");
  CHECK(only_problem(load_json(R"({"Collect.Level": "full"})"))
            .message.ends_with("did you mean collect.level?"));
  CHECK(only_problem(load_json(R"({"retentionHours": 1})"))
            .message.ends_with("did you mean issues.retentionHours?"));
  CHECK(only_problem(load_json(R"({"somethingElse": {"a": 1}})")).message == "is not a setting");
  CHECK(only_problem(load_json(R"({"": 1})")).message == "is not a setting");
}

TEST_CASE("a group given as a value is told apart from an unknown key") {
  CHECK(only_problem(load_json(R"({"console": 9790})")).message == "is a group of settings, not a value");
}

TEST_CASE("an unknown key changes neither the level nor any setting") {
  const LoadResult result = load_json(R"({"colect": {"level": "full"}, "history.recent": 9})");
  CHECK(result.config.collect.level == Level::kLight);
  CHECK(result.config.history.recent == 9);
}

TEST_CASE("a secret never appears in a problem") {
  const LoadResult result = load_config(
      options_with(R"({"console.token": "hunter2 with spaces"})", {{"INLENS_CONSOLE_TOKEN", "s3cret\x01"}}));
  CHECK(result.problems.size() == 2);
  for (const Problem& problem : result.problems) {
    CHECK(problem.text().find("hunter2") == std::string::npos);
    CHECK(problem.text().find("s3cret") == std::string::npos);
  }
  const LoadResult after =
      load_config(options_with(R"({"console.token": "hunter2"})", {{"INLENS_CONSOLE_TOKEN", "not allowed"}}));
  CHECK(after.config.console.token == "hunter2");
  CHECK(only_problem(after).text().find("hunter2") == std::string::npos);
}

TEST_CASE("problems are single printable lines of bounded length, whatever was written") {
  const std::string evil = "x\\n\\u0007\\u2028\\\"" + std::string(10'000, 'y');
  const LoadResult result =
      load_config(options_with("{\"" + evil + "\": 1, \"server.name\": \"" + evil + "\"}",
                               {{"INLENS_BAR_ALLOW", "\xFF\xFE\n\x1B[31m"}}));
  REQUIRE(result.problems.size() == 3);
  for (const Problem& problem : result.problems) {
    CHECK(config::is_printable(problem.text()));
    CHECK(problem.text().size() < 400);
  }
}

TEST_CASE("a file of a thousand unknown keys lists fifty problems at most") {
  std::string json = "{";
  for (int i = 0; i < 1000; ++i) json += "\"key" + std::to_string(i) + "\": 1,";
  const LoadResult result = load_json(json + "\"history.recent\": 5}");
  CHECK(result.problems.size() == kMaxProblems);
  CHECK(result.problems.back().message == "has further problems");
  CHECK(result.config.history.recent == 5);
}

TEST_CASE("a megabyte of brackets is refused, not followed") {
  for (const char* open : {"[", "{\"a\":"}) {
    std::string text;
    while (text.size() < 900'000) text += open;
    const LoadResult result = load_json(text);
    CHECK(only_problem(result).message == "is nested deeper than 8 levels");
    CHECK(result.config.collect.level == Level::kOff);
  }
}

TEST_CASE("an environment function that throws turns the level off") {
  LoadOptions options;
  options.environment = [](const std::string&) -> std::optional<std::string> {
    throw std::runtime_error("no");
  };
  CHECK(load_config(options).config.collect.level == Level::kOff);
}

TEST_CASE("a text that is not UTF-8 or holds controls is not printable") {
  for (const char* text : {"\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\x80", "\x7F",
                           "\xC2\x85", "\xE2\x80\xA8", "\t"}) {
    CHECK_FALSE(config::is_printable(text));
  }
  CHECK(config::is_printable("grüße € 𝄞"));
  CHECK(config::printable("a\nb\xFF", 80) == "a?b?");
  CHECK(config::printable("aä€", 5) == "aä…");
}
