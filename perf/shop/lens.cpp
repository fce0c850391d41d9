#include "perf/shop/lens.hpp"

#include <vector>

namespace shop::lens {
namespace {

namespace http = boost::beast::http;

// Borrowed views of the header lines, valid until the head is changed.
std::vector<inlens_header> lines(const http::fields& fields) {
  std::vector<inlens_header> list;
  list.reserve(16);
  for (const auto& field : fields) list.push_back(inlens::header(field.name_string(), field.value()));
  return list;
}

void note_headers(inlens::RequestRef request, inlens::Direction direction, const http::fields& fields) {
  if (inlens::level() < inlens::Level::kStandard) return;
  for (const auto& field : fields) request.header(direction, field.name_string(), field.value());
}

ResponseHead& put_id(inlens::RequestRef request, ResponseHead& response) {
  const auto id = request.id();
  if (!id.empty()) response.set("X-Inlens-Id", id.view());
  return response;
}

// Both heads as Inlens wants to see them before it decides on the bar.
struct Heads {
  Heads(const RequestHead& request, const ResponseHead& response)
      : request_lines(lines(request)), response_lines(lines(response)) {
    shown.status = response.result_int();
    shown.headers = response_lines;
    shown.request_headers = request_lines;
  }
  std::vector<inlens_header> request_lines;
  std::vector<inlens_header> response_lines;
  inlens::ResponseHead shown;
};

// A length belongs to every answer but those that cannot have a body.
void fit_length(ResponseMessage& response) {
  if (response.result() == http::status::no_content || response.result() == http::status::not_modified)
    return;
  response.content_length(response.body().size());
}

void edit_head(const inlens::Edit& edit, ResponseHead& response) {
  if (!edit.decorate) return;
  edit.remove_stale([&response](std::string_view name) { response.erase(name); });
  const std::string already(response[http::field::cache_control]);
  if (already.find(edit.cache_control) != std::string::npos) return;
  const std::string added(edit.cache_control);
  response.set(http::field::cache_control, already.empty() ? added : already + ", " + added);
}

}  // namespace

bool is_console(const RequestHead& head) {
  return inlens::console_owns(head.target());
}

ResponseMessage console(const RequestMessage& message, std::string_view peer) {
  inlens::ConsoleRequest request;
  const auto headers = lines(message);
  request.method = message.method_string();
  request.target = message.target();
  request.headers = headers;
  request.body = message.body();
  request.peer = peer;
  ResponseMessage response(http::status::not_found, message.version());
  const bool answered = inlens::handle_console(request, [&response](const inlens_http_answer& answer) {
    response.result(answer.status);
    for (std::size_t i = 0; i < answer.header_count; ++i) {
      const inlens_header& line = answer.headers[i];
      response.insert({line.name.data, line.name.size}, {line.value.data, line.value.size});
    }
    response.body().assign(answer.body.data, answer.body.size);
  });
  if (!answered) fit_length(response);  // otherwise the answer's own headers say it
  response.keep_alive(message.keep_alive());
  return response;
}

inlens::Request begin(const RequestHead& head, std::string_view peer, std::uint64_t announced_bytes) {
  inlens::RequestInfo info;
  info.method = head.method_string();
  info.target = head.target();
  info.host = head[http::field::host];
  info.peer = peer;
  info.protocol = head.version() == 11 ? "HTTP/1.1" : "HTTP/1.0";
  info.traceparent = head["traceparent"];
  info.bytes_in = announced_bytes;
  inlens::Request request(info);
  note_headers(request, inlens::Direction::kRequest, head);
  return request;
}

void finish_head(inlens::RequestRef request, const RequestHead& head, ResponseMessage& response) {
  put_id(request, response);
  fit_length(response);
  const inlens::Edit edit = inlens::decorate(response.body(), Heads(head, response).shown, request);
  edit_head(edit, response);
  if (edit.decorate) fit_length(response);
  note_headers(request, inlens::Direction::kResponse, response);
}

StreamedBody::StreamedBody(inlens::RequestRef request, const RequestHead& head, ResponseHead& response)
    : decorator_(Heads(head, put_id(request, response)).shown, request) {
  edit_head(decorator_.edit(), response);
  note_headers(request, inlens::Direction::kResponse, response);
}

std::string StreamedBody::pass(std::string_view piece) {
  std::string out;
  decorator_.write(piece, [&out](std::string_view bytes) { out.append(bytes); });
  return out;
}

std::string StreamedBody::finish() {
  std::string out;
  decorator_.finish([&out](std::string_view bytes) { out.append(bytes); });
  return out;
}

void end(inlens::Request& request, const ResponseHead& response, std::uint64_t body_bytes, bool aborted) {
  inlens::RequestResult result;
  result.status = response.result_int();
  result.bytes_out = body_bytes;
  result.content_type = response[http::field::content_type];
  result.aborted = aborted;
  request.end(result);
}

}  // namespace shop::lens
