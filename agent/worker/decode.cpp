#include "agent/worker/decode.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "agent/platform/clock.hpp"
#include "agent/worker/findings.hpp"
#include "agent/worker/message_template.hpp"
#include "agent/worker/route_template.hpp"

namespace inlens::worker {

using namespace hooks;  // the record's layout

namespace {

std::int64_t offset_ns(std::uint64_t base_ticks, std::uint64_t at_ticks) {
  return static_cast<std::int64_t>(ticks_to_ns(ticks_between(base_ticks, at_ticks)));
}

template <class E>
E bounded(std::uint8_t value, E last) {
  return value <= static_cast<std::uint8_t>(last) ? static_cast<E>(value) : E{};
}

void add_counts(store::RequestCounts& counts, const RecordFacts& facts) {
  counts.statements += facts.statements;
  counts.statements_failed += facts.statements_failed;
  counts.statement_ns += ticks_to_ns(facts.statement_ticks);
  counts.rows += facts.rows;
  counts.spans += facts.spans + facts.statements;  // the hooks count statements apart
  counts.calls += facts.calls;
  counts.call_ns += ticks_to_ns(facts.call_ticks);
  counts.errors += facts.errors;
  counts.messages += facts.messages;
  counts.statements_cut += facts.statements_cut;
  counts.spans_cut += facts.spans_cut + facts.statements_cut;
  counts.errors_cut += facts.errors_cut;
  counts.messages_cut += facts.messages_cut;
  counts.strings_cut += facts.strings_cut;
}

void describe_head(const StoredLog& own, store::RequestDetail& detail) {
  const RecordFacts& facts = own.facts;
  detail.id = facts.id;
  detail.routed = facts.has(kFlagRouted);
  detail.status = facts.status;
  detail.aborted = facts.has(kFlagAborted);
  detail.tls = facts.has(kFlagTls);
  detail.subrequest = facts.has(kFlagSubrequest);
  detail.background = facts.has(kFlagBackground);
  if (facts.parent != store::RequestId{}) detail.parent = facts.parent;
  detail.started_unix_ms = own.started_unix_ms;
  detail.duration_ns = ticks_to_ns(ticks_between(facts.start_ticks, facts.end_ticks));
  if (facts.has(kFlagCpuTimed)) detail.cpu_ns = facts.cpu_ns;
  detail.bytes_in = facts.bytes_in;
  detail.bytes_out = facts.bytes_out;
  detail.level = bounded(facts.level, Level::kFull);
  detail.notable = own.notable;
  detail.decorated = facts.has(kFlagDecorated);
}

void take_begin(const BeginEntry& entry, store::RequestDetail& detail) {
  const BeginView begin = view(entry);
  detail.method = begin.method;
  detail.target = begin.target;
  detail.host = begin.host;
  detail.peer = begin.peer;
  detail.protocol = begin.protocol;
  detail.traceparent = begin.traceparent;
}

void take_panel(const PanelEntry& entry, store::RequestDetail& detail) {
  store::PanelDetail& panel = detail.panels.emplace_back();
  panel.kind = bounded(entry.panel_kind, store::PanelKind::kTree);
  panel.title = Strings(entry).next(entry.title_size);
  panel.columns = std::max<std::uint32_t>(entry.columns, 1);
}

void take_cell(const TextEntry& entry, store::RequestDetail& detail) {
  if (detail.panels.empty()) return;
  store::PanelDetail& panel = detail.panels.back();
  if (panel.kind == store::PanelKind::kTree && panel.cells.size() % panel.columns == 0) {
    panel.depths.push_back(entry.detail);
  }
  panel.cells.emplace_back(text_of(entry));
}

void take_header(const HeaderEntry& entry, store::RequestDetail& detail) {
  Strings strings(entry);
  const std::string_view name = strings.next(entry.name_size);
  const std::string_view value = strings.next(entry.value_size);
  auto& headers = entry.direction == 0 ? detail.request_headers : detail.response_headers;
  headers.emplace_back(name, value);
}

}  // namespace

std::string thread_name(const Core& core, std::uint32_t number) {
  const ThreadState* state = core.thread(number);
  if (state == nullptr) return {};
  const std::uint64_t words[2] = {state->name[0].load(std::memory_order_relaxed),
                                  state->name[1].load(std::memory_order_relaxed)};
  char name[sizeof(words) + 1] = {};
  std::memcpy(name, words, sizeof(words));
  return name[0] != '\0' ? std::string(name) : "thread " + std::to_string(number);
}

// One record on its way into the detail.
struct Decoder::Walk {
  const StoredLog& log;
  store::RequestDetail& detail;
  std::int32_t task;
  std::uint64_t base_ticks;
  std::vector<std::int32_t> by_ordinal;  // index of the span, -1 while there is none
  std::size_t statements = 0;
  std::size_t errors = 0;

  store::UsualTime usual_of(std::uint32_t ordinal) const {
    for (const UnusualRun& run : log.unusual)
      if (run.ordinal == ordinal) return run.usual;
    return {};
  }

  std::int32_t span_of(std::uint32_t ordinal) const {
    return ordinal < by_ordinal.size() ? by_ordinal[ordinal] : -1;
  }
};

std::shared_ptr<const store::RequestDetail> Decoder::decode(const StoredRequest& request) {
  auto detail = std::make_shared<store::RequestDetail>();
  spans_.clear();
  left_names_open_ = false;
  describe_head(request.own, *detail);
  detail->thread = thread_name(core_, request.own.facts.thread_number);
  if (skip_reason_ != nullptr) detail->skip_reason = skip_reason_(request.own.facts.skip_reason);
  add_counts(detail->counts, request.own.facts);
  const std::uint64_t start = request.own.facts.start_ticks;
  decode_log(request.own, -1, start, *detail);
  for (const auto& task : request.tasks) {
    const auto number = static_cast<std::int32_t>(detail->tasks.size());
    store::TaskDetail& about = detail->tasks.emplace_back();
    about.thread = thread_name(core_, task->facts.thread_number);
    about.start_ns = offset_ns(start, task->facts.start_ticks);
    about.duration_ns = offset_ns(task->facts.start_ticks, task->facts.end_ticks);
    add_counts(detail->counts, task->facts);
    decode_log(*task, number, start, *detail);
  }
  if (!detail->routed || detail->route.empty()) append_route_template(detail->target, detail->route);
  sort_spans(detail->spans);
  add_findings(request.thresholds, *detail);
  detail->notable = detail->notable || !detail->findings.empty();
  return detail;
}

void Decoder::decode_log(const StoredLog& log, std::int32_t task, std::uint64_t base_ticks,
                         store::RequestDetail& detail) {
  Walk walk{log, detail, task, base_ticks, std::vector<std::int32_t>(log.log.size() / sizeof(SpanEntry), -1)};
  for_each_entry(log.log, [&](const Entry& entry) { take(walk, entry); });
}

void Decoder::take(Walk& walk, const Entry& entry) {
  store::RequestDetail& detail = walk.detail;
  switch (entry.kind) {
    case EntryKind::kBegin:
      if (walk.task < 0) return take_begin(as<BeginEntry>(entry), detail);
      detail.tasks[static_cast<std::size_t>(walk.task)].name = view(as<BeginEntry>(entry)).target;
      return;
    case EntryKind::kRoute:
      detail.route = text_of(as<TextEntry>(entry));
      return;
    case EntryKind::kContentType:
      detail.content_type = text_of(as<TextEntry>(entry));
      return;
    case EntryKind::kSpan: {
      const auto& span = as<SpanEntry>(entry);
      OpenSpan& opened = open(walk, entry, span.ordinal, span.end_ticks);
      opened.span.kind = bounded(span.span_kind, store::SpanKind::kConnect);
      opened.span.name = Strings(span).next(span.name_size);
      return;
    }
    case EntryKind::kStatement:
      return take_statement(walk, as<StatementEntry>(entry));
    case EntryKind::kCall:
      return take_call(walk, as<CallEntry>(entry));
    case EntryKind::kStatementError:
    case EntryKind::kCallError:
      return take_failure(walk, as<FailureEntry>(entry));
    case EntryKind::kError:
      return take_error(walk, as<ErrorEntry>(entry));
    case EntryKind::kMessage: {
      const auto& message = as<TextEntry>(entry);
      detail.messages.push_back({bounded(message.detail, store::Severity::kError),
                                 std::string(text_of(message)), offset_ns(walk.base_ticks, entry.ticks)});
      return;
    }
    case EntryKind::kPanel:
      return take_panel(as<PanelEntry>(entry), detail);
    case EntryKind::kPanelCell:
      return take_cell(as<TextEntry>(entry), detail);
    case EntryKind::kHeader:
      return take_header(as<HeaderEntry>(entry), detail);
    case EntryKind::kNone:
      return;
  }
}

Decoder::OpenSpan& Decoder::open(Walk& walk, const Entry& entry, std::uint32_t ordinal,
                                 std::uint64_t end_ticks) {
  const auto index = static_cast<std::int32_t>(spans_.size());
  OpenSpan& opened = spans_.emplace_back();
  store::Span& span = opened.span;
  span.task = walk.task;
  span.start_ns = offset_ns(walk.base_ticks, entry.ticks);
  span.unfinished = (entry.flags & kEntryOpen) != 0;
  span.duration_ns = offset_ns(entry.ticks, span.unfinished ? walk.log.facts.end_ticks : end_ticks);
  opened.parent = entry.parent < ordinal ? walk.span_of(entry.parent) : -1;
  opened.order_ns = span.start_ns;
  if (opened.parent >= 0) {
    opened.order_ns = std::max(opened.order_ns, spans_[static_cast<std::size_t>(opened.parent)].order_ns);
  }
  if (ordinal < walk.by_ordinal.size()) walk.by_ordinal[ordinal] = index;
  return opened;
}

void Decoder::take_statement(Walk& walk, const StatementEntry& entry) {
  store::Span& span = open(walk, entry, entry.ordinal, entry.end_ticks).span;
  span.kind = store::SpanKind::kStatement;
  span.duration_ns = static_cast<std::int64_t>(duration_ns(entry, walk.log.facts.end_ticks));
  store::StatementDetail& statement = span.statement.emplace();
  Strings strings(entry);
  strings.next(entry.text_size);
  statement.database = strings.next(entry.database_size);
  statement.dialect = name_of(bounded(entry.dialect, sql::Dialect::kMysql));
  statement.rows = std::max<std::int64_t>(entry.rows, -1);
  statement.failed = (entry.flags & kEntryFailed) != 0;
  statement.read_ns = std::uint64_t{entry.read_us} * 1000;
  statement.caller = place_of(reinterpret_cast<std::uint64_t>(entry.caller));
  statement.usual = walk.usual_of(entry.ordinal);
  const std::size_t number = walk.statements++;
  const Text* text = number < walk.log.texts.size() ? walk.log.texts[number].get() : nullptr;
  if (text == nullptr) return;
  statement.fingerprint = text->fingerprint;
  statement.text = text->masked;
}

void Decoder::take_call(Walk& walk, const CallEntry& entry) {
  store::Span& span = open(walk, entry, entry.ordinal, entry.end_ticks).span;
  span.kind = store::SpanKind::kCall;
  if (entry.duration_ns != 0) span.duration_ns = static_cast<std::int64_t>(entry.duration_ns);
  store::CallDetail& call = span.call.emplace();
  Strings strings(entry);
  call.method = strings.next(entry.method_size);
  call.url = strings.next(entry.url_size);
  call.status = entry.status;
  call.bytes_out = entry.bytes_out;
  call.bytes_in = entry.bytes_in;
  call.failed = (entry.flags & kEntryFailed) != 0;
  call.dns_ns = entry.dns_ns;
  call.connect_ns = entry.connect_ns;
  call.tls_ns = entry.tls_ns;
  call.first_byte_ns = entry.first_byte_ns;
  call.caller = place_of(reinterpret_cast<std::uint64_t>(entry.caller));
  call.usual = walk.usual_of(entry.ordinal);
}

void Decoder::take_failure(Walk& walk, const FailureEntry& entry) {
  const std::int32_t index = walk.span_of(entry.parent);
  if (index < 0) return;
  store::Span& span = spans_[static_cast<std::size_t>(index)].span;
  Strings strings(entry);
  const std::string_view code = strings.next(entry.code_size);
  const std::string_view message = strings.next(entry.message_size);
  if (span.statement) {
    span.statement->error_code = code;
    span.statement->error_message.clear();
    append_statement_message(message, span.statement->error_message);
  } else if (span.call) {
    span.call->error_code = code;
    span.call->error_message = message;
  }
}

void Decoder::take_error(Walk& walk, const ErrorEntry& entry) {
  const ErrorView view_of_it = view(entry);
  store::ErrorDetail& error = walk.detail.errors.emplace_back();
  error.type = fingerprints_.type_of(view_of_it.type);
  error.message = view_of_it.message;
  error.code = view_of_it.code;
  error.handled = view_of_it.handled;
  error.at_ns = offset_ns(walk.base_ticks, entry.ticks);
  const std::size_t number = walk.errors++;
  if (number < walk.log.issues.size() && walk.log.issues[number] != 0) error.issue = walk.log.issues[number];
  for (std::uint32_t i = 0; i < view_of_it.frame_count; ++i) {
    error.frames.push_back(place_of(view_of_it.frame(i)));
  }
}

// "load_orders (orders.cpp:88)" once that is known, till then and without debug information "shop+0x1a2b".
std::string Decoder::place_of(std::uint64_t return_address) {
  if (return_address == 0) return {};
  const Symbol* symbol = symbols_.find(return_address);
  if (symbol == nullptr) left_names_open_ = true;
  if (symbol == nullptr || symbol->function.empty())
    return modules_.describe(return_address, ticks_to_ns(ticks()));
  if (!symbol->file.empty())
    return symbol->function + " (" + symbol->file + ':' + std::to_string(symbol->line) + ')';
  return symbol->function + " (" + modules_.describe(return_address, ticks_to_ns(ticks())) + ')';
}

void Decoder::sort_spans(std::vector<store::Span>& sorted) {
  std::vector<std::int32_t> order(spans_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [this](std::int32_t a, std::int32_t b) {
    return spans_[static_cast<std::size_t>(a)].order_ns < spans_[static_cast<std::size_t>(b)].order_ns;
  });
  std::vector<std::int32_t> place(spans_.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    place[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
  sorted.reserve(spans_.size());
  for (const std::int32_t index : order) {
    OpenSpan& opened = spans_[static_cast<std::size_t>(index)];
    if (opened.parent >= 0) opened.span.parent = place[static_cast<std::size_t>(opened.parent)];
    sorted.push_back(std::move(opened.span));
  }
  spans_.clear();
}

}  // namespace inlens::worker
