// A client that sends bytes as the test writes them. Every wait ends after 30 s, so that a broken server
// fails a test instead of hanging it.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace inlens::console::test {

struct RawAnswer {
  int status = 0;  // 0: the connection ended before a whole answer
  std::string head;
  std::string body;
};

class RawClient {
 public:
  explicit RawClient(std::uint16_t port, int receive_buffer_bytes = 0) {
    fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const timeval patience{30, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (receive_buffer_bytes > 0)
      ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes, sizeof receive_buffer_bytes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  RawClient(RawClient&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)), connected_(other.connected_), unread_(std::move(other.unread_)) {}
  ~RawClient() {
    if (fd_ >= 0) ::close(fd_);
  }

  bool connected() const { return connected_; }
  int fd() const { return fd_; }

  // False once the server has gone.
  bool send(std::string_view text) {
    while (!text.empty()) {
      const ssize_t sent = ::send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  void end_sending() { ::shutdown(fd_, SHUT_WR); }

  // One answer, its body measured by Content-Length; without `body_follows` (HEAD) only the head.
  RawAnswer read_answer(bool body_follows = true) {
    RawAnswer answer;
    std::size_t end;
    while ((end = unread_.find("\r\n\r\n")) == std::string::npos)
      if (!receive()) return answer;
    answer.head = unread_.substr(0, end + 2);
    unread_.erase(0, end + 4);
    const std::size_t length = body_follows ? content_length(answer.head) : 0;
    while (unread_.size() < length)
      if (!receive()) return answer;
    answer.body = unread_.substr(0, length);
    unread_.erase(0, length);
    answer.status = std::atoi(answer.head.c_str() + answer.head.find(' '));
    return answer;
  }

  RawAnswer ask(std::string_view text) {
    send(text);
    return read_answer();
  }

  // Everything up to the server's close.
  std::string read_to_end() {
    while (receive()) {
    }
    return std::exchange(unread_, {});
  }

  // True when the server has closed without another byte.
  bool is_closed() { return unread_.empty() && !receive() && !timed_out_; }

 private:
  bool receive() {
    char bytes[16 * 1024];
    const ssize_t got = ::recv(fd_, bytes, sizeof bytes, 0);
    timed_out_ = got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    if (got > 0) unread_.append(bytes, static_cast<std::size_t>(got));
    return got > 0;
  }

  static std::size_t content_length(const std::string& head) {
    const auto at = head.find("\r\nContent-Length: ");
    return at == std::string::npos ? 0 : static_cast<std::size_t>(std::atoll(head.c_str() + at + 18));
  }

  int fd_ = -1;
  bool connected_ = false;
  bool timed_out_ = false;
  std::string unread_;
};

}  // namespace inlens::console::test
