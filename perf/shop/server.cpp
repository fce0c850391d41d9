#include "perf/shop/server.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <csignal>

#include "perf/shop/session.hpp"

namespace shop {
namespace {

namespace asio = boost::asio;

constexpr auto kTimeToFinish = std::chrono::seconds(3);
constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);

}  // namespace

Server::Server(std::uint16_t port, Shop& shop)
    : shop_(shop),
      acceptor_(io_, {asio::ip::address_v4::loopback(), port}),
      port_(acceptor_.local_endpoint().port()) {
  signals_.add(SIGINT);
  signals_.add(SIGTERM);
}

Server::~Server() {
  console_thread_.join();
}

void Server::run(Workers& workers) {
  workers_ = &workers;
  signals_.async_wait([this](const boost::system::error_code& error, int) {
    if (!error) stop();
  });
  asio::co_spawn(io_, accept(), asio::detached);
  io_.run();
}

asio::awaitable<void> Server::accept() {
  asio::steady_timer breath(io_);
  for (;;) {
    auto [error, socket] = co_await acceptor_.async_accept(kNoThrow);
    if (stopping_) co_return;
    if (error) {  // such as no descriptors left: those in use will come back
      breath.expires_after(std::chrono::milliseconds(20));
      co_await breath.async_wait(kNoThrow);
      continue;
    }
    asio::co_spawn(io_, Session::serve(*this, std::move(socket)), asio::detached);
  }
}

void Server::stop() {
  stopping_ = true;
  signals_.clear();  // a second signal ends the process at once
  acceptor_.close();
  shop_.shutdown.begin();
  for (Session* session : sessions_) session->stop();
  if (sessions_.empty()) return;
  deadline_.expires_after(kTimeToFinish);
  deadline_.async_wait([this](const boost::system::error_code& error) {
    if (!error) io_.stop();
  });
}

void Server::leave(Session* session) {
  sessions_.erase(session);
  if (stopping_ && sessions_.empty()) deadline_.cancel();
}

}  // namespace shop
