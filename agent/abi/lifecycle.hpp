// The process's one runtime and what becomes of it: start, stop, fork. Its state is never destroyed, so that
// threads may outlive main() and exit handlers. Threads: any; serialised by one mutex that no hook takes.
// After a fork the child begins with a fresh one.
#pragma once

namespace inlens::abi {

// In a forked child: forgets runtime and mutex without touching what they own, except the console's sockets,
// which are closed. Async-signal-safe. False when there was no runtime.
bool abandon_runtime_in_child() noexcept;

}  // namespace inlens::abi
