#include "console/server/connection.hpp"

#include <arpa/inet.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <memory>
#include <optional>

#include "console/server/answers.hpp"

namespace inlens::console {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::system::error_code;
using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t kReadBytes = 8 * 1024;
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

std::string address_of(const sockaddr_storage& peer) {
  char text[INET6_ADDRSTRLEN] = "";
  if (peer.ss_family == AF_INET6)
    inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6&>(peer).sin6_addr, text, sizeof text);
  else if (peer.ss_family == AF_INET)
    inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in&>(peer).sin_addr, text, sizeof text);
  return text;
}

bool is_protocol_error(const error_code& ec) {
  return ec.category() == http::make_error_code(http::error::bad_version).category() &&
         ec != http::error::end_of_stream;
}

Answer protocol_refusal(const error_code& ec) {
  if (ec == http::error::header_limit || ec == http::error::buffer_overflow)
    return error_answer(431, "tooLarge", "The request's headers are too large.");
  if (ec == http::error::body_limit) return error_answer(413, "tooLarge", "The request's body is too large.");
  return bad_request("This is not a well-formed HTTP/1 request.");
}

}  // namespace

// Every asynchronous step holds a shared pointer; when the last is gone, or the loop is destroyed, the socket
// closes.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Connections& owner, const sockaddr_storage& peer)
      : owner_(owner), socket_(owner.io_), timer_(owner.io_), peer_address_(address_of(peer)) {
    owner_.open_.push_back(this);
  }
  ~Connection() { close(); }

  // The descriptor is the caller's until this has returned true.
  bool take(int fd, bool v6) {
    if (!owner_.descriptors_.add(fd)) return false;
    error_code problem;
    try {
      socket_.assign(v6 ? asio::ip::tcp::v6() : asio::ip::tcp::v4(), fd, problem);
    } catch (...) {
      owner_.descriptors_.remove(fd);
      throw;
    }
    if (problem) owner_.descriptors_.remove(fd);
    return !problem;
  }

  void start() {
    read_next();
    watch();
  }

  SteadyClock::time_point waiting_since() const { return waiting_since_; }

  // Not the destructor of the socket: the descriptor must leave the list before its number is free, and a
  // child forked meanwhile must not keep the connection alive.
  void close() {
    if (closed_) return;
    closed_ = true;
    std::erase(owner_.open_, this);
    give_back_body();
    timer_.cancel();
    if (!socket_.is_open()) return;
    const int fd = socket_.native_handle();
    owner_.descriptors_.remove(fd);
    ::shutdown(fd, SHUT_RDWR);
    error_code ignored;
    socket_.close(ignored);
  }

 private:
  using Parser = http::request_parser<http::string_body>;
  using Response = http::response<http::span_body<const char>>;
  using Serializer = http::response_serializer<http::span_body<const char>>;

  // One timer; each phase moves it. A wait that ended early sees that its time has not come and waits again.
  void watch() {
    timer_.async_wait([weak = weak_from_this()](const error_code&) {
      const auto self = weak.lock();
      if (!self || self->closed_) return;
      if (SteadyClock::now() >= self->timer_.expiry())
        self->close();
      else
        self->watch();
    });
  }

  void begin_phase(std::chrono::milliseconds limit) {
    waiting_since_ = SteadyClock::now();
    timer_.expires_at(waiting_since_ + limit);
  }

  void read_next() {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(owner_.limits_.header_bytes));
    parser_->body_limit(owner_.limits_.body_bytes);
    begin_phase(owner_.limits_.idle);
    if (buffer_.size() > 0) return read_header();  // pipelined
    if (buffer_.capacity() > 2 * kReadBytes) buffer_.shrink_to_fit();
    socket_.async_read_some(buffer_.prepare(kReadBytes),
                            [self = shared_from_this()](const error_code& ec, std::size_t bytes) {
                              if (ec) return self->close();
                              self->buffer_.commit(bytes);
                              self->read_header();
                            });
  }

  void read_header() {
    if (closed_) return;  // a step may complete after the timer closed the connection
    begin_phase(owner_.limits_.header);
    http::async_read_header(
        socket_, buffer_, *parser_,
        [self = shared_from_this()](const error_code& ec, std::size_t) { self->on_header(ec); });
  }

  void on_header(const error_code& ec) {
    if (closed_) return;
    if (ec) return fail(ec);
    if (parser_->is_done()) return answer_request();
    const auto announced = parser_->content_length();
    taken_bytes_ = announced ? static_cast<std::size_t>(*announced) : owner_.limits_.body_bytes;
    owner_.bodies_bytes_ += taken_bytes_;
    if (owner_.bodies_bytes_ > owner_.limits_.all_bodies_bytes)
      return refuse(error_answer(503, "unavailable", "Too many large requests at once."));
    begin_phase(owner_.limits_.body);
    if (!equal_ignoring_case(parser_->get()[http::field::expect], "100-continue")) return read_body();
    asio::async_write(socket_, asio::buffer(kContinue),
                      [self = shared_from_this()](const error_code& failed, std::size_t) {
                        failed ? self->close() : self->read_body();
                      });
  }

  void read_body() {
    http::async_read(socket_, buffer_, *parser_,
                     [self = shared_from_this()](const error_code& ec, std::size_t) {
                       ec ? self->fail(ec) : self->answer_request();
                     });
  }

  void answer_request() {
    if (closed_) return;
    auto message = parser_->release();
    const bool keep_alive = message.keep_alive();
    const unsigned version = message.version();
    const Request request = make_request(message);
    Answer answer;
    try {
      answer = owner_.handler_(request);
    } catch (...) {
      owner_.log_(LogLevel::kError, "console: an answer failed");
      answer = error_answer(500, "internal", "The console failed at this answer.");
      complete(answer, request.method);
    }
    give_back_body();
    send(std::move(answer), version, keep_alive);
  }

  Request make_request(http::request<http::string_body>& message) const {
    Request request;
    request.method = std::string_view(message.method_string());
    request.set_target(message.target());
    for (const auto& field : message) request.headers.add(field.name_string(), field.value());
    request.body = std::move(message.body());
    request.peer_address = peer_address_;
    request.transport = Transport::kOwnListener;
    return request;
  }

  void fail(const error_code& ec) {
    if (is_protocol_error(ec)) return refuse(protocol_refusal(ec));
    close();
  }

  // For a request that no handler sees; what follows it on the connection cannot be understood.
  void refuse(Answer answer) {
    complete(answer, "GET");
    send(std::move(answer), 11, false);
  }

  void send(Answer answer, unsigned version, bool keep_alive) {
    answer_ = std::move(answer);
    const std::string_view body = answer_.body_view();
    response_.emplace();
    response_->version(version);
    response_->result(static_cast<unsigned>(answer_.status));
    for (const Header& header : answer_.headers) response_->insert(header.name, header.value);
    response_->body() = {body.data(), body.size()};
    if (response_->count(http::field::content_length) == 0 && answer_.status != 204 && answer_.status != 304)
      response_->content_length(body.size());
    response_->keep_alive(keep_alive);
    serializer_.emplace(*response_);
    begin_phase(owner_.limits_.write);
    http::async_write(socket_, *serializer_,
                      [self = shared_from_this(), keep_alive](const error_code& ec, std::size_t) {
                        if (ec) return self->close();
                        keep_alive ? self->read_next() : self->finish();
                      });
  }

  // Closing with unread input would reset the connection and could take the answer from the client; so what
  // it still sends is read and forgotten for a moment.
  void finish() {
    error_code ignored;
    socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
    begin_phase(owner_.limits_.linger);
    give_back_body();
    buffer_.clear();
    discard();
  }

  void discard() {
    buffer_.consume(buffer_.size());
    socket_.async_read_some(buffer_.prepare(kReadBytes),
                            [self = shared_from_this()](const error_code& ec, std::size_t) {
                              ec ? self->close() : self->discard();
                            });
  }

  void give_back_body() { owner_.bodies_bytes_ -= std::exchange(taken_bytes_, 0); }

  Connections& owner_;
  asio::ip::tcp::socket socket_;
  asio::steady_timer timer_;
  const std::string peer_address_;
  SteadyClock::time_point waiting_since_;
  bool closed_ = false;
  std::size_t taken_bytes_ = 0;
  beast::flat_buffer buffer_;
  std::optional<Parser> parser_;
  Answer answer_;
  std::optional<Response> response_;
  std::optional<Serializer> serializer_;
};

Connections::Connections(asio::io_context& io, const ConnectionLimits& limits, const RequestHandler& handler,
                         const LogSink& log, Descriptors& descriptors)
    : io_(io), limits_(limits), handler_(handler), log_(log), descriptors_(descriptors) {}

Connections::~Connections() {
  while (!open_.empty()) open_.back()->close();
}

void Connections::adopt(int fd, const sockaddr_storage& peer) {
  struct Guard {
    int fd;
    ~Guard() {
      if (fd >= 0) ::close(fd);
    }
  } guard{fd};
  const std::size_t most = std::clamp<std::size_t>(limits_.connections, 1, 256);
  while (open_.size() >= most) close_longest_waiting();
  const auto connection = std::make_shared<Connection>(*this, peer);
  if (!connection->take(fd, peer.ss_family == AF_INET6)) return;
  guard.fd = -1;
  connection->start();
}

void Connections::close_longest_waiting() {
  (*std::min_element(open_.begin(), open_.end(), [](const Connection* a, const Connection* b) {
    return a->waiting_since() < b->waiting_since();
  }))->close();
}

}  // namespace inlens::console
