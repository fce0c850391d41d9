// What is running right now, read from the records themselves while their requests go on, without any lock:
// every open record's card is copied and taken only if its generation stayed the same meanwhile. Threads: any
// but hooks (console, worker). Blocks: never; costs one look at each block ever used.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "agent/hooks/core.hpp"

namespace inlens::hooks {

struct RunningRecord {
  Card card{};  // a consistent copy
  bool task = false;
  std::uint32_t statements = 0;
  std::uint32_t errors = 0;
  EntryKind activity = EntryKind::kNone;
};

std::vector<RunningRecord> running_records(const Core& core);

}  // namespace inlens::hooks
