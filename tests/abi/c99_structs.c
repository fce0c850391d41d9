/* The C ABI called with structs of every size: as older hosts know them, too small, and zero. */
#include <stdlib.h>

#include "tests/abi/c99_check.h"

/* A copy on the heap of exactly `size` bytes, as an older host would pass it: one byte read or written too
 * far is seen by the sanitizers and valgrind. */
static void* of_size(const void* whole, size_t size) {
  void* copy = malloc(size);
  if (copy == NULL) abort();
  memcpy(copy, whole, size);
  memcpy(copy, &size, sizeof size);
  return copy;
}

/* Runs `statement` with `older` pointing to ever larger copies of `whole`, from the size field alone on. The
 * steps are as wide as a pointer: no older struct ever ended inside a field. */
#define FOR_EACH_SIZE(type, whole, statement)                                      \
  do {                                                                             \
    size_t size_;                                                                  \
    for (size_ = sizeof(size_t); size_ <= sizeof(whole); size_ += sizeof(void*)) { \
      type* older = of_size(&(whole), size_);                                      \
      KEEPS_ERRNO(statement);                                                      \
      free(older);                                                                 \
    }                                                                              \
  } while (0)

static void begin_and_end_with_old_structs(void) {
  inlens_request_info info;
  inlens_request_result result;
  inlens_request request;
  memset(&info, 0, sizeof info);
  memset(&result, 0, sizeof result);
  info.method = str("POST");
  info.target = str("/old");
  info.parent = UINT64_C(0xdeadbeef);
  result.status = 200;
  result.content_type = str("text/html");
  FOR_EACH_SIZE(inlens_request_info, info, inlens_request_end(inlens_request_begin(older), NULL));
  FOR_EACH_SIZE(inlens_request_result, result, request = begin_request(); inlens_request_end(request, older));
}

static void report_with_old_structs(inlens_request request) {
  const void* frames[2];
  inlens_str cells[4];
  uint8_t depths[2] = {0, 1};
  inlens_statement_info statement;
  inlens_statement_result statement_result;
  inlens_call_info call;
  inlens_call_result call_result;
  inlens_error_info error;
  inlens_panel_info panel;
  inlens_connection_info connection;
  size_t i;
  frames[0] = frames;
  frames[1] = NULL;
  for (i = 0; i < 4; i++) cells[i] = str("cell");
  memset(&statement, 0, sizeof statement);
  memset(&statement_result, 0, sizeof statement_result);
  memset(&call, 0, sizeof call);
  memset(&call_result, 0, sizeof call_result);
  memset(&error, 0, sizeof error);
  memset(&panel, 0, sizeof panel);
  memset(&connection, 0, sizeof connection);
  connection.kind = str("sql");
  connection.target = null_with_size;
  statement.text = str("SELECT 'x' FROM t WHERE id = 7");
  statement.dialect = (inlens_dialect)99;
  statement_result.outcome = INLENS_OUTCOME_FAILED;
  statement_result.error_code = null_with_size;
  call.url = str("http://user:secret@localhost/?token=x");
  call_result.outcome = (inlens_outcome)99;
  error.type = str("std::runtime_error");
  error.frames = frames;
  error.frame_count = 2;
  panel.kind = INLENS_PANEL_TREE;
  panel.columns = 2;
  panel.rows = 2;
  panel.cells = cells;
  panel.depths = depths;
  FOR_EACH_SIZE(inlens_statement_info, statement,
                inlens_statement_end(inlens_statement_begin(request, older), NULL));
  FOR_EACH_SIZE(inlens_statement_result, statement_result,
                inlens_statement_end(inlens_statement_begin(request, NULL), older));
  FOR_EACH_SIZE(inlens_call_info, call, inlens_call_end(inlens_call_begin(request, older), NULL));
  FOR_EACH_SIZE(inlens_call_result, call_result, inlens_call_end(inlens_call_begin(request, NULL), older));
  FOR_EACH_SIZE(inlens_connection_info, connection,
                inlens_connection_closed(inlens_connection_opened(request, older)));
  FOR_EACH_SIZE(inlens_connection_info, connection, inlens_connection_failed(request, older));
  FOR_EACH_SIZE(inlens_error_info, error, inlens_error_report(request, older));
  FOR_EACH_SIZE(inlens_panel_info, panel, inlens_panel_add(request, older));
}

static void respond_with_old_structs(void) {
  inlens_header header;
  inlens_response_head head;
  inlens_response_edit edit;
  inlens_request request;
  inlens_response response;
  struct sunk sunk;
  memset(&head, 0, sizeof head);
  memset(&edit, 0, sizeof edit);
  header.name = str("Content-Type");
  header.value = str("text/html");
  head.struct_size = sizeof head;
  head.status = 200;
  head.headers = &header;
  head.header_count = 1;
  edit.struct_size = sizeof edit;
  FOR_EACH_SIZE(inlens_response_head, head, request = begin_request(); sunk.size = 0;
                response = inlens_response_begin(request, older, &edit);
                inlens_response_finish(response, sink, &sunk); inlens_request_end(request, NULL));
  FOR_EACH_SIZE(inlens_response_edit, edit, request = begin_request(); sunk.size = 0;
                response = inlens_response_begin(request, &head, older);
                inlens_response_finish(response, sink, &sunk); inlens_request_end(request, NULL));
}

static void ask_with_old_structs(void) {
  inlens_http_request asked;
  inlens_figures filled;
  memset(&asked, 0, sizeof asked);
  asked.method = str("GET");
  asked.target = str("/~inlens/");
  memset(&filled, 0xee, sizeof filled);
  FOR_EACH_SIZE(inlens_http_request, asked, (void)inlens_console_handle(older, ignore_answer, NULL));
  FOR_EACH_SIZE(inlens_figures, filled, (void)inlens_figures_get(older));
}

/* A struct whose size says zero, or less than the size field itself, is an empty one. */
static void use_zero_sizes(inlens_request request) {
  inlens_statement_info statement;
  inlens_error_info error;
  inlens_panel_info panel;
  inlens_request_info info;
  inlens_figures filled;
  memset(&statement, 0xee, sizeof statement);
  memset(&error, 0xee, sizeof error);
  memset(&panel, 0xee, sizeof panel);
  memset(&info, 0xee, sizeof info);
  memset(&filled, 0xee, sizeof filled);
  statement.struct_size = error.struct_size = panel.struct_size = info.struct_size = filled.struct_size = 0;
  KEEPS_ERRNO(inlens_statement_end(inlens_statement_begin(request, &statement), NULL));
  KEEPS_ERRNO(inlens_error_report(request, &error));
  KEEPS_ERRNO(inlens_panel_add(request, &panel));
  KEEPS_ERRNO(inlens_request_end(inlens_request_begin(&info), NULL));
  KEEPS_ERRNO((void)inlens_figures_get(&filled));
  CHECK(filled.requests == UINT64_C(0xeeeeeeeeeeeeeeee)); /* nothing was written past what the size covers */
  info.struct_size = sizeof(size_t) - 1;
  KEEPS_ERRNO(inlens_request_end(inlens_request_begin(&info), NULL));
}

void use_old_structs(inlens_request request) {
  begin_and_end_with_old_structs();
  report_with_old_structs(request);
  report_with_old_structs(INLENS_CURRENT);
  report_with_old_structs(INLENS_NONE);
  respond_with_old_structs();
  ask_with_old_structs();
  use_zero_sizes(request);
}
