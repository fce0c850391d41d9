#include "perf/shop/session.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http.hpp>

#include "perf/shop/dispatch.hpp"
#include "perf/shop/server.hpp"

namespace shop {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;

constexpr std::uint32_t kHeadLimit_bytes = 16 * 1024;
constexpr std::uint64_t kBodyLimit_bytes = 1024 * 1024;
constexpr auto kIdleTime = std::chrono::seconds(60);
constexpr auto kTransferTime = std::chrono::seconds(30);
constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);

std::string_view plain(beast::string_view text) {
  return {text.data(), text.size()};
}

Request request_of(const lens::RequestMessage& message) {
  const std::string_view target = plain(message.target());
  const auto mark = std::min(target.find('?'), target.size());
  Request request;
  request.method = plain(message.method_string());
  request.path = target.substr(0, mark);
  request.query = target.substr(std::min(target.size(), mark + 1));
  request.body = message.body();
  request.if_none_match = plain(message[http::field::if_none_match]);
  return request;
}

lens::ResponseMessage message_of(Response&& response, unsigned version, bool keep_alive) {
  lens::ResponseMessage message(http::int_to_status(response.status), version);
  message.set(http::field::server, "inlens-shop");
  if (!response.content_type.empty()) message.set(http::field::content_type, response.content_type);
  for (const auto& [name, value] : response.headers) message.insert(name, value);
  message.body() = std::move(response.body);
  message.keep_alive(keep_alive);
  return message;
}

// The client sent something that is not HTTP, or too much of it; otherwise it just went away.
bool is_mistake(beast::error_code error) {
  static const auto& kHttpErrors = make_error_code(http::error::bad_version).category();
  return error.category() == kHttpErrors && error != http::error::end_of_stream &&
         error != http::error::partial_message;
}

unsigned refusal_status(beast::error_code error) {
  if (error == http::error::header_limit) return 431;
  if (error == http::error::body_limit) return 413;
  return 400;
}

}  // namespace

Session::Session(Server& server, asio::ip::tcp::socket socket)
    : server_(server), stream_(std::move(socket)), pause_(stream_.get_executor()) {
  beast::error_code ignored;
  peer_ = stream_.socket().remote_endpoint(ignored).address().to_string();
  stream_.socket().set_option(asio::ip::tcp::no_delay(true), ignored);
  server_.join(this);
}

Session::~Session() {
  server_.leave(this);
}

asio::awaitable<void> Session::serve(Server& server, asio::ip::tcp::socket socket) {
  Session session(server, std::move(socket));
  while (co_await session.exchange()) {
  }
  beast::error_code ignored;
  session.stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
}

void Session::stop() {
  pause_.cancel();
  if (idle_) stream_.close();
}

asio::awaitable<bool> Session::exchange() {
  Parser parser;
  parser.header_limit(kHeadLimit_bytes);
  parser.body_limit(kBodyLimit_bytes);
  idle_ = true;
  stream_.expires_after(kIdleTime);
  const auto [head_error, head_bytes] = co_await http::async_read_header(stream_, buffer_, parser, kNoThrow);
  idle_ = false;
  if (head_error && !is_mistake(head_error)) co_return false;
  if (!head_error && lens::is_console(parser.get())) co_return co_await answer_console(parser);

  inlens::Request request = lens::begin(parser.get(), peer_, parser.content_length().value_or(0));
  if (head_error) co_return co_await refuse(parser, request, head_error);
  inlens::Span parse("parse", inlens::SpanKind::kStage, request);
  if (!parser.is_done()) {
    stream_.expires_after(kTransferTime);
    const auto [body_error, body_bytes] = co_await http::async_read(stream_, buffer_, parser, kNoThrow);
    parse.end();
    if (body_error && is_mistake(body_error)) co_return co_await refuse(parser, request, body_error);
    if (body_error) {
      request.end({.aborted = true});
      co_return false;
    }
  }
  parse.end();
  co_return co_await answer(parser.get(), request);
}

asio::awaitable<bool> Session::refuse(const Parser& parser, inlens::Request& request,
                                      beast::error_code error) {
  lens::ResponseMessage response(http::int_to_status(refusal_status(error)), 11);
  response.set(http::field::content_type, "text/plain; charset=utf-8");
  response.body() = error.message() + "\n";
  response.keep_alive(false);
  lens::finish_head(request, parser.get(), response);
  const auto write_error = co_await send(response, false);
  lens::end(request, response, response.body().size(), static_cast<bool>(write_error));
  co_return false;
}

asio::awaitable<bool> Session::answer_console(Parser& parser) {
  stream_.expires_after(kTransferTime);
  if (!parser.is_done()) {
    const auto [error, bytes] = co_await http::async_read(stream_, buffer_, parser, kNoThrow);
    if (error) co_return false;
  }
  auto ask = [this, &parser] { return lens::console(parser.get(), peer_); };
  const auto response = co_await offload(server_.console_thread_.get_executor(), std::move(ask));
  const auto error = co_await send(response, parser.get().method() == http::verb::head);
  co_return !error && response.keep_alive();
}

asio::awaitable<bool> Session::answer(const lens::RequestMessage& message, inlens::Request& request) {
  stream_.expires_never();
  inlens::Span waiting("a free worker", inlens::SpanKind::kWait, request);
  auto work = [this, &message, &request, waiting = std::move(waiting)](Worker& worker) mutable {
    waiting.end();
    return make_answer(worker, message, request);
  };
  Answer made = co_await server_.workers_->run(std::move(work));
  if (made.source) co_return co_await stream(message, request, made);
  co_return co_await write(message, request, made.message);
}

Session::Answer Session::make_answer(Worker& worker, const lens::RequestMessage& message,
                                     inlens::RequestRef request) const {
  const inlens::Attach attach(request);
  const Request seen = request_of(message);
  Response response = dispatch({seen, worker, request});
  const inlens::Span span("render", inlens::SpanKind::kStage);
  render(response);
  Answer answer;
  answer.source = std::move(response.source);
  answer.message = message_of(std::move(response), message.version(), message.keep_alive());
  if (!answer.source) lens::finish_head(request, message, answer.message);
  return answer;
}

asio::awaitable<bool> Session::write(const lens::RequestMessage& message, inlens::Request& request,
                                     lens::ResponseMessage& response) {
  inlens::Span span("write", inlens::SpanKind::kStage, request);
  if (server_.stopping_) response.keep_alive(false);
  const bool head_only = message.method() == http::verb::head;
  const auto error = co_await send(response, head_only);
  span.end();
  lens::end(request, response, error || head_only ? 0 : response.body().size(), static_cast<bool>(error));
  co_return !error && response.keep_alive();
}

// HTTP/1.0 knows no chunks: there the end of the connection ends the body.
asio::awaitable<bool> Session::stream(const lens::RequestMessage& message, inlens::Request& request,
                                      Answer& answer) {
  const bool chunked = message.version() >= 11;
  const bool head_only = message.method() == http::verb::head;
  lens::ResponseMessage head(answer.message.base());
  head.chunked(chunked);
  if (!chunked) head.keep_alive(false);
  lens::StreamedBody body(request, message, head);
  std::uint64_t bytes_out = 0;
  bool broken = false;

  beast::error_code error = co_await send(head, true);
  std::optional<Piece> piece = Piece{std::move(answer.message.body())};
  while (!error && !head_only && piece) {
    if (piece->pause.count() > 0) {
      const inlens::Span waiting("the next piece", inlens::SpanKind::kWait, request);
      pause_.expires_after(piece->pause);
      co_await pause_.async_wait(kNoThrow);
    }
    if (server_.stopping_) break;
    std::string bytes = body.pass(piece->bytes);
    bytes_out += bytes.size();
    error = co_await send_piece(std::move(bytes), chunked);
    auto next = [&](Worker& worker) -> std::optional<Piece> {
      const inlens::Attach attach(request);
      try {
        return answer.source(worker);
      } catch (...) {
        inlens::error_being_handled();
        broken = true;
        return std::nullopt;
      }
    };
    if (!error) piece = co_await server_.workers_->run(std::move(next));
  }
  if (!error && !head_only && !broken) {
    std::string bytes = body.finish();
    bytes_out += bytes.size();
    error = co_await send_piece(std::move(bytes), chunked);
    if (!error && chunked) {
      const auto [last_error, last] = co_await asio::async_write(stream_, http::make_chunk_last(), kNoThrow);
      error = last_error;
    }
  }
  lens::end(request, head, bytes_out, static_cast<bool>(error));
  co_return !error && !broken && head.keep_alive() && !server_.stopping_;
}

asio::awaitable<beast::error_code> Session::send(const lens::ResponseMessage& response, bool head_only) {
  stream_.expires_after(kTransferTime);
  http::response_serializer<http::string_body> serializer(response);
  if (head_only) {
    const auto [error, bytes] = co_await http::async_write_header(stream_, serializer, kNoThrow);
    co_return error;
  }
  const auto [error, bytes] = co_await http::async_write(stream_, serializer, kNoThrow);
  co_return error;
}

asio::awaitable<beast::error_code> Session::send_piece(std::string bytes, bool chunked) {
  if (bytes.empty()) co_return beast::error_code();
  stream_.expires_after(kTransferTime);
  if (chunked) {
    const auto [error, sent] =
        co_await asio::async_write(stream_, http::make_chunk(asio::buffer(bytes)), kNoThrow);
    co_return error;
  }
  const auto [error, sent] = co_await asio::async_write(stream_, asio::buffer(bytes), kNoThrow);
  co_return error;
}

}  // namespace shop
