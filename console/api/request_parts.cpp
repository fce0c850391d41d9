#include "console/api/request_parts.hpp"

#include <algorithm>
#include <map>

#include "agent/platform/mask.hpp"
#include "console/api/names.hpp"
#include "console/api/rows.hpp"

namespace inlens::console::api {
namespace {

Json time_or_null(std::uint64_t ns) {
  return ns == 0 ? Json(nullptr) : Json(ns);
}

Json statement_of(const store::Span& span) {
  if (!span.statement) return nullptr;
  const store::StatementDetail& statement = *span.statement;
  return Json::object({{"fingerprint", fingerprint_hex(statement.fingerprint)},
                       {"text", statement.text ? *statement.text : std::string()},
                       {"dialect", dialect_or_generic(statement.dialect)},
                       {"database", text_or_null(statement.database)},
                       {"rows", statement.rows < 0 ? Json(nullptr) : Json(statement.rows)},
                       {"failed", statement.failed},
                       {"errorCode", text_or_null(statement.error_code)},
                       {"errorMessage", text_or_null(statement.error_message)},
                       {"readNs", time_or_null(statement.read_ns)},
                       {"caller", text_or_null(statement.caller)}});
}

Json call_of(const store::Span& span) {
  if (!span.call) return nullptr;
  const store::CallDetail& call = *span.call;
  return Json::object({{"method", call.method},
                       {"url", call.url},
                       {"status", call.status == 0 ? Json(nullptr) : Json(call.status)},
                       {"bytesOut", call.bytes_out},
                       {"bytesIn", call.bytes_in},
                       {"failed", call.failed},
                       {"errorCode", text_or_null(call.error_code)},
                       {"errorMessage", text_or_null(call.error_message)},
                       {"dnsNs", time_or_null(call.dns_ns)},
                       {"connectNs", time_or_null(call.connect_ns)},
                       {"tlsNs", time_or_null(call.tls_ns)},
                       {"firstByteNs", time_or_null(call.first_byte_ns)},
                       {"caller", text_or_null(call.caller)}});
}

Json duration_or_null(std::int64_t duration_ns, bool unfinished) {
  return unfinished ? Json(nullptr) : Json(whole(duration_ns));
}

Json index_or_null(std::int32_t index, std::size_t size) {
  return index >= 0 && static_cast<std::size_t>(index) < size ? Json(index) : Json(nullptr);
}

Json panel_columns(const store::PanelDetail& panel) {
  if (panel.kind != store::PanelKind::kTable) return nullptr;
  const auto end = std::min<std::size_t>(panel.columns, panel.cells.size());
  return std::vector<std::string>(panel.cells.begin(),
                                  panel.cells.begin() + static_cast<std::ptrdiff_t>(end));
}

// The first row of a table is its head; a last row may be short when the record was full.
Json panel_rows(const store::PanelDetail& panel) {
  const std::size_t columns = std::max<std::size_t>(panel.columns, 1);
  Json rows = Json::array();
  for (std::size_t i = panel.kind == store::PanelKind::kTable ? columns : 0; i < panel.cells.size();
       i += columns) {
    Json row = Json::array();
    for (std::size_t cell = i; cell < std::min(i + columns, panel.cells.size()); ++cell)
      row.push_back(panel.cells[cell]);
    rows.push_back(std::move(row));
  }
  return rows;
}

Json panel_depths(const store::PanelDetail& panel, std::size_t rows) {
  if (panel.kind != store::PanelKind::kTree) return nullptr;
  std::vector<std::uint8_t> depths = panel.depths;
  depths.resize(rows);
  return depths;
}

Json header_list(const std::vector<store::Header>& headers) {
  Json list = Json::array();
  for (const auto& [name, value] : headers)
    list.push_back(Json::object(
        {{"name", name}, {"value", value}, {"masked", value.find(mask::kMasked) != std::string::npos}}));
  return list;
}

Json issue_of(const store::ErrorDetail& error, const store::Snapshot& snapshot) {
  const auto issue = std::find_if(snapshot.issues.begin(), snapshot.issues.end(),
                                  [&](const store::Issue& i) { return error.issue && i.id == *error.issue; });
  return issue == snapshot.issues.end() ? Json(nullptr) : Json(issue_id(*issue));
}

}  // namespace

Json spans_list(const store::RequestDetail& request) {
  Json list = Json::array();
  std::vector<std::uint32_t> depths;
  for (std::size_t i = 0; i < request.spans.size(); ++i) {
    const store::Span& span = request.spans[i];
    const Json parent = index_or_null(span.parent, i);
    depths.push_back(parent.is_null() ? 0 : depths[static_cast<std::size_t>(span.parent)] + 1);
    list.push_back(Json::object({{"kind", name_of(span.kind)},
                                 {"name", span.name},
                                 {"startNs", whole(span.start_ns)},
                                 {"durationNs", duration_or_null(span.duration_ns, span.unfinished)},
                                 {"depth", depths.back()},
                                 {"parent", parent},
                                 {"task", index_or_null(span.task, request.tasks.size())},
                                 {"statement", statement_of(span)},
                                 {"call", call_of(span)}}));
  }
  return list;
}

Json errors_list(const store::RequestDetail& request, const store::Snapshot& snapshot) {
  Json list = Json::array();
  for (const store::ErrorDetail& error : request.errors)
    list.push_back(Json::object({{"type", error.type},
                                 {"message", error.message},
                                 {"code", text_or_null(error.code)},
                                 {"handled", error.handled},
                                 {"atNs", whole(error.at_ns)},
                                 {"issueId", issue_of(error, snapshot)},
                                 {"frames", frames_list(error.frames)}}));
  return list;
}

Json messages_list(const store::RequestDetail& request) {
  Json list = Json::array();
  for (const store::MessageDetail& message : request.messages)
    list.push_back(Json::object(
        {{"severity", name_of(message.severity)}, {"text", message.text}, {"atNs", whole(message.at_ns)}}));
  return list;
}

Json timers_list(const store::RequestDetail& request) {
  struct Timer {
    std::uint64_t count = 0;
    std::uint64_t total_ns = 0;
    std::uint64_t max_ns = 0;
  };
  std::map<std::string_view, Timer> timers;
  for (const store::Span& span : request.spans) {
    if (span.kind != store::SpanKind::kTimer) continue;
    Timer& timer = timers[span.name];
    ++timer.count;
    timer.total_ns += whole(span.duration_ns);
    timer.max_ns = std::max(timer.max_ns, whole(span.duration_ns));
  }
  Json list = Json::array();
  for (const auto& [name, timer] : timers)
    list.push_back(Json::object(
        {{"name", name}, {"count", timer.count}, {"totalNs", timer.total_ns}, {"maxNs", timer.max_ns}}));
  return list;
}

Json panels_list(const store::RequestDetail& request) {
  Json list = Json::array();
  for (const store::PanelDetail& panel : request.panels) {
    Json rows = panel_rows(panel);
    const std::size_t count = rows.size();
    list.push_back(Json::object({{"kind", name_of(panel.kind)},
                                 {"title", panel.title},
                                 {"columns", panel_columns(panel)},
                                 {"depths", panel_depths(panel, count)},
                                 {"rows", std::move(rows)}}));
  }
  return list;
}

Json headers_of(const store::RequestDetail& request) {
  if (request.request_headers.empty() && request.response_headers.empty()) return nullptr;
  return Json::object({{"request", header_list(request.request_headers)},
                       {"response", header_list(request.response_headers)}});
}

Json tasks_list(const store::RequestDetail& request) {
  Json list = Json::array();
  for (const store::TaskDetail& task : request.tasks)
    list.push_back(Json::object({{"name", task.name},
                                 {"thread", task.thread},
                                 {"startNs", whole(task.start_ns)},
                                 {"durationNs", duration_or_null(task.duration_ns, task.unfinished)},
                                 {"cpuNs", nullptr}}));  // not measured yet
  return list;
}

Json counts_of(const store::RequestCounts& counts) {
  return Json::object({{"spans", counts.spans},
                       {"statements", counts.statements},
                       {"statementNs", counts.statement_ns},
                       {"failedStatements", counts.statements_failed},
                       {"calls", counts.calls},
                       {"callNs", counts.call_ns},
                       {"errors", counts.errors},
                       {"messages", counts.messages},
                       {"cut", Json::object({{"spans", counts.spans_cut},
                                             {"statements", counts.statements_cut},
                                             {"errors", counts.errors_cut},
                                             {"messages", counts.messages_cut},
                                             {"strings", counts.strings_cut}})}});
}

}  // namespace inlens::console::api
