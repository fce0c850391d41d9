/* request.hpp: the request as an owner, as a reference, attached to a thread, and split into tasks.
 *
 * Included by: inlens.hpp. Threads: an owner is used by one thread at a time and may be moved; Attach stays.
 */
#ifndef INLENS_REQUEST_HPP
#define INLENS_REQUEST_HPP

#include <inlens/text.hpp>

namespace inlens {

enum class Direction { kRequest = INLENS_HEADER_REQUEST, kResponse };

/* A request that somebody else owns. A plain number: copy it, keep it; a stale one does nothing. */
class RequestRef {
 public:
  constexpr RequestRef() noexcept = default;
  constexpr explicit RequestRef(inlens_request handle) noexcept : handle_(handle) {}

  constexpr inlens_request handle() const noexcept { return handle_; }
  constexpr explicit operator bool() const noexcept { return handle_ != INLENS_NONE; }
  friend constexpr bool operator==(RequestRef a, RequestRef b) noexcept { return a.handle_ == b.handle_; }
  friend constexpr bool operator!=(RequestRef a, RequestRef b) noexcept { return !(a == b); }

  void route(Text pattern) const noexcept { inlens_request_route(handle_, pattern); }
  void header(Direction direction, Text name, Text value) const noexcept {
    inlens_request_header(handle_, static_cast<inlens_direction>(direction), name, value);
  }
  FixedText<33> id() const noexcept {
    return FixedText<33>::from(
        [this](char* out, std::size_t capacity) { return inlens_request_id(handle_, out, capacity); });
  }

 private:
  inlens_request handle_ = INLENS_NONE;
};

/* Stands for the calling thread's current request, looked up in the call it is passed to. */
inline constexpr RequestRef kCurrent{INLENS_CURRENT};

/* The calling thread's current request itself, to be handed to another thread. */
inline RequestRef current() noexcept {
  return RequestRef(inlens_request_current());
}

/* The id of a request, 32 hexadecimal digits; empty if there is none. */
inline FixedText<33> id(RequestRef request = kCurrent) noexcept {
  return request.id();
}

struct RequestInfo {
  Text method = {};
  Text target = {};
  Text host = {};
  Text peer = {};
  Text protocol = {};
  Text traceparent = {};
  std::uint64_t bytes_in = 0;
  std::uint32_t flags = 0; /* INLENS_REQUEST_… */
  RequestRef parent = {};
};

struct RequestResult {
  std::uint32_t status = 0;
  std::uint64_t bytes_out = 0;
  Text content_type = {};
  bool aborted = false;
  std::uint64_t bytes_in = 0;
};

/* Owns one request from begin to end. Left without end(), it ends with status unknown, or with 500 when an
 * exception is passing. */
class Request {
 public:
  explicit Request(const RequestInfo& info) noexcept : handle_(begin(info)) {}
  Request(Request&&) noexcept = default;
  Request& operator=(Request&&) = delete;
  ~Request() { end(unwinding_ ? 500U : 0U); }

  RequestRef ref() const noexcept { return RequestRef(handle_.get()); }
  operator RequestRef() const noexcept { return ref(); }
  FixedText<33> id() const noexcept { return ref().id(); }
  void route(Text pattern) const noexcept { ref().route(pattern); }

  void end(const RequestResult& result) noexcept {
    if (!handle_) return;
    const std::uint32_t flags = result.aborted ? std::uint32_t{INLENS_RESULT_ABORTED} : 0;
    const inlens_request_result plain{sizeof plain,    result.status,    flags,
                                      result.bytes_in, result.bytes_out, result.content_type};
    inlens_request_end(handle_.take(), &plain);
  }
  void end(std::uint32_t status, std::uint64_t bytes_out = 0, Text content_type = {}) noexcept {
    RequestResult result;
    result.status = status;
    result.bytes_out = bytes_out;
    result.content_type = content_type;
    end(result);
  }

 private:
  static inlens_request begin(const RequestInfo& info) noexcept {
    const inlens_request_info plain{sizeof plain, info.method,         info.target,      info.host,
                                    info.peer,    info.protocol,       info.traceparent, info.bytes_in,
                                    info.flags,   info.parent.handle()};
    return inlens_request_begin(&plain);
  }
  detail::Handle handle_;
  detail::Unwinding unwinding_;
};

/* Makes a request, or a task, the thread's current one until the scope ends. Never held across a suspension
 * point of a coroutine: it belongs to the thread. */
class Attach {
 public:
  explicit Attach(RequestRef request) noexcept : previous_(inlens_request_attach(request.handle())) {}
  Attach(const Attach&) = delete;
  Attach& operator=(const Attach&) = delete;
  ~Attach() { inlens_request_detach(previous_); }

 private:
  inlens_request previous_;
};

/* Work of a request on another thread, in parallel to it; there it is attached like a request. */
class Task {
 public:
  explicit Task(Text name, RequestRef request = kCurrent) noexcept
      : handle_(inlens_task_begin(request.handle(), name)) {}
  Task(Task&&) noexcept = default;
  Task& operator=(Task&&) = delete;
  ~Task() { end(); }

  operator RequestRef() const noexcept { return RequestRef(handle_.get()); }
  void end() noexcept {
    if (handle_) inlens_task_end(handle_.take());
  }

 private:
  detail::Handle handle_;
};

}  // namespace inlens
#endif
