// docs/configuration.md is what the table says, and what it shows works.
#include <sstream>

#include "agent/config/docs_page.hpp"
#include "tests/agent/config/support.hpp"

using namespace inlens;
using namespace inlens::test;

namespace {

// The text between ```<language> and the next ```.
std::string example(const std::string& page, const std::string& language) {
  const std::string fence = "```" + language + "\n";
  const std::size_t start = page.find(fence);
  REQUIRE(start != std::string::npos);
  return page.substr(start + fence.size(), page.find("```", start + fence.size()) - start - fence.size());
}

}  // namespace

TEST_CASE("the committed page about the configuration is what the table of settings writes") {
  std::ifstream file(INLENS_SOURCE_DIR "/docs/configuration.md");
  std::ostringstream committed;
  committed << file.rdbuf();
  // On failure: build/…/bin/inlens_config_docs > docs/configuration.md
  CHECK((committed.str() == config::configuration_page()));
}

TEST_CASE("the page's example file is accepted") {
  const LoadResult result = load_json(example(config::configuration_page(), "json"));
  CHECK(result.problems.empty());
  CHECK(result.config.collect.level == Level::kStandard);
  CHECK(result.config.console.port == 9791);
  CHECK(result.config.bar.enabled);
}

TEST_CASE("the page's example variables are accepted") {
  std::istringstream words(example(config::configuration_page(), "sh"));
  Variables variables;
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    if (equals != std::string::npos) variables[word.substr(0, equals)] = word.substr(equals + 1);
  }
  REQUIRE(variables.size() == 3);
  const LoadResult result = load_variables(variables);
  CHECK(result.problems.empty());
  CHECK(result.config.collect.level == Level::kFull);
  CHECK(result.config.mask.keys.size() == 2);
  CHECK(result.config.bar.enabled);
}

TEST_CASE("the page's examples of messages are the messages") {
  const TemporaryFile file(R"({"console.port": 99999, "console": {"prot": 9791}})");
  std::string lines;
  for (const Problem& problem : load_file(file.path()).problems) lines += problem.text() + "\n";
  for (std::size_t at = 0; (at = lines.find(file.path(), at)) != std::string::npos;) {
    lines.replace(at, file.path().size(), "inlens.json");
  }
  CHECK(lines == example(config::configuration_page(), "text"));
}
