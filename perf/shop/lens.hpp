// The Inlens adapter of this server: all that a Boost.Beast server does for Inlens, in the order it does it.
//
//   is_console, console   before anything else: requests for the mounted console are answered and not
//   recorded begin                 when a request's head has been parsed inlens::Attach        around every
//   piece of work for it, on whichever thread does it (see server.cpp) finish_head           when the page is
//   made: the id header, and the bar in a whole body StreamedBody          instead of that, when the body is
//   written in pieces end                   when the last byte is written, or the client has gone
//
// Called by the server's session, on the I/O thread or on a worker. Errors: none of Inlens's.
#pragma once

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstdint>
#include <inlens/inlens.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace shop::lens {

using RequestHead = boost::beast::http::request_header<>;
using ResponseHead = boost::beast::http::response_header<>;
using RequestMessage = boost::beast::http::request<boost::beast::http::string_body>;
using ResponseMessage = boost::beast::http::response<boost::beast::http::string_body>;

bool is_console(const RequestHead& head);

// The console's answer, or 404 when there is none. Blocks: up to 50 ms, so not for the I/O thread.
ResponseMessage console(const RequestMessage& message, std::string_view peer);

inlens::Request begin(const RequestHead& head, std::string_view peer, std::uint64_t announced_bytes);

// Gives the response its id, its bar if it gets one, and its final length.
void finish_head(inlens::RequestRef request, const RequestHead& head, ResponseMessage& response);

// The same for a body in pieces: the head when it is made, then piece by piece what is to be written.
class StreamedBody {
 public:
  StreamedBody(inlens::RequestRef request, const RequestHead& head, ResponseHead& response);
  std::string pass(std::string_view piece);
  std::string finish();

 private:
  inlens::Decorator decorator_;
};

void end(inlens::Request& request, const ResponseHead& response, std::uint64_t body_bytes, bool aborted);

}  // namespace shop::lens
