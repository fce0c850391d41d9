/* The whole C ABI from C99, as a careless host would use it: NULL everywhere, structs of other sizes, handles
 * that never were, calls in the wrong order, before start, while running and after stop. Nothing may crash,
 * errno stays, and what is begun and ended in the middle of it all is still counted exactly. */
#include <stdlib.h>

#include "tests/abi/c99_check.h"

int failures = 0;

static inlens_figures figures(void) {
  inlens_figures out;
  memset(&out, 0, sizeof out);
  out.struct_size = sizeof out;
  CHECK(inlens_figures_get(&out) == INLENS_OK);
  return out;
}

inlens_request begin_request(void) {
  inlens_request_info info;
  memset(&info, 0, sizeof info);
  info.struct_size = sizeof info;
  info.method = str("GET");
  info.target = str("/page?x=1");
  info.host = str("localhost");
  info.peer = str("127.0.0.1");
  info.protocol = str("HTTP/1.1");
  return inlens_request_begin(&info);
}

static void use_request_handle(inlens_request request) {
  char id[64];
  KEEPS_ERRNO(inlens_request_route(request, none));
  KEEPS_ERRNO(inlens_request_route(request, null_with_size));
  KEEPS_ERRNO(inlens_request_header(request, INLENS_HEADER_REQUEST, none, none));
  KEEPS_ERRNO(inlens_request_header(request, (inlens_direction)99, str("X-Any"), str("\xff\xfe\x00")));
  KEEPS_ERRNO(inlens_request_detach(inlens_request_attach(request)));
  KEEPS_ERRNO(inlens_request_detach(request));
  KEEPS_ERRNO(inlens_request_detach(INLENS_NONE));
  CHECK(inlens_request_current() == INLENS_NONE);
  KEEPS_ERRNO(CHECK(inlens_request_id(request, NULL, 64) == 0));
  KEEPS_ERRNO(CHECK(inlens_request_id(request, id, 0) == 0));
  KEEPS_ERRNO(CHECK(inlens_request_id(request, id, 32) == 0));
  KEEPS_ERRNO(CHECK(inlens_call_traceparent(request, INLENS_NONE, NULL, 64) == 0));
  KEEPS_ERRNO(CHECK(inlens_call_traceparent(request, UINT64_MAX, id, 55) == 0 && id[0] == '\0'));
  KEEPS_ERRNO(CHECK(inlens_call_traceparent(request, INLENS_NONE, id, sizeof id) == 0));
  KEEPS_ERRNO(inlens_span_end(inlens_span_begin(request, INLENS_SPAN_SCOPE, none)));
  KEEPS_ERRNO(inlens_span_end(inlens_span_begin(request, (inlens_span_kind)99, null_with_size)));
  KEEPS_ERRNO(inlens_span_add(request, INLENS_SPAN_TIMER, none, UINT64_MAX));
  KEEPS_ERRNO(inlens_statement_end(inlens_statement_begin(request, NULL), NULL));
  KEEPS_ERRNO(inlens_statement_add(request, NULL, NULL));
  KEEPS_ERRNO(inlens_call_end(inlens_call_begin(request, NULL), NULL));
  KEEPS_ERRNO(inlens_error_report(request, NULL));
  KEEPS_ERRNO(inlens_message_add(request, INLENS_SEVERITY_INFO, none));
  KEEPS_ERRNO(inlens_message_add(request, (inlens_severity)99, null_with_size));
  KEEPS_ERRNO(inlens_panel_add(request, NULL));
  KEEPS_ERRNO(inlens_task_end(inlens_task_begin(request, none)));
  KEEPS_ERRNO(inlens_connection_closed(inlens_connection_opened(request, NULL)));
  KEEPS_ERRNO(inlens_connection_failed(request, NULL));
  KEEPS_ERRNO(inlens_background_leave(request));
}

static void use_nothing(void) {
  struct sunk sunk;
  char out[8];
  sunk.size = 0;
  KEEPS_ERRNO(CHECK(inlens_response_begin(INLENS_NONE, NULL, NULL) == INLENS_NONE));
  KEEPS_ERRNO(inlens_response_write(INLENS_NONE, str("body"), NULL, NULL));
  KEEPS_ERRNO(inlens_response_write(INLENS_NONE, str("body"), sink, &sunk));
  CHECK(sunk.size == 4 && memcmp(sunk.bytes, "body", 4) == 0);
  KEEPS_ERRNO(inlens_response_finish(INLENS_NONE, NULL, NULL));
  KEEPS_ERRNO(CHECK(!inlens_console_owns(none)));
  KEEPS_ERRNO(CHECK(!inlens_console_owns(null_with_size)));
  KEEPS_ERRNO(CHECK(!inlens_console_owns(str("/"))));
  KEEPS_ERRNO(CHECK(!inlens_console_handle(NULL, NULL, NULL)));
  KEEPS_ERRNO(CHECK(!inlens_console_handle(NULL, ignore_answer, NULL)));
  KEEPS_ERRNO(CHECK(inlens_console_url(NULL, 100) == 0));
  KEEPS_ERRNO(CHECK(inlens_console_url(out, 0) == 0));
  KEEPS_ERRNO(CHECK(inlens_console_link(NULL, 100) == 0));
  KEEPS_ERRNO(CHECK(inlens_console_link(out, sizeof out) == 0)); /* too small for any link */
  KEEPS_ERRNO(inlens_background_leave(inlens_background_enter()));
  KEEPS_ERRNO(inlens_background_leave(INLENS_NONE));
  KEEPS_ERRNO(inlens_connection_closed(INLENS_NONE));
  KEEPS_ERRNO(inlens_connection_use(INLENS_NONE, true));
  KEEPS_ERRNO(inlens_collector_report(none, INLENS_COLLECTOR_ON, none));
  KEEPS_ERRNO(inlens_collector_report(null_with_size, (inlens_collector_state)99, null_with_size));
  KEEPS_ERRNO(CHECK(inlens_figures_get(NULL) != INLENS_OK));
  KEEPS_ERRNO(CHECK(inlens_level_set((inlens_level)99) == INLENS_E_ARGUMENT));
  KEEPS_ERRNO(CHECK(inlens_level_set((inlens_level)-1) == INLENS_E_ARGUMENT));
}

static void use_garbage_handles(void) {
  static const uint64_t garbage[] = {1,
                                     2,
                                     0xff,
                                     UINT32_MAX,
                                     UINT64_C(1) << 32,
                                     UINT64_MAX - 1,
                                     UINT64_MAX,
                                     UINT64_C(0x8000000000000000),
                                     UINT64_C(0xdeadbeefcafef00d),
                                     UINT64_C(0x0101010101010101)};
  inlens_response_head head;
  inlens_response_edit edit;
  struct sunk sunk;
  size_t i;
  memset(&head, 0, sizeof head);
  head.struct_size = sizeof head;
  for (i = 0; i < sizeof garbage / sizeof garbage[0]; i++) {
    memset(&edit, 0, sizeof edit);
    edit.struct_size = sizeof edit;
    sunk.size = 0;
    use_request_handle(garbage[i]);
    KEEPS_ERRNO(inlens_request_end(garbage[i], NULL));
    KEEPS_ERRNO(inlens_task_end(garbage[i]));
    KEEPS_ERRNO(inlens_span_end(garbage[i]));
    KEEPS_ERRNO(inlens_statement_end(garbage[i], NULL));
    KEEPS_ERRNO(inlens_call_end(garbage[i], NULL));
    KEEPS_ERRNO(inlens_connection_use(garbage[i], true));
    KEEPS_ERRNO(inlens_connection_use(garbage[i], false));
    KEEPS_ERRNO(inlens_connection_closed(garbage[i]));
    KEEPS_ERRNO(CHECK(inlens_response_begin(garbage[i], &head, &edit) == INLENS_NONE));
    CHECK(!edit.decorate);
    KEEPS_ERRNO(inlens_response_write(garbage[i], str("bytes"), sink, &sunk));
    KEEPS_ERRNO(inlens_response_finish(garbage[i], sink, &sunk));
    CHECK(sunk.size == 5 && memcmp(sunk.bytes, "bytes", 5) == 0);
  }
}

static void use_wrong_order(void) {
  inlens_response_head head;
  inlens_response_edit edit;
  inlens_request request = begin_request();
  inlens_request other = begin_request();
  inlens_span span = inlens_span_begin(request, INLENS_SPAN_SCOPE, str("outer"));
  inlens_span inner = inlens_span_begin(request, INLENS_SPAN_SCOPE, str("inner"));
  inlens_span statement = inlens_statement_begin(request, NULL);
  inlens_request task = inlens_task_begin(request, str("task"));
  inlens_response response;
  memset(&head, 0, sizeof head);
  memset(&edit, 0, sizeof edit);
  head.struct_size = sizeof head;
  edit.struct_size = sizeof edit;
  response = inlens_response_begin(request, &head, &edit);
  KEEPS_ERRNO((void)inlens_response_begin(request, &head, &edit));
  KEEPS_ERRNO(inlens_span_end(span)); /* the outer one first */
  KEEPS_ERRNO(inlens_span_end(span));
  KEEPS_ERRNO(inlens_call_end(statement, NULL)); /* as what it is not */
  KEEPS_ERRNO(inlens_statement_end(inner, NULL));
  KEEPS_ERRNO(inlens_span_end(request));
  KEEPS_ERRNO(inlens_request_end(span, NULL));
  KEEPS_ERRNO(inlens_task_end(request));
  KEEPS_ERRNO(inlens_response_finish(request, sink, NULL));
  KEEPS_ERRNO(inlens_request_end(request, NULL));
  KEEPS_ERRNO(inlens_request_end(request, NULL));
  use_request_handle(request); /* stale by now */
  KEEPS_ERRNO(inlens_span_end(inner));
  KEEPS_ERRNO(inlens_statement_end(statement, NULL));
  KEEPS_ERRNO(inlens_response_finish(response, NULL, NULL));
  KEEPS_ERRNO(inlens_message_add(task, INLENS_SEVERITY_INFO, str("the request is over")));
  KEEPS_ERRNO(inlens_request_end(task, NULL));
  KEEPS_ERRNO(inlens_task_end(task));
  KEEPS_ERRNO(inlens_task_end(task));
  KEEPS_ERRNO(inlens_request_end(other, NULL));
  CHECK(inlens_request_current() == INLENS_NONE);
}

static void use_everything(void) {
  inlens_request request = begin_request();
  use_nothing();
  use_request_handle(INLENS_NONE);
  use_request_handle(INLENS_CURRENT);
  use_garbage_handles();
  use_old_structs(request);
  use_wrong_order();
  inlens_request_end(request, NULL);
}

static inlens_status start_with(uint32_t abi_version, size_t struct_size) {
  inlens_start_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = struct_size;
  options.abi_version = abi_version;
  options.config_json =
      str("{\"collect\":{\"level\":\"full\"},\"bar\":{\"enabled\":true,\"allow\":\"loopback\"}}");
  return inlens_start(&options);
}

static void check_off(void) {
  char text[256];
  CHECK(!figures().running);
  CHECK(begin_request() == INLENS_NONE);
  CHECK(inlens_level_get() == INLENS_LEVEL_OFF);
  CHECK(inlens_console_url(text, sizeof text) == 0);
  CHECK(inlens_console_link(text, sizeof text) == 0);
  CHECK(inlens_stop() == INLENS_ALREADY);
}

/* On a slow machine stop may give up waiting; it is stopped all the same. */
static bool has_stopped(inlens_status status) {
  return status == INLENS_OK || status == INLENS_E_TIMEOUT;
}

static void check_exact_count(void) {
  inlens_figures before = figures();
  inlens_figures after;
  char id[33];
  inlens_request request = begin_request();
  inlens_request previous;
  CHECK(request != INLENS_NONE);
  CHECK(inlens_request_id(request, id, sizeof id) == 32 && strlen(id) == 32);
  previous = inlens_request_attach(request);
  CHECK(previous == INLENS_NONE);
  CHECK(inlens_request_current() == request);
  inlens_statement_end(inlens_statement_begin(INLENS_CURRENT, NULL), NULL);
  inlens_request_detach(previous);
  CHECK(inlens_request_current() == INLENS_NONE);
  inlens_request_end(request, NULL);
  after = figures();
  CHECK(after.requests == before.requests + 1);
  CHECK(after.statements == before.statements + 1);
  CHECK(after.in_flight == before.in_flight);
}

int main(void) {
  CHECK(inlens_abi_version() == INLENS_ABI_VERSION);
  CHECK(strlen(inlens_version()) >= 5);

  check_off();
  use_everything();
  check_off();

  CHECK(start_with(INLENS_ABI_VERSION + 1, sizeof(inlens_start_options)) == INLENS_E_ABI);
  CHECK(start_with(INLENS_ABI_VERSION, 0) == INLENS_E_ABI); /* too small to say its version */
  check_off();
  CHECK(start_with(INLENS_ABI_VERSION, sizeof(inlens_start_options)) == INLENS_OK);
  CHECK(start_with(INLENS_ABI_VERSION, sizeof(inlens_start_options)) == INLENS_ALREADY);
  CHECK(figures().running);
  CHECK(inlens_level_get() == INLENS_LEVEL_FULL);

  check_exact_count();
  use_everything();
  CHECK(figures().in_flight == 0);
  CHECK(figures().unpaired > 0);
  check_exact_count();

  CHECK(inlens_level_set(INLENS_LEVEL_OFF) == INLENS_OK);
  use_everything();
  CHECK(inlens_level_set(INLENS_LEVEL_LIGHT) == INLENS_OK);
  check_exact_count();

  {
    inlens_request under_way = begin_request();
    CHECK(has_stopped(inlens_stop()));
    use_request_handle(under_way);
    inlens_request_end(under_way, NULL);
  }
  check_off();
  use_everything();

  CHECK(inlens_start(NULL) == INLENS_OK); /* all defaults */
  CHECK(has_stopped(inlens_stop()));
  check_off();
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
