// `inlens run --report FILE`: what the console would show, written as one JSON object when the process exits.
//
// At exit, background work counts as over, the worker drains, and the views are asked for through the mounted
// console. The process that the launcher became writes FILE, with its pid alone if it used nothing that can be
// seen; any other one FILE.<pid> if it has an agent.
// _exit() and signals leave no report. Threads: the one that exits. Blocks: for the worker, up to 2 s.
#pragma once

namespace inlens::preload {

// Called on the exiting thread before the report is made, to end what that thread left open.
using AtExit = void (*)();
void before_report(AtExit call) noexcept;

}  // namespace inlens::preload
