// The clients of the console's own listener: parses requests with Boost.Beast under limits and deadlines,
// asks the handler, writes answers. Lives wholly on the console thread, so a slow client costs its own time
// only. Owns the client sockets.
#pragma once

#include <sys/socket.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstddef>
#include <vector>

#include "console/server/descriptors.hpp"
#include "console/server/http.hpp"

namespace inlens::console {

struct ConnectionLimits {
  std::size_t connections = 256;  // at most 256; a further one takes the place of the one that waited longest
  std::size_t header_bytes = 64 * 1024;
  std::size_t body_bytes = 1024 * 1024;
  std::size_t all_bodies_bytes = 8 * 1024 * 1024;  // under way on all connections together
  std::chrono::milliseconds idle{30'000};          // between requests
  std::chrono::milliseconds header{10'000};        // from a request's first byte to its last header
  std::chrono::milliseconds body{20'000};          // from there to the body's end
  std::chrono::milliseconds write{30'000};         // for one whole answer
  std::chrono::milliseconds linger{2'000};         // for the client to read a refusal while it still sends
};

class Connection;

class Connections {
 public:
  Connections(boost::asio::io_context& io, const ConnectionLimits& limits, const RequestHandler& handler,
              const LogSink& log, Descriptors& descriptors);
  ~Connections();  // closes them all; their last steps die with the loop and find nothing to do
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;

  // Takes a connected, non-blocking descriptor over.
  void adopt(int fd, const sockaddr_storage& peer);

 private:
  friend class Connection;

  void close_longest_waiting();

  boost::asio::io_context& io_;
  const ConnectionLimits& limits_;
  const RequestHandler& handler_;
  const LogSink& log_;
  Descriptors& descriptors_;
  std::vector<Connection*> open_;
  std::size_t bodies_bytes_ = 0;
};

}  // namespace inlens::console
