// Prints docs/configuration.md: inlens_config_docs > docs/configuration.md
#include <cstdio>

#include "agent/config/docs_page.hpp"

int main() {
  const std::string page = inlens::config::configuration_page();
  return std::fwrite(page.data(), 1, page.size(), stdout) == page.size() ? 0 : 1;
}
