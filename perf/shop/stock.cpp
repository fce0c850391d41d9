#include "perf/shop/stock.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/version.hpp>
#include <inlens/inlens.hpp>
#include <thread>

namespace shop {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using tcp = asio::ip::tcp;

constexpr auto kThinking = std::chrono::milliseconds(2);
constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);

http::response<http::string_body> stock_answer(const http::request<http::string_body>& request) {
  const auto slash = request.target().rfind('/');
  const std::string article(request.target().substr(slash + 1, request.target().find('?') - slash - 1));
  const bool known = article.find_first_not_of("0123456789") == std::string::npos && !article.empty();
  http::response<http::string_body> answer(known ? http::status::ok : http::status::not_found,
                                           request.version());
  answer.set(http::field::content_type, "application/json");
  answer.body() =
      known ? R"({"article":)" + article + R"(,"in_stock":17})" : R"({"error":"no such article"})";
  answer.keep_alive(request.keep_alive());
  answer.prepare_payload();
  return answer;
}

asio::awaitable<void> serve(tcp::socket socket) {
  beast::tcp_stream stream(std::move(socket));
  beast::flat_buffer buffer;
  asio::steady_timer thinking(stream.get_executor());
  for (bool keep_alive = true; keep_alive;) {
    http::request<http::string_body> request;
    auto [read_error, read] = co_await http::async_read(stream, buffer, request, kNoThrow);
    if (read_error) break;
    thinking.expires_after(kThinking);
    co_await thinking.async_wait(kNoThrow);
    auto answer = stock_answer(request);
    auto [write_error, written] = co_await http::async_write(stream, answer, kNoThrow);
    keep_alive = !write_error && answer.keep_alive();
  }
}

asio::awaitable<void> accept(tcp::acceptor& acceptor) {
  for (;;) {
    auto [error, socket] = co_await acceptor.async_accept(kNoThrow);
    if (error) co_return;
    asio::co_spawn(acceptor.get_executor(), serve(std::move(socket)), asio::detached);
  }
}

}  // namespace

struct StockService::State {
  asio::io_context io{1};
  tcp::acceptor acceptor{io, {asio::ip::address_v4::loopback(), 0}};
  std::jthread thread;
};

StockService::StockService() : state_(std::make_unique<State>()) {
  asio::co_spawn(state_->io, accept(state_->acceptor), asio::detached);
  state_->thread = std::jthread([this] { state_->io.run(); });
}

StockService::~StockService() {
  state_->io.stop();
  state_->thread.join();
}

std::uint16_t StockService::port() const {
  return state_->acceptor.local_endpoint().port();
}

struct StockClient::Connection {
  asio::io_context io{1};
  beast::tcp_stream stream{io};
  beast::flat_buffer buffer;
};

StockClient::StockClient(std::uint16_t port) : port_(port) {}
StockClient::~StockClient() = default;

std::string StockClient::get(const std::string& target) {
  const std::string host = "127.0.0.1:" + std::to_string(port_);
  inlens::Call call("GET", "http://" + host + target);
  try {
    if (!connection_) {
      auto fresh = std::make_unique<Connection>();
      fresh->stream.connect(tcp::endpoint(asio::ip::address_v4::loopback(), port_));
      connection_ = std::move(fresh);
    }
    http::request<http::empty_body> request(http::verb::get, target, 11);
    request.set(http::field::host, host);
    http::response<http::string_body> answer;
    http::write(connection_->stream, request);
    const std::size_t bytes_in = http::read(connection_->stream, connection_->buffer, answer);
    call.answered(answer.result_int(), bytes_in);
    if (!answer.keep_alive()) connection_.reset();
    return std::move(answer.body());
  } catch (const std::exception& error) {
    call.failed(error.what());
    connection_.reset();
    throw;
  }
}

}  // namespace shop
