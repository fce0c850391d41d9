// Wrong versions and wrong settings: the host starts, one line each says what is wrong, the console shows it.
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/host/agent.hpp"
#include "tests/host/console.hpp"

using host_test::LogLines;
using host_test::make_request;

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// A settings file for a scope, beside a port and token that do not come from it.
class Started {
 public:
  explicit Started(const std::string& content, const char* name = "inlens.json") {
    std::string directory = (fs::temp_directory_path() / "inlens-settings-XXXXXX").string();
    REQUIRE(::mkdtemp(directory.data()) != nullptr);
    directory_ = directory;
    file_ = (directory_ / name).string();
    if (!content.empty()) std::ofstream(file_) << content;
    begin(file_);
  }
  ~Started() {
    inlens::stop();
    fs::remove_all(directory_);
    ::unsetenv("INLENS_CONSOLE_PORT");
    ::unsetenv("INLENS_CONSOLE_TOKEN");
  }
  Started(const Started&) = delete;
  Started& operator=(const Started&) = delete;

  const std::string& file() const { return file_; }
  std::vector<std::string> log() const { return log_.lines(); }
  json agent() const { return host_test::ask_json(host_test::console_port(), "agent"); }

 private:
  void begin(const std::string& file) {
    ::setenv("INLENS_CONSOLE_PORT", "0", 1);
    ::setenv("INLENS_CONSOLE_TOKEN", host_test::kToken, 1);
    inlens::StartOptions options;
    options.config_file = file;
    options.log = &LogLines::sink;
    options.log_user = &log_;
    REQUIRE(inlens::start(options) == INLENS_OK);
  }

  fs::path directory_;
  std::string file_;
  LogLines log_;
};

// One line in the log and one entry on the agent's page, both naming `parts`.
void check_told_once(const Started& host, const std::vector<std::string>& parts) {
  const std::vector<std::string> log = host.log();
  REQUIRE(log.size() == 1);
  const json problems = host.agent()["config"]["problems"];
  REQUIRE(problems.size() == 1);
  for (const std::string& part : parts) {
    INFO(part);
    CHECK(contains(log[0], part));
    CHECK(contains(problems[0]["message"].get<std::string>(), part));
  }
  CHECK(log[0].find('\n') == std::string::npos);
}

}  // namespace

TEST_CASE("A host built for another version is refused with one line, and its hooks do nothing") {
  LogLines log;
  inlens_start_options options{};
  options.struct_size = sizeof options;
  options.abi_version = INLENS_ABI_VERSION + 1;
  options.log = &LogLines::sink;
  options.log_user = &log;
  CHECK(inlens_start(&options) == INLENS_E_ABI);
  CHECK(log.lines().size() == 1);
  make_request();
  CHECK_FALSE(inlens::figures().running);
  CHECK(inlens::stop() == INLENS_ALREADY);
  options.abi_version = 0;
  CHECK(inlens_start(&options) == INLENS_E_ABI);
  options.log = nullptr;
  CHECK(inlens_start(&options) == INLENS_E_ABI);
}

TEST_CASE("A log function that throws does no harm") {
  inlens_start_options options{};
  options.struct_size = sizeof options;
  options.abi_version = INLENS_ABI_VERSION + 1;
  options.log = [](void*, int, inlens_str) { throw 1; };
  CHECK(inlens_start(&options) < 0);
  options.abi_version = INLENS_ABI_VERSION;
  const std::string wrong = R"({"nonsense": 1, "console": {"port": 0}})";
  options.config_json = {wrong.data(), wrong.size()};
  CHECK(inlens_start(&options) == INLENS_OK);
  make_request();
  CHECK(inlens::figures().requests == 1);
  CHECK(host_test::stop());
}

TEST_CASE("A file that is not there turns recording off, with one line that names it") {
  const Started host("");
  check_told_once(host, {host.file()});
  CHECK(inlens::level() == inlens::Level::kOff);
  make_request();
  CHECK(inlens::figures().requests == 0);
}

TEST_CASE("A file that is no JSON turns recording off, with one line that names it") {
  for (const char* content : {"{", "nonsense", "[1, 2]", "{\"collect\": ", "\xFF\xFE", "null"}) {
    INFO(content);
    const Started host(content);
    check_told_once(host, {host.file()});
    CHECK(inlens::level() == inlens::Level::kOff);
  }
}

TEST_CASE("A file that is empty turns recording off, with one line that names it") {
  const Started host(" ");
  check_told_once(host, {host.file()});
  CHECK(inlens::level() == inlens::Level::kOff);
}

TEST_CASE("An unknown level means off, and the line names file, key and the levels there are") {
  const Started host(R"({"collect": {"level": "everything"}})");
  check_told_once(host, {host.file(), "collect.level", "everything", "light", "standard", "full"});
  CHECK(inlens::level() == inlens::Level::kOff);
  CHECK(inlens::set_level(inlens::Level::kFull) == INLENS_OK);
  make_request();
  CHECK(inlens::figures().requests == 1);
}

TEST_CASE("An unknown key is told with the one that may be meant, and everything else counts") {
  const Started host(R"({"collect": {"level": "full"}, "console": {"prot": 1}})");
  check_told_once(host, {host.file(), "console.prot", "console.port"});
  CHECK(inlens::level() == inlens::Level::kFull);
}

TEST_CASE("A value out of range leaves the default, and the line names the range") {
  const Started host(R"({"worker": {"pollMs": 4}})");
  check_told_once(host, {host.file(), "worker.pollMs", "5", "1000", "50"});
  CHECK(inlens::level() == inlens::Level::kLight);
}

TEST_CASE("Several problems are several lines, in the order of the file") {
  const Started host(R"({"a": 1, "limits": {"routes": "many", "poolMegabytes": -1}, "bar": {"enabled": 7}})");
  CHECK(host.log().size() == 4);
  CHECK(host.agent()["config"]["problems"].size() == 4);
  CHECK(host.agent()["config"]["file"] == host.file());
  for (const char* key : {"a", "limits.routes", "limits.poolMegabytes", "bar.enabled"}) {
    const std::vector<std::string> log = host.log();
    CHECK(std::any_of(log.begin(), log.end(), [&](const std::string& line) {
      return contains(line, host.file()) && contains(line, std::string(key) + ":");
    }));
  }
}

TEST_CASE("A directory, an unreadable path and a huge file are told like a file that is not there") {
  const std::string huge = "{\"a\": \"" + std::string(2'000'000, 'x') + "\"}";
  {
    const Started host(huge);
    check_told_once(host, {host.file()});
    CHECK(inlens::level() == inlens::Level::kOff);
  }
  ::setenv("INLENS_CONFIG", "/proc/self/fd", 1);
  LogLines log;
  CHECK(host_test::start(host_test::settings(), &log) == INLENS_OK);
  ::unsetenv("INLENS_CONFIG");
  CHECK(log.lines().size() == 1);
  CHECK(host_test::stop());
}

TEST_CASE("A wrong environment variable is told by its name") {
  ::setenv("INLENS_LIMITS_ROUTES", "many", 1);
  LogLines log;
  CHECK(host_test::start(host_test::settings(), &log) == INLENS_OK);
  ::unsetenv("INLENS_LIMITS_ROUTES");
  REQUIRE(log.lines().size() == 1);
  CHECK(contains(log.lines()[0], "INLENS_LIMITS_ROUTES"));
  CHECK(contains(log.lines()[0], "limits.routes"));
  CHECK(host_test::stop());
}

TEST_CASE("A log file that cannot be written is told to the host, and the agent runs") {
  LogLines log;
  CHECK(host_test::start(host_test::settings("light", R"("log": {"file": "/proc/inlens.log"})"), &log) ==
        INLENS_OK);
  REQUIRE(log.lines().size() == 1);
  CHECK(contains(log.lines()[0], "log.file"));
  CHECK(host_test::stop());
}
