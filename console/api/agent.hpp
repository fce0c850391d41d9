// `agent`: the agent's own figures, losses, guard, configuration and checks. Pure; built when somebody looks.
#pragma once

#include <cstdint>
#include <string>

#include "agent/config/config.hpp"
#include "agent/store/snapshot.hpp"
#include "agent/store/source.hpp"
#include "console/api/json.hpp"

namespace inlens::console::api {

struct AgentFacts {
  const store::Snapshot& snapshot;
  const store::AgentFigures& figures;
  const LoadResult& settings;
  const std::string& version;  // of Inlens
  std::int64_t now_unix_ms = 0;
};

Json agent(const AgentFacts& facts);  // schema Agent

// seen = counted + dropped, and counted = the issues' counts and the retired ones'.
bool identity_holds(const store::Snapshot& snapshot);

}  // namespace inlens::console::api
