// extern "C" bodies: requests, tasks, spans, statements, calls.
#include "agent/hooks/requests.hpp"

#include "agent/abi/guard.hpp"
#include "agent/hooks/spans.hpp"
#include "agent/hooks/trace_context.hpp"

using namespace inlens;
using abi::view;
using abi::when_open;
using abi::with_core;
using abi::with_known;
using hooks::Core;

extern "C" {

inlens_request inlens_request_begin(const inlens_request_info* given) {
  return when_open(INLENS_NONE, [given](Core& core, std::uint8_t level) {
    return with_known(
        given, [&](const inlens_request_info& info) { return hooks::begin_request(core, level, info); });
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
    with_known(given,
               [&](const inlens_request_result& result) { hooks::end_request(core, request, result); });
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
  return when_open(INLENS_NONE, [=](Core& core, std::uint8_t level) {
    return with_known(given, [&](const inlens_statement_info& info) {
      return hooks::begin_statement(core, level, request, info);
    });
  });
}

void inlens_statement_end(inlens_span statement, const inlens_statement_result* given) {
  if (statement == INLENS_NONE) return;
  static constexpr inlens_statement_result kSucceeded{sizeof kSucceeded, INLENS_OUTCOME_OK, -1, 0, {}, {}, 0};
  with_core([=](Core& core) {
    with_known(given != nullptr ? given : &kSucceeded,
               [&](const inlens_statement_result& result) { hooks::end_statement(core, statement, result); });
  });
}

void inlens_statement_add(inlens_request request, const inlens_statement_info* given,
                          const inlens_statement_result* given_result) {
  if (request == INLENS_NONE) return;
  when_open(0, [=](Core& core, std::uint8_t level) {
    return with_known(given, [&](const inlens_statement_info& info) {
      return with_known(given_result, [&](const inlens_statement_result& result) {
        hooks::add_statement(core, level, request, info, result);
        return 0;
      });
    });
  });
}

inlens_span inlens_call_begin(inlens_request request, const inlens_call_info* given) {
  if (request == INLENS_NONE) return INLENS_NONE;
  return when_open(INLENS_NONE, [=](Core& core, std::uint8_t) {
    return with_known(given,
                      [&](const inlens_call_info& info) { return hooks::begin_call(core, request, info); });
  });
}

size_t inlens_call_traceparent(inlens_request request, inlens_span call, char* out, size_t capacity) {
  if (out != nullptr && capacity > 0) out[0] = '\0';
  size_t size = 0;
  if (out == nullptr || capacity <= hooks::kTraceparentSize || request == INLENS_NONE) return size;
  with_core([&](Core& core) {
    char text[hooks::kTraceparentSize];
    if (!hooks::write_traceparent(core, request, call, text)) return;
    std::memcpy(out, text, sizeof(text));
    out[sizeof(text)] = '\0';
    size = sizeof(text);
  });
  return size;
}

void inlens_call_end(inlens_span call, const inlens_call_result* given) {
  if (call == INLENS_NONE) return;
  with_core([=](Core& core) {
    with_known(given, [&](const inlens_call_result& result) { hooks::end_call(core, call, result); });
  });
}

}  // extern "C"
