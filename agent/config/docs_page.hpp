// docs/configuration.md, written from the table of settings. Used by the program inlens_config_docs and by
// the test that holds the committed page against it.
#pragma once

#include <string>

namespace inlens::config {

std::string configuration_page();

}  // namespace inlens::config
