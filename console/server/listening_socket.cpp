#include "console/server/listening_socket.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <vector>

#include "console/server/access.hpp"

namespace inlens::console {
namespace {

constexpr int kBacklog = 512;  // a burst beyond it costs its clients a second until they try again

union Address {
  sockaddr any;
  sockaddr_in v4;
  sockaddr_in6 v6;
};

socklen_t size_of(const Address& address) {
  return address.any.sa_family == AF_INET6 ? sizeof address.v6 : sizeof address.v4;
}

bool parse_address(const std::string& text, Address& out) {
  out = {};
  const char* literal = text == "localhost" ? "127.0.0.1" : text.c_str();
  if (inet_pton(AF_INET, literal, &out.v4.sin_addr) == 1) {
    out.v4.sin_family = AF_INET;
    return true;
  }
  if (inet_pton(AF_INET6, literal, &out.v6.sin6_addr) != 1) return false;
  out.v6.sin6_family = AF_INET6;
  return true;
}

void set_port(Address& address, std::uint16_t port) {
  (address.any.sa_family == AF_INET6 ? address.v6.sin6_port : address.v4.sin_port) = htons(port);
}

std::uint16_t port_of(const Address& address) {
  return ntohs(address.any.sa_family == AF_INET6 ? address.v6.sin6_port : address.v4.sin_port);
}

std::string text_of(const Address& address) {
  char text[INET6_ADDRSTRLEN] = "";
  const void* bytes = address.any.sa_family == AF_INET6 ? static_cast<const void*>(&address.v6.sin6_addr)
                                                        : static_cast<const void*>(&address.v4.sin_addr);
  inet_ntop(address.any.sa_family, bytes, text, sizeof text);
  return text;
}

// A listening descriptor, or -1 with errno.
int listen_on(const Address& address) {
  const int fd = ::socket(address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  const int on = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (address.any.sa_family == AF_INET6) ::setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  if (::bind(fd, &address.any, size_of(address)) == 0 && ::listen(fd, kBacklog) == 0) return fd;
  const int problem = errno;
  ::close(fd);
  errno = problem;
  return -1;
}

bool is_busy(int problem) {
  return problem == EADDRINUSE || problem == EACCES;
}

std::vector<std::uint16_t> ports_to_try(const BindOptions& options) {
  std::vector<std::uint16_t> ports;
  for (unsigned step = 0; step <= options.further_ports && options.port != 0; ++step)
    if (options.port + step <= 65535) ports.push_back(static_cast<std::uint16_t>(options.port + step));
  ports.push_back(0);
  return ports;
}

}  // namespace

ListeningSocket& ListeningSocket::operator=(ListeningSocket&& other) noexcept {
  if (this == &other) return *this;
  if (fd_ >= 0) ::close(fd_);
  fd_ = other.release();
  address_ = std::move(other.address_);
  port_ = other.port_;
  v6_ = other.v6_;
  fell_back_ = other.fell_back_;
  error_ = std::move(other.error_);
  return *this;
}

ListeningSocket::~ListeningSocket() {
  if (fd_ >= 0) ::close(fd_);
}

std::string ListeningSocket::url() const {
  const std::string host = v6_ ? "[" + address_ + "]" : address_;
  return "http://" + host + ":" + std::to_string(port_);
}

ListeningSocket open_listening_socket(const BindOptions& options) {
  ListeningSocket result;
  Address address;
  if (!parse_address(options.address, address)) {
    result.error_ = "console.address \"" + options.address + "\" is no IPv4 or IPv6 address";
    return result;
  }
  if (!options.beyond_loopback && !is_loopback_address(text_of(address))) {
    result.error_ =
        "console.address " + options.address + " is reachable from elsewhere; that needs console.token";
    return result;
  }
  for (const std::uint16_t port : ports_to_try(options)) {
    set_port(address, port);
    result.fd_ = listen_on(address);
    if (result.fd_ >= 0 || !is_busy(errno)) break;
  }
  if (result.fd_ < 0) {
    result.error_ = "no console on " + options.address + ": " + std::generic_category().message(errno);
    return result;
  }
  socklen_t size = sizeof address;
  ::getsockname(result.fd_, &address.any, &size);
  result.address_ = text_of(address);
  result.port_ = port_of(address);
  result.v6_ = address.any.sa_family == AF_INET6;
  result.fell_back_ = options.port != 0 && result.port_ != options.port;
  return result;
}

}  // namespace inlens::console
