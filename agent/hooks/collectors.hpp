// What the collectors say they see (inlens_collector_report). A table of the process, not of the Core:
// collectors speak before the agent starts, and a forked child keeps what its parent was told. Threads: any.
// Blocks: never; of two reports on one name at the same time one is dropped.
#pragma once

#include <inlens/inlens.h>

#include <string>
#include <string_view>
#include <vector>

namespace inlens::hooks {

struct CollectorReport {
  std::string name;
  inlens_collector_state state = INLENS_COLLECTOR_OFF;
  std::string detail;
};

void report_collector(std::string_view name, inlens_collector_state state, std::string_view detail) noexcept;

// In the order in which they first spoke. May throw std::bad_alloc.
std::vector<CollectorReport> collector_reports();

}  // namespace inlens::hooks
