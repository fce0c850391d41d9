// What the store looks like to its readers: one immutable Snapshot, built by the worker when somebody asks,
// shared by pointer, never changed afterwards. Plain data; no field refers to memory of the hooks. Units are
// in the names; `_unix_ms` is wall-clock time, durations are nanoseconds.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agent/config/level.hpp"
#include "agent/store/histogram.hpp"
#include "agent/store/usual.hpp"

namespace inlens::store {

// 128 random bits; the only key by which a request is looked up.
struct RequestId {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend bool operator==(const RequestId&, const RequestId&) = default;
};
std::string to_hex(const RequestId& id);                             // 32 lower-case digits
std::optional<RequestId> request_id_from_hex(std::string_view hex);  // exactly 32 digits

enum class SpanKind : std::uint8_t { kScope, kStage, kCache, kWait, kTimer, kConnect, kStatement, kCall };
enum class Severity : std::uint8_t { kDebug, kInfo, kWarning, kError };
enum class PanelKind : std::uint8_t { kText, kKeyValue, kTable, kTree };

struct StatementDetail {
  std::uint64_t fingerprint = 0;
  std::shared_ptr<const std::string> text;  // masked; null when it was not known (lost.textUnknown)
  std::string dialect;                      // "generic", "sqlite", "postgres", "mysql"
  std::string database;
  std::int64_t rows = -1;  // -1: unknown
  bool failed = false;
  std::string error_code;
  std::string error_message;
  std::uint64_t read_ns = 0;  // of the duration: reading rows; 0: unknown
  std::string caller;         // "load_orders (orders.cpp:88)", or "shop+0x1a2b"; "": not captured
  UsualTime usual;            // of a run that was far beyond it
};

struct CallDetail {
  std::string method;
  std::string url;
  std::uint32_t status = 0;
  std::uint64_t bytes_out = 0;
  std::uint64_t bytes_in = 0;
  bool failed = false;
  std::string error_code;
  std::string error_message;
  // Parts of the duration, 0 for what was not done or is unknown.
  std::uint64_t dns_ns = 0;
  std::uint64_t connect_ns = 0;
  std::uint64_t tls_ns = 0;
  std::uint64_t first_byte_ns = 0;
  std::string caller;
  UsualTime usual;  // of its server, for a call that was far beyond it
};

struct Span {
  SpanKind kind = SpanKind::kScope;
  std::string name;           // for statements and calls empty
  std::int64_t start_ns = 0;  // since the request's begin
  std::int64_t duration_ns = 0;
  bool unfinished = false;   // still open when its request ended
  std::int32_t parent = -1;  // index into spans; -1: top level
  std::int32_t task = -1;    // index into tasks; -1: the request's own thread of work
  std::optional<StatementDetail> statement;
  std::optional<CallDetail> call;
};

struct ErrorDetail {
  std::string type;
  std::string message;
  std::string code;
  bool handled = false;
  std::int64_t at_ns = 0;
  std::optional<std::uint32_t> issue;  // Issue::id; empty when the guard dropped it
  std::vector<std::string> frames;
};

struct MessageDetail {
  Severity severity = Severity::kInfo;
  std::string text;
  std::int64_t at_ns = 0;
};

struct PanelDetail {
  PanelKind kind = PanelKind::kText;
  std::string title;
  std::uint32_t columns = 0;
  std::vector<std::string> cells;  // row by row
  std::vector<std::uint8_t> depths;
};

struct TaskDetail {
  std::string name;
  std::string thread;
  std::int64_t start_ns = 0;
  std::int64_t duration_ns = 0;
  bool unfinished = false;
};

using Header = std::pair<std::string, std::string>;

// Exact whatever was cut; `…_cut` is how many of them have no detail.
struct RequestCounts {
  std::uint32_t statements = 0;
  std::uint32_t statements_failed = 0;
  std::uint64_t statement_ns = 0;
  std::uint64_t rows = 0;
  std::uint32_t spans = 0;
  std::uint32_t calls = 0;
  std::uint64_t call_ns = 0;
  std::uint32_t errors = 0;
  std::uint32_t messages = 0;
  std::uint32_t statements_cut = 0;
  std::uint32_t spans_cut = 0;
  std::uint32_t errors_cut = 0;
  std::uint32_t messages_cut = 0;
  std::uint32_t strings_cut = 0;
};

// Something suspicious, as a sentence with numbers.
struct Finding {
  std::string kind;  // "repeatedStatement", "slowStatement", "slowRequest", …
  std::string sentence;
  std::string link;  // path inside the console, "" if none
};

struct RequestDetail {
  RequestId id;
  std::string method;
  std::string target;  // secrets masked
  std::string route;
  bool routed = false;  // false: `route` is the path with its variable parts masked
  std::uint32_t status = 0;
  bool aborted = false;
  bool tls = false;
  bool subrequest = false;
  bool background = false;
  std::optional<RequestId> parent;
  std::int64_t started_unix_ms = 0;
  std::uint64_t duration_ns = 0;
  std::optional<std::uint64_t> cpu_ns;
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  std::string content_type;
  std::string host;
  std::string peer;
  std::string protocol;
  std::string traceparent;
  std::string thread;
  Level level = Level::kLight;
  bool notable = false;  // error, slow or with findings
  RequestCounts counts;
  std::vector<Span> spans;  // in order of begin
  std::vector<ErrorDetail> errors;
  std::vector<MessageDetail> messages;
  std::vector<PanelDetail> panels;
  std::vector<TaskDetail> tasks;
  std::vector<Header> request_headers;  // masked; levels standard and full
  std::vector<Header> response_headers;
  bool decorated = false;
  std::string skip_reason;  // why the bar is not in the page; "" when not asked
  std::vector<Finding> findings;
};

struct Totals {
  std::uint64_t requests = 0;  // ended
  std::uint64_t begun = 0;
  std::array<std::uint64_t, 6> status_classes{};  // [1]…[5]; [0]: none or outside 100…599
  std::uint64_t errors = 0;
  std::uint64_t statements = 0;
  std::uint64_t statements_failed = 0;
  std::uint64_t statement_ns = 0;
  std::uint64_t calls = 0;
  std::uint64_t messages = 0;
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  Histogram latency;
};

struct Minute {
  std::int64_t start_unix_ms = 0;
  std::uint64_t requests = 0;
  std::uint64_t errors = 0;
  std::uint64_t server_errors = 0;  // status 5xx
  std::uint64_t statements = 0;
  std::uint64_t p50_ns = 0;
  std::uint64_t p95_ns = 0;
  std::uint64_t p99_ns = 0;
  std::uint64_t max_ns = 0;
};

struct RouteStats {
  std::string method;
  std::string route;
  bool other = false;  // the row that holds what fell off the table
  Histogram latency;
  std::array<std::uint64_t, 6> status_classes{};
  std::uint64_t errors = 0;
  std::uint64_t statements = 0;
  std::uint64_t statement_ns = 0;
  std::uint64_t bytes_out = 0;
  std::int64_t last_unix_ms = 0;
};

struct StatementStats {
  std::uint64_t fingerprint = 0;
  std::shared_ptr<const std::string> text;
  std::string dialect;
  std::uint32_t statements_in_text = 1;
  bool other = false;
  Histogram latency;  // count = runs
  std::uint64_t failures = 0;
  std::uint64_t rows = 0;
  std::string last_error;
  std::string last_route;
  std::int64_t first_unix_ms = 0;
  std::int64_t last_unix_ms = 0;
};

// Outgoing calls to one server.
struct CallStats {
  std::string server;  // "http://stock.example:8080"
  bool other = false;
  Histogram latency;
  std::array<std::uint64_t, 6> status_classes{};
  std::uint64_t failures = 0;  // no answer at all
  std::uint64_t bytes_out = 0;
  std::uint64_t bytes_in = 0;
  // Sums, of the calls whose collector can tell.
  std::uint64_t dns_ns = 0;
  std::uint64_t connect_ns = 0;
  std::uint64_t tls_ns = 0;
  std::uint64_t first_byte_ns = 0;
  std::uint64_t connected = 0;  // calls that opened a connection
  std::string last_error;
  std::string last_route;
  std::int64_t last_unix_ms = 0;
};

struct IssueSample {
  std::int64_t at_unix_ms = 0;
  std::string message;
  std::string code;
  std::string route;
  std::string target;
  std::optional<RequestId> request;
  std::vector<std::string> frames;
  bool handled = false;
};

struct Issue {
  std::uint32_t id = 0;  // never used twice
  std::string type;
  std::string title;  // the message template
  std::string why_grouped;
  std::uint64_t fingerprint = 0;
  std::uint64_t count = 0;
  std::int64_t first_unix_ms = 0;
  std::int64_t last_unix_ms = 0;
  bool overflow = false;                                      // the issue that counts what found no place
  std::vector<std::pair<std::string, std::uint64_t>> routes;  // commonest first
  std::vector<std::pair<std::string, std::uint64_t>> swallowed_types;  // overflow only
  IssueSample first;
  IssueSample newest;
  std::vector<IssueSample> distinct;  // up to three with another route or message
};

struct GuardFigures {
  std::uint64_t seen = 0;
  std::uint64_t counted = 0;
  std::uint64_t dropped = 0;
  std::uint64_t opened = 0;
  std::uint64_t overflowed = 0;
  std::uint64_t retired = 0;  // counted into issues that are no longer listed
  std::uint64_t listed = 0;
  std::uint64_t max_in_one_second = 0;  // the most ever counted within one second
};

struct Snapshot {
  std::uint64_t sequence = 0;
  std::int64_t taken_unix_ms = 0;
  std::vector<Minute> minutes;     // oldest first, the last one still running
  std::vector<RouteStats> routes;  // by total time, most first
  std::vector<StatementStats> statements;
  std::vector<Issue> issues;  // newest activity first
  GuardFigures guard;
  std::vector<CallStats> calls;  // by total time
  std::uint64_t calls_distinct = 0;
  std::vector<std::shared_ptr<const RequestDetail>> requests;  // newest first, without duplicates
  std::uint64_t requests_seen = 0;                             // records that reached the worker
  std::uint64_t statements_distinct = 0;
  std::uint64_t routes_distinct = 0;
  std::vector<Finding> findings;  // of the whole server
};

}  // namespace inlens::store
