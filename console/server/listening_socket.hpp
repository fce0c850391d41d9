// Opens the console's listening socket: the wished port, or the next one that is free. Called once at start,
// on the thread that starts the console; plain system calls, errors are values. Owns the socket until it is
// released.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace inlens::console {

struct BindOptions {
  std::string address = "127.0.0.1";  // an IPv4 or IPv6 literal, or "localhost"
  std::uint16_t port = 9790;          // 0 = any free one
  unsigned further_ports = 20;        // tried when it is busy; after them any free one
  bool beyond_loopback = false;       // set only where a token or password guards the console
};

class ListeningSocket {
 public:
  ListeningSocket() = default;
  ListeningSocket(ListeningSocket&& other) noexcept { *this = std::move(other); }
  ListeningSocket& operator=(ListeningSocket&& other) noexcept;
  ~ListeningSocket();

  explicit operator bool() const { return fd_ >= 0; }
  int fd() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

  const std::string& address() const { return address_; }  // as bound, without brackets
  std::uint16_t port() const { return port_; }
  bool is_v6() const { return v6_; }
  bool fell_back() const { return fell_back_; }        // the wished port was busy
  const std::string& error() const { return error_; }  // one sentence, when there is no socket
  std::string url() const;                             // "http://127.0.0.1:9790"

 private:
  friend ListeningSocket open_listening_socket(const BindOptions& options);

  int fd_ = -1;
  std::string address_;
  std::uint16_t port_ = 0;
  bool v6_ = false;
  bool fell_back_ = false;
  std::string error_;
};

ListeningSocket open_listening_socket(const BindOptions& options);

}  // namespace inlens::console
