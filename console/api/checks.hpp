// The checks of the Agent page: whether Inlens itself works as it should here, one sentence each, with what
// would mend it. Pure; built when somebody looks.
#pragma once

#include "console/api/agent.hpp"
#include "console/api/json.hpp"

namespace inlens::console::api {

Json checks(const AgentFacts& facts);  // list of {name, state, sentence, fix}

}  // namespace inlens::console::api
