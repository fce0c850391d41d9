// extern "C" bodies: requests, tasks, spans, statements, calls.
#include "agent/hooks/requests.hpp"

#include "agent/abi/guard.hpp"
#include "agent/hooks/spans.hpp"

using namespace inlens;
using abi::guarded;
using abi::known;
using abi::view;
using abi::when_open;
using abi::with_core;
using hooks::Core;

extern "C" {

inlens_request inlens_request_begin(const inlens_request_info* given) {
  return when_open(INLENS_NONE, [given](Core& core, std::uint8_t level) {
    inlens_request_info storage;
    const inlens_request_info& info = known(given, storage);
    hooks::BeginInfo begin{view(info.method),   view(info.target),      view(info.host), view(info.peer),
                           view(info.protocol), view(info.traceparent), info.bytes_in,   0,
                           info.parent};
    if ((info.flags & INLENS_REQUEST_TLS) != 0) begin.flags |= hooks::kFlagTls;
    if ((info.flags & INLENS_REQUEST_SUBREQUEST) != 0) begin.flags |= hooks::kFlagSubrequest;
    if ((info.flags & INLENS_REQUEST_BACKGROUND) != 0) begin.flags |= hooks::kFlagBackground;
    return hooks::begin_request(core, level, begin);
  });
}

void inlens_request_route(inlens_request request, inlens_str pattern) {
  if (request == INLENS_NONE) return;
  with_core([=](Core& core) { hooks::set_route(core, request, view(pattern)); });
}

inlens_request inlens_request_attach(inlens_request request) {
  inlens_request previous = INLENS_NONE;
  with_core([&](Core& core) { previous = hooks::attach(core, request); });
  return previous;
}

void inlens_request_detach(inlens_request previous) {
  with_core([=](Core& core) { hooks::detach(core, previous); });
}

inlens_request inlens_request_current(void) {
  inlens_request current = INLENS_NONE;
  with_core([&](Core& core) { current = hooks::current(core); });
  return current;
}

size_t inlens_request_id(inlens_request request, char* out, size_t capacity) {
  if (out != nullptr && capacity > 0) out[0] = '\0';
  size_t size = 0;
  if (out == nullptr || capacity < 33 || request == INLENS_NONE) return size;
  with_core([&](Core& core) {
    char id[33];
    if (!hooks::write_id(core, request, id)) return;
    std::memcpy(out, id, sizeof(id));
    size = 32;
  });
  return size;
}

void inlens_request_end(inlens_request request, const inlens_request_result* given) {
  if (request == INLENS_NONE) return;
  with_core([=](Core& core) {
    inlens_request_result storage;
    const inlens_request_result& result = known(given, storage);
    hooks::end_request(core, request,
                       {result.status, (result.flags & INLENS_RESULT_ABORTED) != 0, result.bytes_in,
                        result.bytes_out, view(result.content_type)});
  });
}

inlens_request inlens_task_begin(inlens_request request, inlens_str name) {
  if (request == INLENS_NONE) return INLENS_NONE;
  return when_open(INLENS_NONE,
                   [=](Core& core, std::uint8_t) { return hooks::begin_task(core, request, view(name)); });
}

void inlens_task_end(inlens_request task) {
  if (task == INLENS_NONE) return;
  with_core([=](Core& core) { hooks::end_task(core, task); });
}

inlens_span inlens_span_begin(inlens_request request, inlens_span_kind kind, inlens_str name) {
  if (request == INLENS_NONE) return INLENS_NONE;
  return when_open(INLENS_NONE, [=](Core& core, std::uint8_t) {
    return hooks::begin_span(core, request, static_cast<std::uint8_t>(kind), view(name));
  });
}

void inlens_span_end(inlens_span span) {
  if (span == INLENS_NONE) return;
  with_core([=](Core& core) { hooks::end_span(core, span); });
}

void inlens_span_add(inlens_request request, inlens_span_kind kind, inlens_str name, uint64_t duration_ns) {
  if (request == INLENS_NONE) return;
  with_core([=](Core& core) {
    hooks::add_span(core, request, static_cast<std::uint8_t>(kind), view(name), duration_ns);
  });
}

inlens_span inlens_statement_begin(inlens_request request, const inlens_statement_info* given) {
  if (request == INLENS_NONE) return INLENS_NONE;
  return when_open(INLENS_NONE, [=](Core& core, std::uint8_t) {
    inlens_statement_info storage;
    const inlens_statement_info& info = known(given, storage);
    const auto dialect = static_cast<std::uint8_t>(info.dialect <= INLENS_DIALECT_MYSQL ? info.dialect : 0);
    return hooks::begin_statement(core, request,
                                  {view(info.text), view(info.database), dialect, info.caller});
  });
}

void inlens_statement_end(inlens_span statement, const inlens_statement_result* given) {
  if (statement == INLENS_NONE) return;
  with_core([=](Core& core) {
    hooks::StatementResult end;
    if (given != nullptr) {
      inlens_statement_result storage;
      const inlens_statement_result& result = known(given, storage);
      end = {result.outcome == INLENS_OUTCOME_FAILED, result.rows, result.duration_ns,
             view(result.error_code), view(result.error_message)};
    }
    hooks::end_statement(core, statement, end);
  });
}

inlens_span inlens_call_begin(inlens_request request, const inlens_call_info* given) {
  if (request == INLENS_NONE) return INLENS_NONE;
  return when_open(INLENS_NONE, [=](Core& core, std::uint8_t) {
    inlens_call_info storage;
    const inlens_call_info& info = known(given, storage);
    return hooks::begin_call(core, request, {view(info.method), view(info.url)});
  });
}

void inlens_call_end(inlens_span call, const inlens_call_result* given) {
  if (call == INLENS_NONE) return;
  with_core([=](Core& core) {
    inlens_call_result storage;
    const inlens_call_result& result = known(given, storage);
    hooks::end_call(core, call,
                    {result.outcome == INLENS_OUTCOME_FAILED, result.status, result.bytes_out,
                     result.bytes_in, view(result.error_message)});
  });
}

}  // extern "C"
