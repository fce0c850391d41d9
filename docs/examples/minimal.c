/* minimal.c: a blocking HTTP server of one thread that carries Inlens. Usage: minimal [port]; Ctrl-C ends it.
 */
#define _POSIX_C_SOURCE 200809L
#include <arpa/inet.h>
#include <inlens/inlens.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

static volatile sig_atomic_t stopping;
static void on_signal(int number) {
  stopping = number;
}

static inlens_str str(const char* text) {
  inlens_str result = {text, strlen(text)};
  return result;
}

/* A request's head, cut into pieces where it lies. This server has no page that reads a body. */
struct head {
  char text[16384];
  inlens_str method, target, host;
  inlens_header headers[64];
  size_t header_count;
};

static bool read_head(FILE* in, struct head* head) {
  char* at = head->text;
  head->method = head->target = head->host = str("");
  head->header_count = 0;
  while (head->header_count < 64) {
    size_t room = sizeof head->text - (size_t)(at - head->text);
    if (room < 2 || fgets(at, (int)room, in) == NULL) return false;
    size_t size = strcspn(at, "\r\n");
    at[size] = '\0';
    char* colon = strchr(at, ':');
    if (size == 0) return head->target.size > 0;
    if (head->target.size == 0) {
      char* method = strtok(at, " ");
      char* target = strtok(NULL, " ");
      if (target == NULL) return false;
      head->method = str(method);
      head->target = str(target);
    } else if (colon != NULL) {
      *colon = '\0';
      inlens_header header = {str(at), str(colon + 1 + strspn(colon + 1, " "))};
      if (strcasecmp(at, "Host") == 0) head->host = header.value;
      head->headers[head->header_count++] = header;
    }
    at += size + 1;
  }
  return false;
}

static void write_out(void* out, inlens_str piece) { /* an inlens_sink_fn */
  if (piece.size > 0) fwrite(piece.data, 1, piece.size, out);
}

static bool respond(FILE* out, unsigned status, const inlens_header* headers, size_t count, inlens_str body) {
  fprintf(out, "HTTP/1.1 %u \r\nConnection: close\r\n", status);
  for (size_t i = 0; i < count; i++) {
    write_out(out, headers[i].name);
    fputs(": ", out);
    write_out(out, headers[i].value);
    fputs("\r\n", out);
  }
  fputs("\r\n", out);
  write_out(out, body);
  return fflush(out) == 0;
}

static void respond_for_console(void* out, const inlens_http_answer* answer) { /* an inlens_answer_fn */
  respond(out, answer->status, answer->headers, answer->header_count, answer->body);
}

/* Makes the page. It runs with the request attached, so nothing has to be handed down to it. */
static unsigned make_page(inlens_str target, inlens_str* page) {
  inlens_span span = inlens_span_begin(INLENS_CURRENT, INLENS_SPAN_STAGE, str("make_page"));
  unsigned status = 200;
  if (target.size == 1) {
    inlens_message_add(INLENS_CURRENT, INLENS_SEVERITY_INFO, str("said hello"));
    *page = str("<!doctype html><title>Minimal</title><body><h1>Hello</h1></body>");
  } else {
    inlens_error_info error = {.struct_size = sizeof error, .flags = INLENS_ERROR_HANDLED};
    error.type = str("NoSuchPage");
    error.message = str("nothing is known under this path");
    inlens_error_report(INLENS_CURRENT, &error);
    *page = str("<!doctype html><title>Not found</title><body><p>Not found</p></body>");
    status = 404;
  }
  inlens_span_end(span);
  return status;
}

static void serve(FILE* in, FILE* out) {
  static struct head head;
  if (!read_head(in, &head)) return;

  /* The console comes first: its requests are answered, not recorded. */
  inlens_http_request asked = {.struct_size = sizeof asked, .method = head.method, .target = head.target};
  asked.headers = head.headers;
  asked.header_count = head.header_count;
  asked.peer = str("127.0.0.1");
  if (inlens_console_owns(head.target) && inlens_console_handle(&asked, respond_for_console, out)) return;

  inlens_request_info info = {.struct_size = sizeof info, .method = head.method, .target = head.target};
  info.host = head.host;
  info.peer = str("127.0.0.1");
  info.protocol = str("HTTP/1.1");
  inlens_request request = inlens_request_begin(&info);

  inlens_str page;
  inlens_request previous = inlens_request_attach(request);
  unsigned status = make_page(head.target, &page);
  inlens_request_detach(previous);

  char id[33] = "";
  inlens_request_id(request, id, sizeof id);
  inlens_header headers[4] = {{str("Content-Type"), str("text/html; charset=utf-8")},
                              {str("X-Inlens-Id"), str(id)}};
  size_t count = 2;

  /* The head as it would be without Inlens; then what Inlens makes of the body, and what that asks of the
   * head. */
  inlens_response_head shown = {sizeof shown, status, headers, count, head.headers, head.header_count};
  inlens_response_edit edit = {.struct_size = sizeof edit};
  char* body = NULL;
  size_t size = 0;
  FILE* memory = open_memstream(&body, &size);
  inlens_response response = inlens_response_begin(request, &shown, &edit);
  inlens_response_write(response, page, write_out, memory);
  inlens_response_finish(response, write_out, memory);
  fclose(memory);
  if (edit.cache_control.size > 0) {
    headers[count].name = str("Cache-Control");
    headers[count++].value = edit.cache_control;
  }
  char length[24];
  snprintf(length, sizeof length, "%zu", size);
  headers[count].name = str("Content-Length");
  headers[count++].value = str(length);

  inlens_str whole = {body, size};
  bool sent = respond(out, status, headers, count, whole);
  free(body);
  inlens_request_result result = {.struct_size = sizeof result, .status = status, .bytes_out = size};
  result.flags = sent ? 0 : INLENS_RESULT_ABORTED;
  result.content_type = headers[0].value;
  inlens_request_end(request, &result);
}

static int listen_on(struct sockaddr_in* address) {
  socklen_t size = sizeof *address;
  int yes = 1;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(listener, (struct sockaddr*)address, size) != 0 || listen(listener, 64) != 0) return -1;
  getsockname(listener, (struct sockaddr*)address, &size);
  return listener;
}

int main(int argc, char** argv) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(argc > 1 ? (uint16_t)atoi(argv[1]) : 8081);
  int listener = listen_on(&address);
  if (listener < 0) {
    perror("minimal");
    return 1;
  }
  struct sigaction stop = {.sa_handler = on_signal}; /* without SA_RESTART, so that accept() returns */
  sigaction(SIGINT, &stop, NULL);
  sigaction(SIGTERM, &stop, NULL);
  signal(SIGPIPE, SIG_IGN);

  inlens_start_options options = {.struct_size = sizeof options, .abi_version = INLENS_ABI_VERSION};
  options.server_name = str("minimal");
  inlens_start(&options); /* should it fail, the server works as if Inlens were absent */

  char link[512] = "";
  inlens_console_link(link, sizeof link);
  printf("Page:    http://127.0.0.1:%u/\nConsole: %s\n", (unsigned)ntohs(address.sin_port), link);
  fflush(stdout);

  while (!stopping) {
    int client = accept(listener, NULL, NULL);
    if (client < 0) continue;
    FILE* in = fdopen(client, "r");
    FILE* out = fdopen(dup(client), "w");
    if (in != NULL && out != NULL) serve(in, out);
    if (out != NULL) fclose(out);
    if (in != NULL) fclose(in);
  }
  close(listener);
  inlens_stop();
  return 0;
}
