#include "console/server/listener.hpp"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <system_error>

namespace inlens::console {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr std::chrono::milliseconds kStopWait{90};
constexpr std::chrono::milliseconds kAcceptPause{100};
constexpr int kAcceptBatch = 16;
constexpr int kPauseAfterFailureMs = 10;  // memory may be back by then
constexpr std::size_t kStackBytes = 1024 * 1024;

// Asio's own accept leaves a moment in which a host's exec inherits the client's socket; accept4 leaves none.
class Acceptor {
 public:
  Acceptor(asio::io_context& io, Connections& clients, const LogSink& log, int fd, bool v6)
      : acceptor_(io), pause_(io), clients_(clients), log_(log) {
    acceptor_.assign(v6 ? asio::ip::tcp::v6() : asio::ip::tcp::v4(), fd);
  }
  ~Acceptor() { acceptor_.release(); }  // the loop closes it

  // Waits for clients, unless it does so already.
  void ensure_waiting() {
    if (!waiting_) wait();
  }

 private:
  void wait() {
    acceptor_.async_wait(asio::ip::tcp::acceptor::wait_read, [this](const error_code& ec) {
      waiting_ = false;
      if (ec) return;
      if (accept_some())
        wait();
      else
        wait_later();
    });
    waiting_ = true;
  }

  // False when the process has no descriptor or memory left.
  bool accept_some() {
    for (int i = 0; i < kAcceptBatch; ++i) {
      sockaddr_storage peer{};
      socklen_t size = sizeof peer;
      const int fd = ::accept4(acceptor_.native_handle(), reinterpret_cast<sockaddr*>(&peer), &size,
                               SOCK_CLOEXEC | SOCK_NONBLOCK);
      if (fd >= 0) {
        clients_.adopt(fd, peer);
      } else if (errno != EINTR && errno != ECONNABORTED) {
        return errno == EAGAIN || errno == EWOULDBLOCK;
      }
    }
    return true;
  }

  void wait_later() {
    log_(LogLevel::kWarning,
         "console: no connection can be accepted: " + std::generic_category().message(errno));
    pause_.expires_after(kAcceptPause);
    pause_.async_wait([this](const error_code& ec) {
      waiting_ = false;
      if (!ec) wait();
    });
    waiting_ = true;
  }

  asio::ip::tcp::acceptor acceptor_;
  asio::steady_timer pause_;
  Connections& clients_;
  const LogSink& log_;
  bool waiting_ = false;
};

void log_safely(const LogSink& log, std::string_view text) noexcept {
  try {
    log(LogLevel::kError, text);
  } catch (...) {
  }
}

}  // namespace

// Shared by the Listener and its thread; the later of the two deletes it. In a forked child nobody does: the
// thread's half does not exist there, and the mutex may be held by it.
struct Listener::Loop {
  ConnectionLimits limits;
  RequestHandler handler;
  LogSink log;
  int fd = -1;
  bool v6 = false;
  Descriptors descriptors;

  std::mutex mutex;
  std::condition_variable left;
  asio::io_context* io = nullptr;  // while it may be stopped
  bool stopping = false;
  bool has_left = false;
  std::atomic<int> owners{2};

  void serve() {
    asio::io_context io_context(1);
    // An exception that takes the last waiting step along must not end the loop.
    const auto work = asio::make_work_guard(io_context);
    Connections clients(io_context, limits, handler, log, descriptors);
    Acceptor acceptor(io_context, clients, log, fd, v6);
    const Published published(*this, io_context);
    while (!is_stopping() && !run_once(io_context, acceptor)) {
    }
  }

  // While it lives, stop() may end the event loop.
  struct Published {
    Published(Loop& owner, asio::io_context& io_context) : loop(owner) { set(&io_context); }
    ~Published() { set(nullptr); }
    void set(asio::io_context* io_context) {
      const std::lock_guard lock(loop.mutex);
      loop.io = io_context;
    }
    Loop& loop;
  };

  bool is_stopping() {
    const std::lock_guard lock(mutex);
    return stopping;
  }

  // True when the event loop ended; an exception ends one connection only.
  bool run_once(asio::io_context& io_context, Acceptor& acceptor) {
    try {
      acceptor.ensure_waiting();
      io_context.run();
      return true;
    } catch (...) {
      log_safely(log, "console: a connection failed");
      ::poll(nullptr, 0, kPauseAfterFailureMs);
      return false;
    }
  }

  void close_listening() {
    descriptors.remove(fd);
    ::close(fd);
  }

  static void leave(Loop* loop) {
    if (loop->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete loop;
  }
};

Listener::Listener(LogSink log) : log_(log ? std::move(log) : LogSink([](LogLevel, std::string_view) {})) {}

Listener::~Listener() {
  stop();
}

void* Listener::run(void* argument) noexcept {
  auto* loop = static_cast<Loop*>(argument);
  ::pthread_setname_np(::pthread_self(), "inlens-console");
  try {
    loop->serve();
  } catch (...) {
    log_safely(loop->log, "console: the listener ended");
  }
  loop->close_listening();
  {
    const std::lock_guard lock(loop->mutex);
    loop->has_left = true;
    loop->left.notify_all();
  }
  Loop::leave(loop);
  return nullptr;
}

bool Listener::start(ListeningSocket socket, const ConnectionLimits& limits, RequestHandler handler) {
  if (loop_ || !socket) {
    log_(LogLevel::kWarning, loop_ ? "console: it already runs" : "console: " + socket.error());
    return false;
  }
  auto loop = std::make_unique<Loop>();
  loop->limits = limits;
  loop->handler = std::move(handler);
  loop->log = log_;
  loop->fd = socket.fd();
  loop->v6 = socket.is_v6();
  loop->descriptors.add(loop->fd);

  sigset_t all;
  ::sigfillset(&all);
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setsigmask_np(&attributes, &all);
  ::pthread_attr_setstacksize(&attributes, kStackBytes);
  // Detached: stop() may run under the loader's lock, which an ending thread may need; a join could wait for
  // ever.
  ::pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  const int problem = ::pthread_create(&thread, &attributes, &Listener::run, loop.get());
  ::pthread_attr_destroy(&attributes);
  if (problem != 0) {
    log_(LogLevel::kError, "console: no thread: " + std::generic_category().message(problem));
    return false;
  }
  socket.release();
  loop_ = loop.release();
  pid_ = ::getpid();
  return true;
}

bool Listener::stop() noexcept {
  if (pid_ != ::getpid()) abandon_in_child();
  if (!loop_) return true;
  Loop* loop = std::exchange(loop_, nullptr);
  bool left = false;
  {
    std::unique_lock lock(loop->mutex);
    loop->stopping = true;
    if (loop->io) loop->io->stop();
    left = loop->left.wait_for(lock, kStopWait, [loop] { return loop->has_left; });
  }
  Loop::leave(loop);
  return left;
}

void Listener::abandon_in_child() noexcept {
  if (Loop* loop = std::exchange(loop_, nullptr)) loop->descriptors.close_all_in_child();
}

}  // namespace inlens::console
