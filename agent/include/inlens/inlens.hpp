/* inlens.hpp: the C++ face of inlens.h, header-only, C++17; with it come request.hpp, panel.hpp and
 * response.hpp.
 *
 * Called by: servers and adapters written in C++, on the host's threads. It adds scopes that end by
 * themselves and text that may be any string; all else, the promises of inlens.h included, is the C ABI's.
 *
 * Threads: an object is used by one thread at a time and may be moved; Attach stays on its thread.
 * Errors:  none leave, except those of the caller's own sink and answer functions.
 * Owns:    nothing of the caller's; a Text is read during the call it is passed to.
 *
 * The last parameter names the request and may be left out where the calling thread has one attached.
 */
#ifndef INLENS_INLENS_HPP
#define INLENS_INLENS_HPP

#include <chrono>
#include <cstdio>
#include <exception>
#include <inlens/panel.hpp>
#include <inlens/request.hpp>
#include <inlens/response.hpp>
#include <system_error>
#include <typeinfo>
#if defined(__GNUC__)
#include <cxxabi.h>
#endif

namespace inlens {

enum class Level { kOff = INLENS_LEVEL_OFF, kLight, kStandard, kFull };
enum class SpanKind { kScope = INLENS_SPAN_SCOPE, kStage, kCache, kWait, kTimer, kConnect };
enum class Dialect { kGeneric = INLENS_DIALECT_GENERIC, kSqlite, kPostgres, kMysql };
enum class Severity { kDebug = INLENS_SEVERITY_DEBUG, kInfo, kWarning, kError };
enum class Handled { kNo, kYes };

struct StartOptions {
  Text config_file = {};
  Text config_json = {};
  Text server_name = {};
  Text release = {};
  inlens_log_fn log = nullptr;
  void* log_user = nullptr;
};

/* Blocks: as inlens_start. */
inline inlens_status start(const StartOptions& options = {}) noexcept {
  const inlens_start_options plain{sizeof plain,        INLENS_ABI_VERSION,  options.config_file,
                                   options.config_json, options.server_name, options.release,
                                   options.log,         options.log_user};
  return inlens_start(&plain);
}
/* Blocks: as inlens_stop. */
inline inlens_status stop() noexcept {
  return inlens_stop();
}

inline Level level() noexcept {
  return static_cast<Level>(inlens_level_get());
}
inline inlens_status set_level(Level level) noexcept {
  return inlens_level_set(static_cast<inlens_level>(level));
}

inline inlens_figures figures() noexcept {
  inlens_figures out{};
  out.struct_size = sizeof out;
  inlens_figures_get(&out);
  return out;
}

/* A timed scope inside the innermost open one. May be moved to, and end on, another thread. */
class Span {
 public:
  explicit Span(Text name, SpanKind kind = SpanKind::kScope, RequestRef request = kCurrent) noexcept
      : handle_(inlens_span_begin(request.handle(), static_cast<inlens_span_kind>(kind), name)) {}
  Span(Span&&) noexcept = default;
  Span& operator=(Span&&) = delete;
  ~Span() { end(); }

  void end() noexcept {
    if (handle_) inlens_span_end(handle_.take());
  }

 private:
  detail::Handle handle_;
};

/* Adds a span that ends now and lasted `duration`. */
inline void add_span(Text name, SpanKind kind, std::chrono::nanoseconds duration,
                     RequestRef request = kCurrent) noexcept {
  const auto ns = duration.count();
  inlens_span_add(request.handle(), static_cast<inlens_span_kind>(kind), name,
                  ns > 0 ? static_cast<std::uint64_t>(ns) : 0);
}

/* A figure the developer wants in the bar. */
inline void timer(Text name, std::chrono::nanoseconds duration, RequestRef request = kCurrent) noexcept {
  add_span(name, SpanKind::kTimer, duration, request);
}

/* A database statement under way. Left by an exception, it counts as failed. */
class Statement {
 public:
  explicit Statement(Text text, Dialect dialect = Dialect::kGeneric, Text database = {},
                     RequestRef request = kCurrent, const void* caller = nullptr) noexcept
      : handle_(begin(
            {sizeof(inlens_statement_info), text, static_cast<inlens_dialect>(dialect), 0, database, caller},
            request)) {}
  Statement(Statement&&) noexcept = default;
  Statement& operator=(Statement&&) = delete;
  ~Statement() { finish(unwinding_ ? INLENS_OUTCOME_FAILED : INLENS_OUTCOME_OK, {}, {}); }

  void rows(std::int64_t count) noexcept { rows_ = count; } /* returned or changed */
  void end() noexcept { finish(INLENS_OUTCOME_OK, {}, {}); }
  void failed(Text code, Text message) noexcept { finish(INLENS_OUTCOME_FAILED, code, message); }

 private:
  static inlens_span begin(const inlens_statement_info& info, RequestRef request) noexcept {
    return inlens_statement_begin(request.handle(), &info);
  }
  void finish(inlens_outcome outcome, Text code, Text message) noexcept {
    if (!handle_) return;
    const inlens_statement_result plain{sizeof plain, outcome, rows_, 0, code, message, 0};
    inlens_statement_end(handle_.take(), &plain);
  }
  detail::Handle handle_;
  detail::Unwinding unwinding_;
  std::int64_t rows_ = -1;
};

/* A call to another service under way. Left by an exception, it counts as failed. */
class Call {
 public:
  explicit Call(Text method, Text url, RequestRef request = kCurrent) noexcept
      : handle_(begin({sizeof(inlens_call_info), method, url, nullptr}, request)) {}
  Call(Call&&) noexcept = default;
  Call& operator=(Call&&) = delete;
  ~Call() { finish(unwinding_ ? INLENS_OUTCOME_FAILED : INLENS_OUTCOME_OK, 0, 0, 0, {}); }

  /* What the call sends as `traceparent`; empty while `calls.propagate` is off. */
  FixedText<56> traceparent(RequestRef request = kCurrent) const noexcept {
    return FixedText<56>::from([&](char* out, std::size_t capacity) {
      return inlens_call_traceparent(request.handle(), handle_.get(), out, capacity);
    });
  }
  void answered(std::uint32_t status, std::uint64_t bytes_in = 0, std::uint64_t bytes_out = 0) noexcept {
    finish(INLENS_OUTCOME_OK, status, bytes_out, bytes_in, {});
  }
  void failed(Text message) noexcept { finish(INLENS_OUTCOME_FAILED, 0, 0, 0, message); }

 private:
  static inlens_span begin(const inlens_call_info& info, RequestRef request) noexcept {
    return inlens_call_begin(request.handle(), &info);
  }
  void finish(inlens_outcome outcome, std::uint32_t status, std::uint64_t bytes_out, std::uint64_t bytes_in,
              Text message) noexcept {
    if (!handle_) return;
    const inlens_call_result plain{sizeof plain, outcome, status, bytes_out, bytes_in, message,
                                   {},           0,       0,      0,         0,        0};
    inlens_call_end(handle_.take(), &plain);
  }
  detail::Handle handle_;
  detail::Unwinding unwinding_;
};

inline void error(Text type, Text message, Text code = {}, Handled handled = Handled::kNo,
                  RequestRef request = kCurrent) noexcept {
  const std::uint32_t flags = handled == Handled::kYes ? std::uint32_t{INLENS_ERROR_HANDLED} : 0;
  const inlens_error_info plain{sizeof plain, type, message, code, flags, nullptr, 0};
  inlens_error_report(request.handle(), &plain);
}

/* Reports an exception under its dynamic type; a std::system_error brings its code along. */
inline void error(const std::exception& exception, Handled handled = Handled::kNo,
                  RequestRef request = kCurrent) noexcept {
#if defined(__cpp_rtti)
  char code[64] = "";
  if (const auto* system = dynamic_cast<const std::system_error*>(&exception))
    std::snprintf(code, sizeof code, "%s:%d", system->code().category().name(), system->code().value());
  error(typeid(exception).name(), exception.what(), code, handled, request);
#else
  error("std::exception", exception.what(), {}, handled, request);
#endif
}

#if defined(__cpp_exceptions)
/* For `catch (...)`: reports the exception being handled, whatever it is. */
inline void error_being_handled(Handled handled = Handled::kNo, RequestRef request = kCurrent) noexcept {
  if (!std::current_exception())
    return; /* also true for a thread's cancellation, which is not ours to touch */
  try {
    throw;
  } catch (const std::exception& exception) {
    error(exception, handled, request);
  } catch (...) {
#if defined(__GNUC__)
    const std::type_info* type = abi::__cxa_current_exception_type();
    error(type ? type->name() : "unknown", {}, {}, handled, request);
#else
    error("unknown", {}, {}, handled, request);
#endif
  }
}
#endif

inline void message(Text text, Severity severity = Severity::kInfo, RequestRef request = kCurrent) noexcept {
  inlens_message_add(request.handle(), static_cast<inlens_severity>(severity), text);
}

}  // namespace inlens
#endif
