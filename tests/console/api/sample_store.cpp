#include "tests/console/api/sample_store.hpp"

namespace inlens::console::api::test {
namespace {

constexpr std::int64_t kMs = 1'000'000;

class Writer {
 public:
  explicit Writer(Texts texts) : hostile_(texts == Texts::kHostile) {}

  std::string operator()(const char* plain) const {
    static constexpr char kBytes[] =
        "\xFF\xC3\"</script><b>\\\x01\n\x7F\xE2\x80\xAE\xE2\x80\xA8\xED\xA0\x80\xF4\x90\x80\x80\0\xC3";
    static const std::string kHostile(kBytes, sizeof kBytes - 1);
    return hostile_ ? plain + kHostile : plain;
  }

  std::shared_ptr<const std::string> shared(const char* plain) const {
    return std::make_shared<const std::string>((*this)(plain));
  }

 private:
  bool hostile_;
};

store::Histogram histogram(std::initializer_list<std::int64_t> ms) {
  store::Histogram histogram;
  for (const std::int64_t value : ms) histogram.add(static_cast<std::uint64_t>(value * kMs));
  return histogram;
}

store::Span span(store::SpanKind kind, std::string name, std::int64_t start_ms, std::int64_t ms,
                 std::int32_t parent) {
  store::Span span;
  span.kind = kind;
  span.name = std::move(name);
  span.start_ns = start_ms * kMs;
  span.duration_ns = ms * kMs;
  span.parent = parent;
  return span;
}

std::vector<store::Span> spans(const Writer& text) {
  using Kind = store::SpanKind;
  std::vector<store::Span> all{
      span(Kind::kStage, text("handler"), 0, 40, -1), span(Kind::kScope, text("load"), 1, 20, 0),
      span(Kind::kStatement, "", 2, 10, 1),           span(Kind::kCall, "", 21, 8, 0),
      span(Kind::kCache, text("prices"), 30, 1, 0),   span(Kind::kWait, text("catalog"), 31, 2, 0),
      span(Kind::kTimer, text("render"), 33, 3, 0),   span(Kind::kStatement, "", 5, 4, -1)};
  store::StatementDetail statement;
  statement.fingerprint = 0xABC;
  statement.text = text.shared("SELECT name FROM products WHERE id = ?");
  statement.dialect = "sqlite";
  statement.database = text("shop.db");
  statement.rows = 3;
  statement.failed = true;
  statement.error_code = text("SQLITE_BUSY");
  statement.error_message = text("database is locked");
  all[2].statement = statement;
  all[7].statement = store::StatementDetail{};  // nothing known but that it ran
  all[7].task = 0;
  all[7].unfinished = true;
  store::CallDetail& call = all[3].call.emplace();
  call.method = text("GET");
  call.url = text("http://stock.example/items");
  call.status = 503;
  call.bytes_out = 10;
  call.bytes_in = 20;
  call.failed = true;
  call.error_code = text("7");
  call.error_message = text("refused");
  call.dns_ns = 1 * kMs;
  return all;
}

std::vector<store::ErrorDetail> errors(const Writer& text) {
  store::ErrorDetail error;
  error.type = text("std::runtime_error");
  error.message = text("cannot load 7");
  error.code = text("E7");
  error.at_ns = 12 * kMs;
  error.issue = 1;
  error.frames = {text("shop::load()"), text("libshop.so+0x10")};
  store::ErrorDetail dropped;
  dropped.type = text("Timeout");
  dropped.handled = true;
  return {error, dropped};
}

std::vector<store::PanelDetail> panels(const Writer& text) {
  using Kind = store::PanelKind;
  return {{Kind::kText, text("Note"), 1, {text("one")}, {}},
          {Kind::kKeyValue, text("Basket"), 2, {text("items"), text("3")}, {}},
          {Kind::kTable,
           text("Prices"),
           2,
           {text("name"), text("price"), text("tea"), text("4"), text("cut")},
           {}},
          {Kind::kTree, text("Plan"), 2, {text("scan"), text("10"), text("index"), text("1")}, {0, 1}}};
}

store::RequestCounts counts() {
  store::RequestCounts counts;
  counts.statements = 2;
  counts.statements_failed = 1;
  counts.statement_ns = 14 * kMs;
  counts.rows = 3;
  counts.spans = 8;
  counts.calls = 1;
  counts.call_ns = 8 * kMs;
  counts.errors = 2;
  counts.messages = 4;
  counts.spans_cut = 1;
  counts.strings_cut = 2;
  return counts;
}

store::CallStats call(std::string server, const Writer& text) {
  store::CallStats call;
  call.server = std::move(server);
  call.latency.add(8 * kMs);
  call.status_classes[5] = 1;
  call.failures = 1;
  call.bytes_out = 10;
  call.bytes_in = 20;
  call.dns_ns = call.connect_ns = call.tls_ns = call.first_byte_ns = kMs;
  call.connected = 1;
  call.last_error = text("refused");
  call.last_route = text("/orders");
  call.last_unix_ms = kNowMs - 9;
  return call;
}

store::Issue issue(std::uint32_t id, const Writer& text) {
  store::Issue issue;
  issue.id = id;
  issue.type = text("std::runtime_error");
  issue.title = text("cannot load <n>");
  issue.why_grouped = text("type std::runtime_error\nframe shop::load()");
  issue.fingerprint = 0x1000 + id;
  issue.count = 7;
  issue.first_unix_ms = kStartMs + 1;
  issue.last_unix_ms = kNowMs - 5;
  for (int i = 0; i < 10; ++i) issue.routes.emplace_back(text(("/r" + std::to_string(i)).c_str()), 10 - i);
  issue.first = {kStartMs + 1, text("cannot load 1"),  text("E1"), text("/orders"), text("/orders?id=1"),
                 std::nullopt, {text("shop::load()")}, true};
  issue.newest = issue.first;
  issue.newest.message = text("cannot load 7");
  issue.newest.request = store::RequestId{1, 2};
  issue.newest.handled = false;
  issue.distinct.assign(4, issue.first);
  return issue;
}

store::Issue overflow(const Writer& text) {
  store::Issue issue;
  issue.id = 2;
  issue.type = text("other errors");
  issue.title = text("errors that found no place");
  issue.overflow = true;
  issue.count = 5;
  issue.swallowed_types = {{text("A"), 3}, {text("B"), 2}};
  return issue;
}

store::RouteStats route(const char* method, std::string pattern, std::initializer_list<std::int64_t> ms) {
  store::RouteStats row;
  row.method = method;
  row.route = std::move(pattern);
  row.latency = histogram(ms);
  row.status_classes = {0, 0, ms.size() - 1, 0, 0, 1};
  row.errors = 2;
  row.statements = 4;
  row.statement_ns = 9 * kMs;
  row.bytes_out = 1234;
  row.last_unix_ms = kNowMs - 10;
  return row;
}

store::StatementStats statement(std::uint64_t fingerprint, const Writer& text,
                                std::initializer_list<std::int64_t> ms) {
  store::StatementStats row;
  row.fingerprint = fingerprint;
  row.text = text.shared("SELECT name FROM products WHERE id = ?");
  row.dialect = "sqlite";
  row.latency = histogram(ms);
  row.failures = 1;
  row.rows = 12;
  row.last_error = text("database is locked");
  row.last_route = text("/products");
  row.first_unix_ms = kStartMs;
  row.last_unix_ms = kNowMs;
  return row;
}

std::vector<store::Minute> minutes() {
  const std::int64_t running = kNowMs - 30'000;
  std::vector<store::Minute> series(2);
  series[0] = {running - 60'000, 120, 3, 2, 60, 1, 2, 3, 4};
  series[1] = {running, 30, 1, 0, 10, 5, 6, 7, 8};
  return series;
}

std::vector<store::Finding> findings(const Writer& text) {
  std::vector<store::Finding> all;
  for (const char* kind : {"slowRequest", "repeatedStatement"})
    all.push_back({kind, text("48 × the same"), "queries/0"});
  all.push_back({"slowStatement", text("1,240 ms in one statement"), ""});
  return all;
}

}  // namespace

store::RequestDetail sample_request(Texts texts) {
  const Writer text(texts);
  store::RequestDetail request;
  request.id = {1, 2};
  request.method = text("GET");
  request.target = text("/orders?id=7");
  request.route = text("/orders");
  request.routed = true;
  request.status = 500;
  request.aborted = request.tls = request.subrequest = request.background = true;
  request.parent = store::RequestId{3, 4};
  request.started_unix_ms = kNowMs - 100;
  request.duration_ns = 44 * kMs;
  request.cpu_ns = 20 * kMs;
  request.bytes_in = 5;
  request.bytes_out = 6;
  request.content_type = text("text/html");
  request.host = text("shop.example");
  request.peer = text("127.0.0.1");
  request.protocol = text("HTTP/1.1");
  request.traceparent = text("00-1-2-01");
  request.thread = text("worker-1");
  request.level = Level::kFull;
  request.notable = true;
  request.counts = counts();
  request.spans = spans(text);
  request.errors = errors(text);
  using store::Severity;
  for (const auto severity : {Severity::kDebug, Severity::kInfo, Severity::kWarning, Severity::kError})
    request.messages.push_back({severity, text("hello"), 3 * kMs});
  request.panels = panels(text);
  request.tasks = {{text("thumbnail"), text("pool-2"), 4 * kMs, 6 * kMs, true}};
  request.request_headers = {{text("Cookie"), "***"}, {text("Accept"), text("*/*")}};
  request.response_headers = {{text("Content-Type"), text("text/html")}};
  request.skip_reason = text("not HTML");
  request.findings = findings(text);
  return request;
}

store::Snapshot sample_snapshot(Texts texts) {
  const Writer text(texts);
  store::Snapshot snapshot;
  snapshot.sequence = 9;
  snapshot.taken_unix_ms = kNowMs;
  snapshot.minutes = minutes();
  snapshot.routes = {route("GET", text("/orders"), {10, 20, 44}), route("POST", text("/checkout"), {5}),
                     route("", "", {1, 1})};
  snapshot.routes.back().other = true;
  snapshot.routes.back().last_unix_ms = 0;
  for (auto& row : snapshot.routes) row.method = row.method.empty() ? "" : text(row.method.c_str());
  snapshot.statements = {statement(0xABC, text, {10, 4}), statement(0xDEF, text, {1}),
                         statement(0, text, {2})};
  snapshot.statements[1].text = nullptr;
  snapshot.statements[1].dialect = "";
  snapshot.statements.back().other = true;
  snapshot.issues = {issue(1, text), overflow(text)};
  snapshot.calls = {call(text("http://stock.example"), text), call("", text)};
  snapshot.calls.back().other = true;
  snapshot.calls_distinct = 2;
  snapshot.guard = {20, 15, 5, 1, 5, 3, 2, 15};
  snapshot.requests.push_back(std::make_shared<const store::RequestDetail>(sample_request(texts)));
  store::RequestDetail plain;
  plain.id = {0, 1};
  plain.method = "POST";
  plain.target = plain.route = "/checkout";
  plain.status = 201;
  plain.duration_ns = 5 * kMs;
  snapshot.requests.push_back(std::make_shared<const store::RequestDetail>(plain));
  snapshot.requests_seen = 6;
  snapshot.statements_distinct = 5;
  snapshot.routes_distinct = 4;
  snapshot.findings = findings(text);
  return snapshot;
}

store::Totals sample_totals() {
  store::Totals totals;
  totals.requests = 6;
  totals.begun = 8;
  totals.status_classes = {1, 0, 3, 1, 0, 1};
  totals.errors = 4;
  totals.statements = 30;
  totals.statements_failed = 2;
  totals.statement_ns = 90 * kMs;
  totals.bytes_in = 10;
  totals.bytes_out = 20;
  totals.latency = histogram({1, 2, 3, 4, 5, 44});
  return totals;
}

std::vector<store::InFlight> sample_in_flight(Texts texts) {
  const Writer text(texts);
  store::InFlight request;
  request.id = {7, 8};
  request.method = text("GET");
  request.target = text("/stall?s=30");
  request.route = text("/orders");
  request.peer = text("127.0.0.1");
  request.started_unix_ms = kNowMs - 3'000;
  request.elapsed_ns = 3'000 * kMs;
  request.thread = text("worker-2");
  request.activity = "statement";
  request.statements = 4;
  store::InFlight task = request;
  task.task = true;
  task.elapsed_ns = 4'000 * kMs;
  task.activity = "";
  return {request, task};
}

store::AgentFigures sample_figures(Texts texts) {
  const Writer text(texts);
  store::AgentFigures figures;
  figures.level = Level::kStandard;
  figures.queue_capacity = 8192;
  figures.queue_depth = 0;
  figures.pool_blocks = 100;
  figures.pool_used = 3;
  figures.pool_bytes = 230'400;
  figures.lost = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  figures.lost_by_kind = {1, 2, 3, 4, 5, 6, 7};
  figures.hook_threads = 9;
  figures.worker_cpu_ns = 8 * kMs;
  figures.console_cpu_ns = 2 * kMs;
  figures.process_cpu_ns = 1'000 * kMs;
  figures.process_rss_bytes = 50'000'000;
  figures.agent_bytes = 12'000'000;
  figures.agent_threads = 2;
  figures.drains = 10;
  figures.records_drained = 4;
  figures.records_damaged = 12;
  figures.tasks_given_up = 13;
  figures.guarded_exceptions = 1;
  figures.clock = "tsc";
  figures.console_address = text("http://127.0.0.1:9790");
  figures.started_unix_ms = kStartMs;
  figures.bars_inserted = 11;
  figures.pages_skipped = {{text("not HTML"), 4}};
  return figures;
}

std::vector<store::ConnectionStats> sample_connections(Texts texts) {
  const Writer text(texts);
  store::ConnectionStats row{text("postgresql"), text("127.0.0.1:5432/shop"), false, 9, 7, 1, 1, 18 * kMs, 6};
  store::ConnectionStats other{"", "", true, 3, 4, 0, 0, 0, 0};
  return {row, other};
}

std::vector<store::CollectorStats> sample_collectors(Texts texts) {
  const Writer text(texts);
  return {{text("sqlite"), "on", text("SQLite 3.40.1")},
          {text("postgres"), "off", ""},
          {text("mysql"), "notFound", text("libmariadb is not loaded")},
          {text("curl"), "impossible", text("linked statically")}};
}

}  // namespace inlens::console::api::test
