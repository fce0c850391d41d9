/* inlens.h: the C ABI of libinlens.so, and the only contract between Inlens and its hosts.
 *
 * Called by: web servers, their modules, framework adapters and Inlens's own collectors, on the host's
 * threads.
 *
 * Holds for every function below unless its comment says otherwise:
 *   Threads: any thread, any number at once; one request is written by one thread at a time.
 *   Blocks:  never. No lock, no allocation in steady state, no input or output.
 *   Errors:  none leave. NULL, a zero or stale handle, any bytes and any order of calls are allowed, before
 *            inlens_start and after inlens_stop too; what makes no sense is counted (`unpaired`), not done.
 *            errno is left as it was.
 *   Owns:    nothing of the caller's. Strings and arrays are read during the call and copied if kept.
 *   Limits:  a string is kept up to `limits.stringBytes` (2,000 bytes); the rest is cut and counted.
 *
 * Structs that may grow begin with `struct_size`: set it to sizeof of the struct. An older host's smaller
 * struct is accepted and the missing fields count as zero; fields are only ever added at the end.
 *
 * Since: 0.1 unless stated.
 */
#ifndef INLENS_INLENS_H
#define INLENS_INLENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define INLENS_ABI_VERSION 1u

#if defined(__GNUC__)
#define INLENS_API __attribute__((visibility("default")))
#else
#define INLENS_API
#endif

/* Enumerations have an int's size and range, so that a number they do not name is just that and not
 * undefined. */
#ifdef __cplusplus
#define INLENS_AN_INT : int
#else
#define INLENS_AN_INT
#endif

/* ---- Plain values */

/* Bytes with a length; need not end with NUL, need not be UTF-8. {NULL, 0} is "not given". */
typedef struct inlens_str {
  const char* data;
  size_t size;
} inlens_str;

/* A header line of a request or a response. */
typedef struct inlens_header {
  inlens_str name;
  inlens_str value;
} inlens_header;

/* Handle of a request, or of a task of one. A plain number: it may be copied, moved between threads and kept
 * after its end; a stale one is recognised and ignored. */
typedef uint64_t inlens_request;

/* Handle of an open span, statement or call. Same promises as inlens_request. */
typedef uint64_t inlens_span;

/* Handle of a connection to another server, or of an open database. A plain number. */
typedef uint64_t inlens_connection;

/* Handle of a response body on its way through the bar's injector. Same promises as inlens_request. */
typedef uint64_t inlens_response;

#define INLENS_NONE UINT64_C(0)

/* In place of a request: the calling thread's current request (see inlens_request_attach). */
#define INLENS_CURRENT UINT64_MAX

/* Result of the calls that start, stop and configure. Negative: nothing was done. */
typedef enum inlens_status INLENS_AN_INT {
  INLENS_OK = 0,
  INLENS_ALREADY = 1,      /* running already (start) or not running (stop) */
  INLENS_E_ABI = -1,       /* the host was built for another ABI version */
  INLENS_E_RESOURCES = -2, /* memory, threads or keys were refused: the agent stays off */
  INLENS_E_ARGUMENT = -3,  /* unknown value */
  INLENS_E_TIMEOUT = -4    /* stop gave up waiting after 200 ms; what is left ends by itself */
} inlens_status;

/* What is collected (`collect.level`); takes effect at each request's begin. */
typedef enum inlens_level INLENS_AN_INT {
  INLENS_LEVEL_OFF = 0,
  INLENS_LEVEL_LIGHT = 1,
  INLENS_LEVEL_STANDARD = 2,
  INLENS_LEVEL_FULL = 3
} inlens_level;

/* ---- Start and stop */

/* Receives the agent's own log lines (rate-limited: 1st, 2nd, 4th, 8th … of a kind).
 * Threads: the agent's threads, and the one inside inlens_start. `level`: 0 debug … 3 error. */
typedef void (*inlens_log_fn)(void* user, int level, inlens_str line);

typedef struct inlens_start_options {
  size_t struct_size;
  uint32_t abi_version;   /* INLENS_ABI_VERSION */
  inlens_str config_file; /* path of a JSON file; not given: INLENS_CONFIG, else none */
  inlens_str config_json; /* settings as JSON text, above the file and below the environment */
  inlens_str server_name; /* shown in the console; not given: the program's name */
  inlens_str release;     /* the host's own version */
  inlens_log_fn log;      /* NULL: no lines, unless `log.file` is set */
  void* log_user;
} inlens_start_options;

/* The version of the ABI that this library implements. */
INLENS_API uint32_t inlens_abi_version(void);

/* The library's version, such as "0.1.0"; static storage. */
INLENS_API const char* inlens_version(void);

/* Reads the settings and starts worker and console. A wrong setting never refuses the start: its default is
 * kept and one log line names file, key and allowed values. After fork() the child starts by itself at its
 * first request. Blocks: for reading the file and starting two threads. */
INLENS_API inlens_status inlens_start(const inlens_start_options* options);

/* Stops worker and console. Requests under way go on unrecorded.
 * Blocks: at most 200 ms. */
INLENS_API inlens_status inlens_stop(void);

INLENS_API inlens_level inlens_level_get(void);
INLENS_API inlens_status inlens_level_set(inlens_level level);

/* ---- Requests */

enum {
  INLENS_REQUEST_TLS = 1u << 0,        /* arrived over TLS */
  INLENS_REQUEST_SUBREQUEST = 1u << 1, /* made inside the server; its output is part of another response */
  INLENS_REQUEST_BACKGROUND = 1u << 2  /* not HTTP: a job, a command */
};

typedef struct inlens_request_info {
  size_t struct_size;
  inlens_str method;
  inlens_str target;      /* path and query as received; values of secret-looking query keys are masked */
  inlens_str host;        /* Host header; may be absent */
  inlens_str peer;        /* client address without port */
  inlens_str protocol;    /* "HTTP/1.1" */
  inlens_str traceparent; /* W3C trace context, if any */
  uint64_t bytes_in;      /* body bytes announced, 0 if unknown */
  uint32_t flags;         /* INLENS_REQUEST_… */
  inlens_request parent;  /* of a subrequest; INLENS_NONE otherwise */
} inlens_request_info;

/* Begins a request. It is not yet the thread's current one.
 * Returns INLENS_NONE at level off. When no record is free the handle still counts, times and ends the
 * request, so totals stay exact; only its detail is lost (`poolEmpty`). */
INLENS_API inlens_request inlens_request_begin(const inlens_request_info* info);

/* Names the matched route pattern ("/orders/{id}"); the last one given wins. Without one the console groups
 * by path with its variable parts masked. */
INLENS_API void inlens_request_route(inlens_request request, inlens_str pattern);

typedef enum inlens_direction INLENS_AN_INT {
  INLENS_HEADER_REQUEST = 0,
  INLENS_HEADER_RESPONSE = 1
} inlens_direction;

/* Keeps a header line (levels standard and full; nothing is done at light). Secrets are masked at once. */
INLENS_API void inlens_request_header(inlens_request request, inlens_direction direction, inlens_str name,
                                      inlens_str value);

/* Makes `request` the calling thread's current one and returns the one before, to be given to
 * inlens_request_detach. An event loop attaches before it resumes a request and detaches after; nested
 * requests nest their pairs. */
INLENS_API inlens_request inlens_request_attach(inlens_request request);
INLENS_API void inlens_request_detach(inlens_request previous);

/* The calling thread's current request, or INLENS_NONE. */
INLENS_API inlens_request inlens_request_current(void);

/* Writes the request's id, 32 hexadecimal digits and NUL, for `X-Inlens-Id` and for logs.
 * Returns 32, or 0 (and an empty string) if there is no id or `capacity` is under 33. */
INLENS_API size_t inlens_request_id(inlens_request request, char* out, size_t capacity);

enum { INLENS_RESULT_ABORTED = 1u << 0 /* the client went away */ };

typedef struct inlens_request_result {
  size_t struct_size;
  uint32_t status;    /* HTTP status; 0 if none was sent */
  uint32_t flags;     /* INLENS_RESULT_… */
  uint64_t bytes_in;  /* body bytes received; 0 keeps what begin said */
  uint64_t bytes_out; /* body bytes sent */
  inlens_str content_type;
} inlens_request_result;

/* Ends a request, on any thread. Open spans end with it. NULL `result`: status unknown. */
INLENS_API void inlens_request_end(inlens_request request, const inlens_request_result* result);

/* Begins work of `request` on another thread, in parallel to it. The task is used like a request in every
 * call that takes one, and is ended by inlens_task_end, also after its request. `name` says what it is. */
INLENS_API inlens_request inlens_task_begin(inlens_request request, inlens_str name);
INLENS_API void inlens_task_end(inlens_request task);

/* Brackets a piece of work that may lie outside of any request, such as a statement of a job. Returns the
 * calling thread's current request, or else the thread's background request, which is begun when there is
 * none and which the agent ends a second later, so that long jobs are seen while they run. Give what it
 * returned back with inlens_background_leave, on the same thread, when the piece is over; pieces may overlap.
 * INLENS_NONE at level off. */
INLENS_API inlens_request inlens_background_enter(void);
INLENS_API void inlens_background_leave(inlens_request request);

/* ---- Connections */

typedef struct inlens_connection_info {
  size_t struct_size;
  inlens_str kind;     /* "postgresql", "sqlite", "http" … */
  inlens_str target;   /* host:port/database, a file; no credentials */
  uint64_t connect_ns; /* how long opening took, or failing to; 0: unknown */
} inlens_connection_info;

/* Counts a connection that was opened, per kind and target (64 of these, then "other"). If it was opened for
 * a request (INLENS_CURRENT, or one by its handle) this shows there as a span. A connection is closed once.
 */
INLENS_API inlens_connection inlens_connection_opened(inlens_request request,
                                                      const inlens_connection_info* info);
INLENS_API void inlens_connection_closed(inlens_connection connection);
/* Counts an attempt that failed. */
INLENS_API void inlens_connection_failed(inlens_request request, const inlens_connection_info* info);
/* In use from true to false, on any threads: a statement under way, an answer being read. */
INLENS_API void inlens_connection_use(inlens_connection connection, bool in_use);

/* ---- Spans, statements, calls */

typedef enum inlens_span_kind INLENS_AN_INT {
  INLENS_SPAN_SCOPE = 0, /* a piece of the host's own code */
  INLENS_SPAN_STAGE = 1, /* a link of the request chain: filter, middleware, module, handler */
  INLENS_SPAN_CACHE = 2,
  INLENS_SPAN_WAIT = 3,
  INLENS_SPAN_TIMER = 4,  /* a figure the developer wants in the bar */
  INLENS_SPAN_CONNECT = 5 /* a connection being opened */
} inlens_span_kind;

/* Begins a span inside the innermost open one. It may end on another thread. */
INLENS_API inlens_span inlens_span_begin(inlens_request request, inlens_span_kind kind, inlens_str name);
INLENS_API void inlens_span_end(inlens_span span);

/* Adds a span that is over already, ending now. Unit: nanoseconds. */
INLENS_API void inlens_span_add(inlens_request request, inlens_span_kind kind, inlens_str name,
                                uint64_t duration_ns);

typedef enum inlens_dialect INLENS_AN_INT {
  INLENS_DIALECT_GENERIC = 0,
  INLENS_DIALECT_SQLITE = 1,
  INLENS_DIALECT_POSTGRES = 2,
  INLENS_DIALECT_MYSQL = 3
} inlens_dialect;

typedef enum inlens_outcome INLENS_AN_INT { INLENS_OUTCOME_OK = 0, INLENS_OUTCOME_FAILED = 1 } inlens_outcome;

enum {
  INLENS_STATEMENT_OBSERVED =
      1u << 0, /* by a collector: not begun inside a statement that the host marks itself */
  INLENS_STATEMENT_BACKGROUND =
      1u << 1 /* with INLENS_CURRENT: outside of a request it is a piece of background work by itself */
};

typedef struct inlens_statement_info {
  size_t struct_size;
  inlens_str text; /* as sent; literals are masked before anything is stored or shown */
  inlens_dialect dialect;
  uint32_t flags;      /* INLENS_STATEMENT_… */
  inlens_str database; /* host, file or name of the database; no credentials */
  const void* caller;  /* return address of the calling code, or NULL */
} inlens_statement_info;

typedef struct inlens_statement_result {
  size_t struct_size;
  inlens_outcome outcome;
  int64_t rows;          /* rows returned or changed; -1 unknown */
  uint64_t duration_ns;  /* 0: since begin */
  inlens_str error_code; /* SQLSTATE or errno as text */
  inlens_str error_message;
  uint64_t read_ns; /* of the duration: reading rows; 0: unknown */
} inlens_statement_result;

INLENS_API inlens_span inlens_statement_begin(inlens_request request, const inlens_statement_info* info);

/* NULL `result`: succeeded, rows unknown. */
INLENS_API void inlens_statement_end(inlens_span statement, const inlens_statement_result* result);

/* A statement that is over, and whose duration `result` gives. */
INLENS_API void inlens_statement_add(inlens_request request, const inlens_statement_info* info,
                                     const inlens_statement_result* result);

typedef struct inlens_call_info {
  size_t struct_size;
  inlens_str method;
  inlens_str url;     /* user information and secret-looking query values are masked */
  const void* caller; /* return address of the calling code, or NULL */
} inlens_call_info;

typedef struct inlens_call_result {
  size_t struct_size;
  inlens_outcome outcome;
  uint32_t status;
  uint64_t bytes_out;
  uint64_t bytes_in;
  inlens_str error_message;
  inlens_str error_code; /* of the library that made the call */
  uint64_t duration_ns;  /* 0: since begin */
  uint64_t dns_ns;       /* each of these four from the one before; 0: not done or unknown */
  uint64_t connect_ns;
  uint64_t tls_ns;
  uint64_t first_byte_ns; /* from the request's last byte to the answer's first */
} inlens_call_result;

INLENS_API inlens_span inlens_call_begin(inlens_request request, const inlens_call_info* info);
INLENS_API void inlens_call_end(inlens_span call, const inlens_call_result* result);

/* Writes the W3C traceparent that `call`, begun in `request`, is to send to the server it calls, with NUL:
 * the trace that the request came with, or else one of the request's own id. INLENS_NONE: for a call that is
 * not recorded. `X-Inlens-Id` with inlens_request_id goes beside it. Returns 55, or 0 (and an empty string)
 * if `calls.propagate` is off, the request has no record, or `capacity` is under 56. */
INLENS_API size_t inlens_call_traceparent(inlens_request request, inlens_span call, char* out,
                                          size_t capacity);

/* ---- Errors, messages, panels */

enum {
  INLENS_ERROR_HANDLED = 1u << 0 /* the host caught it and went on; otherwise it is what ended the request */
};

typedef struct inlens_error_info {
  size_t struct_size;
  inlens_str type; /* exception type as in typeid().name() or plain, or an error class of the host's */
  inlens_str message;
  inlens_str code;
  uint32_t flags;            /* INLENS_ERROR_… */
  const void* const* frames; /* return addresses, innermost first; NULL if none */
  size_t frame_count;
} inlens_error_info;

/* Reports an error. With INLENS_NONE, or INLENS_CURRENT and no current request, it stands alone. */
INLENS_API void inlens_error_report(inlens_request request, const inlens_error_info* info);

typedef enum inlens_severity INLENS_AN_INT {
  INLENS_SEVERITY_DEBUG = 0,
  INLENS_SEVERITY_INFO = 1,
  INLENS_SEVERITY_WARNING = 2,
  INLENS_SEVERITY_ERROR = 3
} inlens_severity;

/* Adds a line for the developer to the request. */
INLENS_API void inlens_message_add(inlens_request request, inlens_severity severity, inlens_str text);

typedef enum inlens_panel_kind INLENS_AN_INT {
  INLENS_PANEL_TEXT = 0,      /* one cell */
  INLENS_PANEL_KEY_VALUE = 1, /* two columns */
  INLENS_PANEL_TABLE = 2,     /* the first row is the head */
  INLENS_PANEL_TREE = 3       /* two columns; `depths` has one entry a row */
} inlens_panel_kind;

/* Data for a panel of its own in bar and console. Cells are shown as text, never as markup. */
typedef struct inlens_panel_info {
  size_t struct_size;
  inlens_panel_kind kind;
  inlens_str title;
  size_t columns;
  size_t rows;
  const inlens_str* cells; /* rows × columns, row by row */
  const uint8_t* depths;   /* trees only: 0 is a root */
} inlens_panel_info;

INLENS_API void inlens_panel_add(inlens_request request, const inlens_panel_info* info);

/* ---- The bar in a response */

typedef struct inlens_response_head {
  size_t struct_size;
  uint32_t status;
  const inlens_header* headers; /* the response's, as they would be sent without Inlens */
  size_t header_count;
  const inlens_header* request_headers;
  size_t request_header_count;
} inlens_response_head;

/* What the host has to do to the head before it sends it. Nothing, when `decorate` is false. */
typedef struct inlens_response_edit {
  size_t struct_size;
  bool decorate;
  bool drop_content_length; /* remove it, or replace it once the whole body has passed */
  bool drop_validators;     /* remove ETag, Last-Modified, Accept-Ranges and every digest header */
  inlens_str cache_control; /* not empty: directives to add to Cache-Control; static storage */
  inlens_str skip_reason;   /* why the page is not decorated; static storage */
} inlens_response_edit;

/* Receives the body's next bytes. A piece that lies inside the `data` of the write under way is a slice of
 * it, so an adapter with its own buffers may split them there instead of copying; any other piece is the
 * agent's and valid only during the call. */
typedef void (*inlens_sink_fn)(void* user, inlens_str piece);

/* Decides from the heads whether the response gets the bar; call it once per response, after the last header
 * is known. Returns INLENS_NONE (and edit->decorate false) when the body is to be sent as it is. */
INLENS_API inlens_response inlens_response_begin(inlens_request request, const inlens_response_head* head,
                                                 inlens_response_edit* edit);

/* Passes the next bytes of the body. At most 1.5 KB are held back, and only around a possible end of the
 * body. With a stale handle the bytes reach the sink unchanged. */
INLENS_API void inlens_response_write(inlens_response response, inlens_str data, inlens_sink_fn sink,
                                      void* user);

/* Ends the body: what was held back and the bar's tag go to the sink. A NULL sink drops both, for a body that
 * was given up. Comes before inlens_request_end, which gives up a body that is still open. */
INLENS_API void inlens_response_finish(inlens_response response, inlens_sink_fn sink, void* user);

/* ---- The console inside the host */

typedef struct inlens_http_request {
  size_t struct_size;
  inlens_str method;
  inlens_str target;
  const inlens_header* headers;
  size_t header_count;
  inlens_str body;
  inlens_str peer; /* client address; a Unix peer or unknown: not given, and then it is not taken for local */
  uint32_t flags;  /* INLENS_REQUEST_TLS */
} inlens_http_request;

typedef struct inlens_http_answer {
  size_t struct_size;
  uint32_t status;
  const inlens_header* headers;
  size_t header_count;
  inlens_str body;
} inlens_http_answer;

typedef void (*inlens_answer_fn)(void* user, const inlens_http_answer* answer);

/* True when `target` lies under the console's base path `/~inlens/`, so that a host can ask before anything
 * else. */
INLENS_API bool inlens_console_owns(inlens_str target);

/* Answers a console request that came in through the host. `answer` is called once, inside this call. Such
 * requests are not recorded: do not begin one for them. Returns false, without calling `answer`, when the
 * console is not running or does not own the target. Blocks: up to 50 ms, for the worker's newest figures. */
INLENS_API bool inlens_console_handle(const inlens_http_request* request, inlens_answer_fn answer,
                                      void* user);

/* Write the console's address, or a new link that signs in once within 10 minutes, with NUL.
 * Return the length without NUL; 0 if the console is not running or `capacity` is too small. Block: for a
 * lock. */
INLENS_API size_t inlens_console_url(char* out, size_t capacity);
INLENS_API size_t inlens_console_link(char* out, size_t capacity);

/* ---- Collectors */

typedef enum inlens_collector_state INLENS_AN_INT {
  INLENS_COLLECTOR_ON = 0,
  INLENS_COLLECTOR_OFF = 1,       /* switched off */
  INLENS_COLLECTOR_NOT_FOUND = 2, /* the host does not use the library, or not yet */
  INLENS_COLLECTOR_IMPOSSIBLE = 3 /* it does, and cannot be seen in this mode */
} inlens_collector_state;

/* Says what a collector sees, for the console; what was said last counts. `detail`: the library and its
 * version, or what would help. At most 32 names of 31 bytes, details of 200. Also before inlens_start. */
INLENS_API void inlens_collector_report(inlens_str name, inlens_collector_state state, inlens_str detail);

/* ---- The agent's own figures */

typedef struct inlens_figures {
  size_t struct_size;
  bool running;
  inlens_level level;
  uint64_t requests; /* ended since inlens_start */
  uint64_t in_flight;
  uint64_t errors;
  uint64_t statements;
  uint64_t lost; /* details lost for any reason; the console lists the reasons */
  uint64_t unpaired;
  uint64_t queue_capacity;
  uint64_t queue_depth;
} inlens_figures;

/* Fills the fields that `struct_size` covers. Blocks: for a walk over the threads that ever used a hook. */
INLENS_API inlens_status inlens_figures_get(inlens_figures* out);

#ifdef __cplusplus
}
#endif
#endif
