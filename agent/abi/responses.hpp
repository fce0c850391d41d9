// Who gets the bar, and the state of a response on its way through the injector. Joins hooks and bar; the
// settings are put in place by the runtime. Threads: host threads read the settings; the runtime replaces
// them. Blocks: never.
#pragma once

#include <inlens/inlens.h>

#include <string>

#include "agent/config/config.hpp"

namespace inlens::abi {

struct BarSettings {
  bool enabled = false;
  bool local_callers = false;  // bar.allow: loopback
  std::string loader_version;  // hash of the loader's file
};

// Keeps a copy for ever, as a host thread may still be reading the one before.
void set_bar_settings(const BarSettings& settings);

}  // namespace inlens::abi
