#include "collectors/postgres/statement.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "collectors/postgres/libpq.hpp"
#include "collectors/preload/agent.hpp"

namespace inlens::postgres {

__thread Call::State t_call;

// Statements that this thread began and that have not ended.
static __thread unsigned t_open;

namespace {

constexpr std::int64_t kUnknownRows = -1;
constexpr std::string_view kKind = "postgresql";

inlens_str str(std::string_view text) noexcept {
  return {text.data(), text.size()};
}

std::string_view text_of(const char* text) noexcept {
  return text == nullptr ? std::string_view() : std::string_view(text);
}

bool is_statement(Pending::Kind kind) noexcept {
  return kind == Pending::Kind::kScript || kind == Pending::Kind::kStatement;
}

struct Outcome {
  bool is_failed = false;
  std::int64_t rows = kUnknownRows;
  std::string_view code;
  std::string_view message;
};

Outcome failed(std::string_view message, std::string_view code = {}) noexcept {
  while (!message.empty() && message.back() == '\n') message.remove_suffix(1);
  return {true, kUnknownRows, code, message};
}

constexpr std::string_view kLeft = "left by an exception, a jump or the end of its thread";
constexpr std::string_view kClosed = "the connection was closed before the answer was read";

std::int64_t rows_of(const PGresult* result, ExecStatusType status) noexcept {
  if (status != PGRES_COMMAND_OK) return libpq::ntuples.get()(result);
  // Older headers take a result that is not const, and do not write to it.
  const char* digits = libpq::cmd_tuples.get()(const_cast<PGresult*>(result));
  std::int64_t rows = 0;
  for (; *digits >= '0' && *digits <= '9'; ++digits) rows = rows * 10 + (*digits - '0');
  return rows;
}

// The server sends rows in pieces of 8 KB: what is shorter arrives at once, and its reading is not timed.
bool is_long(const PGresult* result) noexcept {
  constexpr std::size_t kPiece = 8192;
  return result != nullptr && libpq::is_larger(result, kPiece);
}

bool has_failed(ExecStatusType status) noexcept {
  return status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE || status == PGRES_PIPELINE_ABORTED;
}

bool is_copy(ExecStatusType status) noexcept {
  return status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH;
}

Outcome outcome_of(PGconn* connection, const PGresult* result, ExecStatusType status) noexcept {
  if (result == nullptr) return failed(text_of(libpq::error_message.get()(connection)));
  if (!has_failed(status)) return {false, rows_of(result, status), {}, {}};
  if (status == PGRES_PIPELINE_ABORTED) return failed("not done: an earlier command of the pipeline failed");
  const char* message = libpq::error_field.get()(result, PG_DIAG_MESSAGE_PRIMARY);
  if (message == nullptr) message = libpq::result_message.get()(result);
  return failed(text_of(message), text_of(libpq::error_field.get()(result, PG_DIAG_SQLSTATE)));
}

inlens_span begin_statement(inlens_request request, std::string_view text, const Connection* at,
                            const void* caller) noexcept {
  inlens_statement_info info{};
  info.struct_size = sizeof(info);
  info.text = str(text);
  info.dialect = INLENS_DIALECT_POSTGRES;
  // Inside a statement that the host marks itself there is nothing to add; inside one of ours there is.
  if (t_open == 0) info.flags = INLENS_STATEMENT_OBSERVED;
  if (at != nullptr) info.database = at->target.view();
  info.caller = caller;
  return inlens_statement_begin(request, &info);
}

void end_statement(inlens_span span, const Outcome& outcome, std::uint64_t duration_ns,
                   std::uint64_t read_ns) noexcept {
  inlens_statement_result result{};
  result.struct_size = sizeof(result);
  result.outcome = outcome.is_failed ? INLENS_OUTCOME_FAILED : INLENS_OUTCOME_OK;
  result.rows = outcome.rows;
  result.duration_ns = duration_ns;
  result.error_code = str(outcome.code);
  result.error_message = str(outcome.message);
  result.read_ns = read_ns;
  inlens_statement_end(span, &result);
}

// Ends what `pending` stands for; `text` is of a statement that could not be prepared or described. `end_ns`
// is 0 when the answer has come just now and nobody has looked at the clock.
void finish(Connection* at, Pending& pending, const Outcome& outcome, std::uint64_t end_ns,
            std::string_view text = {}) noexcept {
  if (pending.is_ended) return;
  pending.is_ended = true;
  if (is_statement(pending.kind) && pending.thread == &t_call && t_open > 0) --t_open;
  // What another thread does outside of requests goes on while we are here: its record is not ours to write.
  if (pending.thread != &t_call && pending.is_background) return count_unseen();
  if (end_ns == 0 && (pending.sent_ns != 0 || pending.first_ns != 0)) end_ns = preload::system_ns();
  std::uint64_t duration_ns = 0;
  if (pending.sent_ns != 0) {
    // A command of a pipeline waits for those before it.
    const std::uint64_t began_ns =
        at != nullptr ? std::max(pending.sent_ns, at->answered_ns) : pending.sent_ns;
    duration_ns = end_ns > began_ns ? end_ns - began_ns : 1;
    if (at != nullptr && at->in_pipeline) at->answered_ns = end_ns;
  }
  if (is_statement(pending.kind)) {
    const std::uint64_t first_ns = pending.first_ns;
    const bool has_read = !outcome.is_failed && first_ns != 0 && end_ns > first_ns;
    end_statement(pending.span, outcome, duration_ns, has_read ? end_ns - first_ns : 0);
  } else {
    inlens_span_end(pending.span);
    if (outcome.is_failed) {
      if (text.empty() && at != nullptr) text = at->prepared.find(pending.name);
      if (text.empty()) text = pending.kind == Pending::Kind::kPrepare ? "PREPARE" : "DESCRIBE";
      end_statement(begin_statement(pending.request, text, at, nullptr), outcome, duration_ns, 0);
    }
  }
  if (pending.thread == &t_call) inlens_background_leave(pending.request);
}

// Ends what libpq throws away unread, or what a closed connection leaves.
void finish_all(Connection& at, const Outcome& unanswered) noexcept {
  for (Pending* head = at.head(); head != nullptr; head = at.head()) {
    finish(&at, *head, head->is_answered ? Outcome{false, head->rows, {}, {}} : unanswered, head->last_ns);
    at.pop();
  }
  at.drop_all();
}

void set_used(Connection& at, bool is_used) noexcept {
  if (at.is_used == is_used) return;
  at.is_used = is_used;
  inlens_connection_use(at.handle, is_used);
}

void opened_or_failed(inlens_request request, PGconn* connection, bool is_open,
                      std::uint64_t began_ns) noexcept {
  Held at(connection, is_open ? Held::IfUnknown::kAdd : Held::IfUnknown::kLeave);
  Target target;
  target.learn(connection);
  inlens_connection_info info{};
  info.struct_size = sizeof(info);
  info.kind = str(kKind);
  info.target = target.view();
  info.connect_ns = preload::system_ns() - began_ns;
  if (!is_open) return inlens_connection_failed(request, &info);
  const inlens_connection handle = inlens_connection_opened(request, &info);
  if (!at) return;
  at->handle = handle;
  at->target = target;
  at->connect_began_ns = 0;
}

// A connection that was opened while nobody watched.
void adopt(Connection& at, PGconn* connection) noexcept {
  at.target.learn(connection);
  inlens_connection_info info{};
  info.struct_size = sizeof(info);
  info.kind = str(kKind);
  info.target = at.target.view();
  at.handle = inlens_connection_opened(INLENS_NONE, &info);
}

void close(Connection& at) noexcept {
  finish_all(at, failed(kClosed));
  set_used(at, false);
  inlens_connection_closed(at.handle);
  at.handle = INLENS_NONE;
  at.prepared.clear();
}

}  // namespace

const char Call::kNew[1] = {};

void Call::forget_jump() noexcept {
  if (before_.statement != INLENS_NONE) {
    end_statement(before_.statement, failed(kLeft), 0, 0);
    if (t_open > 0) --t_open;
  }
  if (before_.piece != INLENS_NONE) inlens_background_leave(before_.piece);
  before_ = {};
}

void Call::notice(const PGresult* result) noexcept {
  if (libpq::result_status.get()(result) != PGRES_NONFATAL_ERROR) return;
  const std::string_view severity = text_of(libpq::error_field.get()(result, PG_DIAG_SEVERITY_NONLOCALIZED));
  const std::string_view message = text_of(libpq::error_field.get()(result, PG_DIAG_MESSAGE_PRIMARY));
  char line[512];
  std::size_t size = severity.copy(line, 16);
  size += std::string_view(": ").copy(line + size, 2);
  size += message.copy(line + size, sizeof(line) - size);
  const inlens_severity level = severity == "WARNING" ? INLENS_SEVERITY_WARNING
                                : severity == "DEBUG" ? INLENS_SEVERITY_DEBUG
                                                      : INLENS_SEVERITY_INFO;
  inlens_message_add(t_call.request, level, {line, size});
}

bool is_watching(const void* caller) noexcept {
  return preload::agent_is_running() && inlens_level_get() != INLENS_LEVEL_OFF && libpq::is_known(caller);
}

Command::Command(PGconn* connection, const Asked& asked) noexcept
    : connection_(connection),
      asked_(asked),
      pending_(begin()),
      call_(connection, pending_.request, pending_.request,
            is_statement(pending_.kind) ? pending_.span : INLENS_NONE) {}

Pending Command::begin() noexcept {
  Pending pending;
  pending.kind = asked_.kind;
  pending.name = asked_.name == nullptr ? 0 : hash_of(asked_.name);
  pending.thread = &t_call;
  pending.request = inlens_background_enter();
  Held at(connection_, Held::IfUnknown::kAdd);
  if (at) {
    if (at->handle == INLENS_NONE) adopt(*at.get(), connection_);
    set_used(*at.get(), true);
    // When its answer is complete is only known once that is read; the clock tells how long ago it was.
    if (asked_.is_sent_only && (at->in_pipeline || asked_.kind == Pending::Kind::kScript))
      pending.sent_ns = preload::system_ns();
  }
  if (!is_statement(asked_.kind)) {
    pending.sent_ns = preload::system_ns();
    const std::string_view name =
        asked_.kind == Pending::Kind::kPrepare ? "postgresql prepare" : "postgresql describe";
    pending.span = inlens_span_begin(pending.request, INLENS_SPAN_WAIT, str(name));
    return pending;
  }
  // A statement without text is one all the same.
  std::string_view text = asked_.text == nullptr ? "/* no text */" : asked_.text;
  if (text.empty()) text = "/* empty */";
  char named[80];
  if (asked_.text == nullptr && asked_.name != nullptr) {
    text = at ? at->prepared.find(pending.name) : std::string_view();
    if (text.empty()) {
      // Prepared by SQL, before the agent came, or forgotten.
      std::size_t size = std::string_view("EXECUTE ").copy(named, sizeof(named));
      size += std::string_view(asked_.name).copy(named + size, sizeof(named) - size);
      text = {named, size};
    }
  }
  pending.span = begin_statement(pending.request, text, at.get(), asked_.caller);
  ++t_open;
  return pending;
}

Command::~Command() {
  if (pending_.is_ended) return;
  Held at(connection_);
  finish(at.get(), pending_, failed(kLeft), 0, text_of(asked_.text));
  if (at && at->count == 0) set_used(*at.get(), false);
}

void Command::ended(const PGresult* result) noexcept {
  const ExecStatusType status = result == nullptr ? PGRES_FATAL_ERROR : libpq::result_status.get()(result);
  if (is_long(result)) pending_.first_ns = call_.first_ns();
  Held at(connection_);
  // Before it sends a command that is waited for, libpq throws away what was left unread.
  if (at && !at->in_pipeline) finish_all(*at.get(), {});
  if (is_copy(status) && at) {
    pending_.is_answered = pending_.is_copying = true;
    if (Pending* place = at->push(); place != nullptr) {
      leave_to(*place);
      return;
    }
  }
  const Outcome outcome = outcome_of(connection_, result, status);
  if (at && asked_.kind == Pending::Kind::kPrepare && !outcome.is_failed)
    at->prepared.remember(pending_.name, asked_.text);
  finish(at.get(), pending_, outcome, 0, text_of(asked_.text));
  if (at && at->count == 0) set_used(*at.get(), false);
}

void Command::sent(bool has_been_sent) noexcept {
  Held at(connection_);
  if (!has_been_sent) {
    finish(at.get(), pending_, failed(text_of(libpq::error_message.get()(connection_))), 0,
           text_of(asked_.text));
    if (at && at->count == 0) set_used(*at.get(), false);
    return;
  }
  Pending* place = nullptr;
  if (at) {
    if (!at->in_pipeline) finish_all(*at.get(), {});
    place = at->push();
    if (asked_.kind == Pending::Kind::kPrepare) at->prepared.remember(pending_.name, asked_.text);
  }
  if (place == nullptr) return finish(at.get(), pending_, {}, 0);
  leave_to(*place);
}

void Command::leave_to(Pending& place) noexcept {
  pending_.is_background = inlens_request_current() != pending_.request;
  place = pending_;
  pending_.is_ended = true;
}

Answer::Answer(PGconn* connection) noexcept
    : Answer(connection, [connection]() noexcept {
        Held at(connection);
        const Pending* head = at ? at->head() : nullptr;
        return head != nullptr ? *head : Pending();
      }()) {}

Answer::Answer(PGconn* connection, const Pending& head) noexcept
    : connection_(connection), is_over_(head.span == INLENS_NONE), call_(connection, head.request) {}

Answer::~Answer() {
  if (is_over_) return;
  Held at(connection_);
  if (Pending* head = at ? at->head() : nullptr; head != nullptr) finish(at.get(), *head, failed(kLeft), 0);
}

void Answer::looked() noexcept {
  is_over_ = true;
  if (call_.first_ns() == 0) return;
  Held at(connection_);
  if (Pending* head = at ? at->head() : nullptr; head != nullptr && head->first_ns == 0)
    head->first_ns = call_.first_ns();
}

void Answer::came(const PGresult* result) noexcept {
  is_over_ = true;
  Held at(connection_);
  if (!at) return;
  Pending* head = at->head();
  if (result == nullptr) {
    if (!at->in_pipeline) {
      finish_all(*at.get(), {});
    } else if (head == nullptr || head->is_answered) {
      if (head != nullptr) finish(at.get(), *head, {false, head->rows, {}, {}}, head->last_ns);
      at->pop();
    }
    if (at->count == 0) set_used(*at.get(), false);
    return;
  }
  const ExecStatusType status = libpq::result_status.get()(result);
  if (head == nullptr || status == PGRES_PIPELINE_SYNC) return;
  head->is_answered = true;
  if (head->first_ns == 0) head->first_ns = call_.first_ns();
  if (is_copy(status)) {
    head->is_copying = true;
    return;
  }
  if (has_failed(status)) return finish(at.get(), *head, outcome_of(connection_, result, status), 0);
  head->rows += rows_of(result, status);
  if (status == PGRES_SINGLE_TUPLE) return;
  if (head->kind == Pending::Kind::kScript && !head->is_copying)
    head->last_ns = preload::system_ns();
  else
    finish(at.get(), *head, {false, head->rows, {}, {}}, 0);
}

void Answer::copy_ended(bool is_ok) noexcept {
  is_over_ = true;
  Held at(connection_);
  Pending* head = at ? at->head() : nullptr;
  if (head == nullptr) return;
  finish(at.get(), *head, is_ok ? Outcome{} : failed(text_of(libpq::error_message.get()(connection_))), 0);
  finish_all(*at.get(), {});
  set_used(*at.get(), false);
}

Connecting::Connecting(PGconn* reset) noexcept
    : began_ns_(preload::system_ns()),
      request_(inlens_background_enter()),
      call_(reset != nullptr ? static_cast<const void*>(reset) : Call::kNew, request_, request_) {
  Held at(reset);
  if (at) close(*at.get());
}

Connecting::~Connecting() {
  inlens_background_leave(request_);
}

void Connecting::ended(PGconn* connection) noexcept {
  if (connection == nullptr) return;
  opened_or_failed(request_, connection, libpq::status.get()(connection) == CONNECTION_OK, began_ns_);
}

void Connecting::started(PGconn* connection) noexcept {
  if (connection == nullptr) return;
  if (libpq::status.get()(connection) == CONNECTION_BAD) return ended(connection);
  Held at(connection, Held::IfUnknown::kAdd);
  if (at) at->connect_began_ns = began_ns_;
}

void polled(PGconn* connection, PostgresPollingStatusType status) noexcept {
  if (status != PGRES_POLLING_OK && status != PGRES_POLLING_FAILED) return;
  std::uint64_t began_ns = 0;
  if (Held at(connection); at) std::swap(began_ns, at->connect_began_ns);
  if (began_ns == 0) return;
  const inlens_request request = inlens_background_enter();
  opened_or_failed(request, connection, status == PGRES_POLLING_OK, began_ns);
  inlens_background_leave(request);
}

void finishing(PGconn* connection) noexcept {
  Held at(connection);
  if (!at) return;
  close(*at.get());
  at.remove();
}

void pipeline_entered(PGconn* connection) noexcept {
  Held at(connection, Held::IfUnknown::kAdd);
  if (!at) return;
  at->make_queue();
  at->in_pipeline = true;
}

void pipeline_left(PGconn* connection) noexcept {
  Held at(connection);
  if (!at) return;
  finish_all(*at.get(), {});
  set_used(*at.get(), false);
  at->in_pipeline = false;
}

}  // namespace inlens::postgres
