// extern "C" bodies: the console mounted in the host.
#include "agent/abi/guard.hpp"
#include "agent/abi/runtime.hpp"
#include "console/server/answers.hpp"
#include "console/server/http.hpp"

using namespace inlens;
using abi::view;

namespace {

constexpr std::size_t kMaxHeaders = 128;

bool owns(std::string_view target) {
  const std::string_view base = console::Console::kBase;
  if (target.substr(0, base.size()) == base) return true;
  // "/~inlens" itself, with or without a query.
  const std::string_view bare = base.substr(0, base.size() - 1);
  return target.substr(0, bare.size()) == bare &&
         (target.size() == bare.size() || target[bare.size()] == '?');
}

console::Request request_of(const inlens_http_request& given) {
  console::Request request;
  request.method = view(given.method);
  request.set_target(view(given.target));
  const std::size_t count = given.headers == nullptr ? 0 : given.header_count;
  for (std::size_t i = 0; i < count; ++i) {
    request.headers.add(view(given.headers[i].name), view(given.headers[i].value));
  }
  request.body = view(given.body);
  request.peer_address = view(given.peer);
  request.transport = console::Transport::kMounted;
  request.tls = (given.flags & INLENS_REQUEST_TLS) != 0;
  return request;
}

}  // namespace

extern "C" {

bool inlens_console_owns(inlens_str target) {
  return owns(view(target));
}

bool inlens_console_handle(const inlens_http_request* given, inlens_answer_fn answer, void* user) {
  if (given == nullptr || answer == nullptr) return false;
  std::optional<console::Answer> made;
  std::vector<inlens_header> headers;
  const bool ready = abi::guarded_slow(false, [&] {
    inlens_http_request storage;
    const inlens_http_request& request = abi::known(given, storage);
    if (!owns(view(request.target))) return false;
    if (request.header_count > kMaxHeaders) {  // one not looked at may be the one that matters
      made = console::error_answer(431, "tooLarge", "A request has at most 128 headers here.");
      console::complete(*made, view(request.method));
    } else if (const std::shared_ptr<abi::Runtime> runtime = abi::running();
               runtime != nullptr && runtime->has_console()) {
      made = runtime->console().handle(request_of(request));
    } else {
      return false;
    }
    for (const console::Header& header : made->headers) {
      headers.push_back(
          {{header.name.data(), header.name.size()}, {header.value.data(), header.value.size()}});
    }
    return true;
  });
  if (!ready) return false;
  // The host's own code from here on: outside the guard.
  const std::string_view body = made->body_view();
  const inlens_http_answer out{sizeof(inlens_http_answer),
                               static_cast<std::uint32_t>(made->status),
                               headers.data(),
                               headers.size(),
                               {body.data(), body.size()}};
  answer(user, &out);
  return true;
}

}  // extern "C"
