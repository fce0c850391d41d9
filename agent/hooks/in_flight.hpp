// What is running right now, read from the records themselves while their requests go on, without any lock:
// what is of interest in an open record is copied, and taken only if its generation stayed the same
// meanwhile. Threads: any but hooks (console, worker). Blocks: never; costs one look at each block ever used.
// May throw std::bad_alloc.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agent/hooks/core.hpp"

namespace inlens::hooks {

struct RunningRecord {
  std::uint64_t id_high = 0, id_low = 0;
  std::uint64_t start_ticks = 0;
  std::uint32_t thread_number = 0;
  bool task = false;
  std::uint32_t statements = 0;
  std::uint32_t errors = 0;
  EntryKind activity = EntryKind::kNone;
  std::string method;
  std::string target;  // masked
  std::string route;   // empty: not named yet
};

std::vector<RunningRecord> running_records(const Core& core);

}  // namespace inlens::hooks
