// One connection: reads requests, has pages made on the workers, writes the answers; and the life of a
// request in Inlens, from its parsed head to its last byte, can be read off here. Owned by its coroutine.
// Threads: the server's I/O thread, except make_answer(), which runs on a worker.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <string>

#include "perf/shop/lens.hpp"
#include "perf/shop/page.hpp"

namespace shop {

class Server;

class Session {
 public:
  static boost::asio::awaitable<void> serve(Server& server, boost::asio::ip::tcp::socket socket);

  // Closes an idle connection; one that is answering closes when it has answered.
  void stop();

 private:
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;

  struct Answer {
    lens::ResponseMessage message;
    Source source;
  };

  Session(Server& server, boost::asio::ip::tcp::socket socket);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Each returns whether the connection stays open for the next request.
  boost::asio::awaitable<bool> exchange();
  boost::asio::awaitable<bool> refuse(const Parser& parser, inlens::Request& request,
                                      boost::beast::error_code error);
  boost::asio::awaitable<bool> answer_console(Parser& parser);
  boost::asio::awaitable<bool> answer(const lens::RequestMessage& message, inlens::Request& request);
  boost::asio::awaitable<bool> write(const lens::RequestMessage& message, inlens::Request& request,
                                     lens::ResponseMessage& response);
  boost::asio::awaitable<bool> stream(const lens::RequestMessage& message, inlens::Request& request,
                                      Answer& answer);

  Answer make_answer(Worker& worker, const lens::RequestMessage& message, inlens::RequestRef request) const;
  boost::asio::awaitable<boost::beast::error_code> send(const lens::ResponseMessage& response,
                                                        bool head_only);
  boost::asio::awaitable<boost::beast::error_code> send_piece(std::string bytes, bool chunked);

  Server& server_;
  boost::beast::tcp_stream stream_;
  boost::beast::flat_buffer buffer_;
  boost::asio::steady_timer pause_;
  std::string peer_;
  bool idle_ = false;
};

}  // namespace shop
