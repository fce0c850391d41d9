#include "agent/platform/agent_log.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace inlens;

namespace {

struct Lines {
  std::vector<std::string> all;
  static void add(void* self, int, std::string_view line) {
    static_cast<Lines*>(self)->all.emplace_back(line);
  }
};

AgentLog::Options to(Lines& lines) {
  AgentLog::Options options;
  options.callback = &Lines::add;
  options.user = &lines;
  return options;
}

}  // namespace

TEST_CASE("A million lines of one kind become 20") {
  Lines lines;
  AgentLog log(to(lines));
  for (int i = 0; i < 1'000'000; ++i) log.write(LogLevel::kWarning, "queue", "inlens: work queue full");
  CHECK(lines.all.size() == 20);
}

TEST_CASE("Lines without a kind are all written, lines below the level none") {
  Lines lines;
  AgentLog log(to(lines));
  log.write(LogLevel::kInfo, "", "one");
  log.write(LogLevel::kInfo, "", "two");
  log.write(LogLevel::kDebug, "", "three");
  CHECK(lines.all == std::vector<std::string>{"one", "two"});
}

TEST_CASE("A log file that cannot be opened is reported and does no harm") {
  Lines lines;
  AgentLog::Options options = to(lines);
  options.file = "/dev/null/inlens.log";
  AgentLog log(options);
  log.write(LogLevel::kInfo, "", "still here");
  REQUIRE(lines.all.size() == 2);
  CHECK(lines.all[0].find("log.file") != std::string::npos);
}

TEST_CASE("Percent signs and braces in a line are text") {
  Lines lines;
  AgentLog log(to(lines));
  log.write(LogLevel::kInfo, "", "{} %s {0}");
  CHECK(lines.all.at(0) == "{} %s {0}");
}
