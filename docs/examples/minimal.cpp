// minimal.cpp: a blocking HTTP server, one thread a connection, that carries Inlens.
// Usage: minimal [port]; Ctrl-C ends it.
#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <inlens/inlens.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

volatile std::sig_atomic_t stopping = 0;

// A request's head: views into the bytes it arrived in. This server has no page that reads a body.
struct Head {
  std::string bytes;
  std::string_view method, target, host;
  std::vector<inlens_header> headers;
};

std::string_view cut(std::string_view& text, std::string_view mark) {
  const std::string_view piece = text.substr(0, text.find(mark));
  text.remove_prefix(std::min(text.size(), piece.size() + mark.size()));
  return piece;
}

bool read_head(int client, Head& head) {
  char chunk[4096];
  while (head.bytes.find("\r\n\r\n") == std::string::npos) {
    const ssize_t got = recv(client, chunk, sizeof chunk, 0);
    if (got <= 0 || head.bytes.size() > 16384) return false;
    head.bytes.append(chunk, static_cast<std::size_t>(got));
  }
  std::string_view rest = head.bytes;
  std::string_view line = cut(rest, "\r\n");
  head.method = cut(line, " ");
  head.target = cut(line, " ");
  for (line = cut(rest, "\r\n"); !line.empty(); line = cut(rest, "\r\n")) {
    const std::string_view name = cut(line, ":");
    const std::string_view value = line.substr(std::min(line.size(), line.find_first_not_of(" \t")));
    if (name == "Host" || name == "host") head.host = value;
    head.headers.push_back(inlens::header(name, value));
  }
  return !head.target.empty();
}

bool respond(int client, unsigned status, inlens::Headers headers, std::string_view body) {
  std::string out = "HTTP/1.1 " + std::to_string(status) + " \r\nConnection: close\r\n";
  for (std::size_t i = 0; i < headers.size(); ++i) {
    const inlens_header& line = headers.data()[i];
    out.append(line.name.data, line.name.size).append(": ");
    out.append(line.value.data, line.value.size).append("\r\n");
  }
  out.append("\r\n").append(body);
  for (std::string_view left = out; !left.empty();) {
    const ssize_t sent = send(client, left.data(), left.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    left.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

// Makes the page. It runs with the request attached, so nothing has to be handed down to it.
std::string make_page(std::string_view target) {
  const inlens::Span span("make_page", inlens::SpanKind::kStage);
  if (target != "/") throw std::out_of_range("nothing is known under this path");
  inlens::message("said hello");
  inlens::Panel::key_value("Greeting").pair("to", "the world").show();
  return "<!doctype html><title>Minimal</title><body><h1>Hello</h1></body>";
}

void serve(int client) {
  Head head;
  if (!read_head(client, head)) return;

  // The console comes first: its requests are answered, not recorded.
  inlens::ConsoleRequest console;
  console.method = head.method;
  console.target = head.target;
  console.headers = head.headers;
  console.peer = "127.0.0.1";
  const auto answer = [client](const inlens_http_answer& made) {
    const std::vector<inlens_header> headers(made.headers, made.headers + made.header_count);
    respond(client, made.status, headers, {made.body.data, made.body.size});
  };
  if (inlens::console_owns(head.target) && inlens::handle_console(console, answer)) return;

  inlens::RequestInfo info;
  info.method = head.method;
  info.target = head.target;
  info.host = head.host;
  info.peer = "127.0.0.1";
  info.protocol = "HTTP/1.1";
  inlens::Request request(info);

  unsigned status = 200;
  std::string body;
  {
    const inlens::Attach attach(request);
    try {
      body = make_page(head.target);
    } catch (const std::exception& error) {
      inlens::error(error);
      status = 500;
      body = "<!doctype html><title>Error</title><body><p>This page is broken.</p></body>";
    }
  }

  // The head as it would be without Inlens; then what Inlens makes of the body, and what that asks of the
  // head.
  const auto id = request.id();
  std::vector<inlens_header> headers = {inlens::header("Content-Type", "text/html; charset=utf-8"),
                                        inlens::header("X-Inlens-Id", id)};
  inlens::ResponseHead shown;
  shown.status = status;
  shown.headers = headers;
  shown.request_headers = head.headers;
  const inlens::Edit edit = inlens::decorate(body, shown, request);
  if (!edit.cache_control.empty()) headers.push_back(inlens::header("Cache-Control", edit.cache_control));

  const std::string length = std::to_string(body.size());
  headers.push_back(inlens::header("Content-Length", length));

  inlens::RequestResult result;
  result.aborted = !respond(client, status, headers, body);
  result.status = status;
  result.bytes_out = body.size();
  result.content_type = "text/html; charset=utf-8";
  request.end(result);
}

int open_listener(std::uint16_t& port) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  const int yes = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  socklen_t size = sizeof address;
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* plain = reinterpret_cast<sockaddr*>(&address);
  if (bind(listener, plain, size) != 0 || listen(listener, 64) != 0) return -1;
  getsockname(listener, plain, &size);
  port = ntohs(address.sin_port);
  return listener;
}

}  // namespace

int main(int argc, char** argv) {
  auto port = static_cast<std::uint16_t>(argc > 1 ? std::atoi(argv[1]) : 8081);
  const int listener = open_listener(port);
  if (listener < 0) {
    std::perror("minimal");
    return 1;
  }
  std::signal(SIGINT, [](int) { stopping = 1; });
  std::signal(SIGTERM, [](int) { stopping = 1; });

  inlens::StartOptions options;
  options.server_name = "minimal";
  inlens::start(options);  // should it fail, the server works as if Inlens were absent

  std::printf("Page:    http://127.0.0.1:%u/\nConsole: %s\n", unsigned{port}, inlens::console_link().data());
  std::fflush(stdout);

  std::vector<std::thread> connections;  // a server for more than an example would bound them
  pollfd waiting{listener, POLLIN, 0};
  while (stopping == 0) {
    if (poll(&waiting, 1, 200) <= 0) continue;
    const int client = accept(listener, nullptr, nullptr);
    if (client < 0) continue;
    connections.emplace_back([client] {
      serve(client);
      close(client);
    });
  }
  for (std::thread& connection : connections) connection.join();
  close(listener);
  inlens::stop();
  return 0;
}
