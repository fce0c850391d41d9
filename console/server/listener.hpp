// The console's own listener: one thread, one event loop, many clients. It answers while every thread of the
// host is stuck. The agent starts it in the process that serves and stops it at the end; a forked child
// abandons it. Owns the thread, and with it the sockets; the event loop lives on that thread's stack, so no
// destructor of ours runs it down.
#pragma once

#include <sys/types.h>

#include "console/server/connection.hpp"
#include "console/server/http.hpp"
#include "console/server/listening_socket.hpp"

namespace inlens::console {

class Listener {
 public:
  explicit Listener(LogSink log);
  ~Listener();  // stop()
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  // Serves on `socket` from a thread of its own, named inlens-console, with every signal blocked. False, with
  // a line in the log, when there is no thread to be had or it already runs. Threads: start and stop are
  // called by one thread at a time.
  bool start(ListeningSocket socket, const ConnectionLimits& limits, RequestHandler handler);

  // Closes every connection. False when the thread did not leave in time because its handler is still at
  // work; then what the handler uses must stay alive. Blocks: at most 100 ms.
  bool stop() noexcept;

  // In a forked child, first thing: closes the inherited sockets and forgets the thread, which exists in the
  // parent only. Async-signal-safe. The same Listener can be started again afterwards.
  void abandon_in_child() noexcept;

 private:
  struct Loop;

  static void* run(void* loop) noexcept;

  LogSink log_;
  Loop* loop_ = nullptr;  // shared with the thread
  pid_t pid_ = 0;         // of the process that has the thread
};

}  // namespace inlens::console
