/* response.hpp: the bar in a response body, whole or streamed, and the console inside the host.
 *
 * Included by: inlens.hpp. Errors: only those of the caller's own sink and answer functions come out.
 */
#ifndef INLENS_RESPONSE_HPP
#define INLENS_RESPONSE_HPP

#include <inlens/request.hpp>
#include <string>
#include <type_traits>

namespace inlens {

/* Header lines, borrowed: any array of inlens_header. */
class Headers {
 public:
  constexpr Headers() noexcept = default;
  template <class List,
            class = decltype(static_cast<const inlens_header*>(std::declval<const List&>().data()))>
  constexpr Headers(const List& list) noexcept : data_(list.data()), size_(list.size()) {}
  constexpr const inlens_header* data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }

 private:
  const inlens_header* data_ = nullptr;
  std::size_t size_ = 0;
};

inline constexpr inlens_header header(Text name, Text value) noexcept {
  return {name, value};
}

struct ResponseHead {
  std::uint32_t status = 200;
  Headers headers = {};
  Headers request_headers = {};
};

/* What the host has to do to the response's head before it sends it. */
struct Edit {
  bool decorate = false;
  bool drop_content_length = false;
  bool drop_validators = false;
  std::string_view cache_control = {}; /* directives to add to Cache-Control, if any */
  std::string_view skip_reason = {};

  /* Calls remove(std::string_view name) for every header that is no longer true. Content-Length is among
   * them: with the whole body at hand, set it anew afterwards. */
  template <class Remove>
  void remove_stale(Remove&& remove) const {
    if (drop_content_length) remove(std::string_view("Content-Length"));
    if (!drop_validators) return;
    for (std::string_view name :
         {"ETag", "Last-Modified", "Accept-Ranges", "Content-MD5", "Digest", "Content-Digest", "Repr-Digest"})
      remove(name);
  }
};

/* A response body on its way out, in pieces. A sink is called as sink(std::string_view piece). */
class Decorator {
 public:
  explicit Decorator(const ResponseHead& head, RequestRef request = kCurrent) noexcept
      : handle_(begin(head, request, edit_)) {}
  Decorator(Decorator&&) noexcept = default;
  Decorator& operator=(Decorator&&) = delete;
  ~Decorator() {
    if (active()) finish([](std::string_view) {});
  }

  bool active() const noexcept { return static_cast<bool>(handle_); }
  const Edit& edit() const noexcept { return edit_; }

  template <class Sink>
  void write(Text piece, Sink&& sink) {
    if (!active()) return static_cast<void>(sink(piece.view()));
    detail::Callback<std::remove_reference_t<Sink>> callback{sink};
    inlens_response_write(handle_.get(), piece, &callback.sink, &callback);
    callback.rethrow();
  }
  template <class Sink>
  void finish(Sink&& sink) {
    if (!active()) return;
    detail::Callback<std::remove_reference_t<Sink>> callback{sink};
    inlens_response_finish(handle_.take(), &callback.sink, &callback);
    callback.rethrow();
  }

 private:
  static inlens_response begin(const ResponseHead& head, RequestRef request, Edit& out) noexcept {
    const inlens_response_head plain{sizeof plain,
                                     head.status,
                                     head.headers.data(),
                                     head.headers.size(),
                                     head.request_headers.data(),
                                     head.request_headers.size()};
    inlens_response_edit edit{};
    edit.struct_size = sizeof edit;
    const inlens_response response = inlens_response_begin(request.handle(), &plain, &edit);
    out = {edit.decorate, edit.drop_content_length, edit.drop_validators,
           Text(edit.cache_control.data, edit.cache_control.size).view(),
           Text(edit.skip_reason.data, edit.skip_reason.size).view()};
    return response;
  }
  Edit edit_;
  detail::Handle handle_;
};

/* Puts the bar into a whole body and says what to do to its head; Content-Length is then body.size().
 * Errors: short of memory, the body stays as it was and nothing is to be done. */
inline Edit decorate(std::string& body, const ResponseHead& head, RequestRef request = kCurrent) noexcept {
  Decorator decorator(head, request);
  if (!decorator.active()) return decorator.edit();
#if defined(__cpp_exceptions)
  try {
#endif
    std::string out;
    out.reserve(body.size() + 1024);
    const auto append = [&out](std::string_view piece) { out.append(piece); };
    decorator.write(body, append);
    decorator.finish(append);
    body.swap(out);
    return decorator.edit();
#if defined(__cpp_exceptions)
  } catch (...) {
    return {};
  }
#endif
}

struct ConsoleRequest {
  Text method = {};
  Text target = {};
  Headers headers = {};
  Text body = {};
  Text peer = {};
  bool tls = false;
};

inline bool console_owns(Text target) noexcept {
  return inlens_console_owns(target);
}

/* Calls answer(const inlens_http_answer&) once, inside this call; false if the request is not the console's.
 * Blocks: as inlens_console_handle. */
template <class Answer>
bool handle_console(const ConsoleRequest& request, Answer&& answer) {
  const std::uint32_t flags = request.tls ? std::uint32_t{INLENS_REQUEST_TLS} : 0;
  const inlens_http_request plain{
      sizeof plain,           request.method, request.target, request.headers.data(),
      request.headers.size(), request.body,   request.peer,   flags};
  detail::Callback<std::remove_reference_t<Answer>> callback{answer};
  const bool handled = inlens_console_handle(&plain, &callback.answer, &callback);
  callback.rethrow();
  return handled;
}

inline FixedText<512> console_url() noexcept {
  return FixedText<512>::from(inlens_console_url);
}
inline FixedText<512> console_link() noexcept {
  return FixedText<512>::from(inlens_console_link);
}

}  // namespace inlens
#endif
