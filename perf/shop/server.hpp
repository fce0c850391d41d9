// The shop's HTTP server: an acceptor and its sessions on one I/O thread, pages on the workers.
// Called by main(). Threads: run() is the I/O thread; everything else belongs to it.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <cstdint>
#include <set>

#include "perf/shop/workers.hpp"

namespace shop {

class Session;

class Server {
 public:
  // Listens on 127.0.0.1. Errors: boost::system::system_error, such as address_in_use.
  explicit Server(std::uint16_t port, Shop& shop);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  std::uint16_t port() const { return port_; }

  // Serves until SIGINT or SIGTERM, then lets requests under way finish for up to three seconds.
  void run(Workers& workers);

 private:
  friend class Session;

  boost::asio::awaitable<void> accept();
  void stop();
  void join(Session* session) { sessions_.insert(session); }
  void leave(Session* session);

  Shop& shop_;
  Workers* workers_ = nullptr;
  bool stopping_ = false;
  std::set<Session*> sessions_;  // outlives io_, whose end destroys the sessions
  boost::asio::io_context io_{1};
  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::signal_set signals_{io_};
  boost::asio::steady_timer deadline_{io_};
  // The mounted console has a thread of its own: it answers while every worker is held.
  boost::asio::thread_pool console_thread_{1};
  std::uint16_t port_;
};

}  // namespace shop
