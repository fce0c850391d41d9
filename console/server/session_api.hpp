// `/~inlens/api/session`: who am I, sign in, sign out. Called by the router on console and mounted threads;
// owns nothing.
#pragma once

#include "console/server/gate.hpp"
#include "console/server/http.hpp"

namespace inlens::console {

Answer answer_session(Gate& gate, const Request& request, const LogSink& log);

}  // namespace inlens::console
