// The agent of a program that does not know it: started by the first interposed call that has something to
// show, so that a program which never talks to a database or another server runs without any thread of ours.
#pragma once

namespace inlens::preload {

// True when the agent is there. The first call starts it (see inlens_start). Calls on other threads meanwhile
// wait for that, 200 ms at most, so that nothing of theirs is missed; then they get false and pass their work
// on unseen. errno is kept.
bool agent_is_running() noexcept;

}  // namespace inlens::preload
