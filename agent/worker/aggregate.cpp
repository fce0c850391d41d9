#include "agent/worker/aggregate.hpp"

#include <algorithm>

#include "agent/worker/message_template.hpp"

namespace inlens::worker {

using namespace hooks;  // the record's layout

namespace {

constexpr std::uint32_t kServerError = 500;
constexpr std::size_t kErrorTextBytes = 500;
// Nothing quicker is unusual, however quick it was before.
constexpr std::uint64_t kUnusualStatementNs = 10'000'000;
constexpr std::uint64_t kUnusualCallNs = 50'000'000;
constexpr std::uint64_t kEndAheadTicks = std::uint64_t{1} << 32;  // some seconds, on either clock

std::uint64_t difference(std::uint64_t all, std::uint64_t part) {
  return all > part ? all - part : 0;
}

store::RouteUse use_of(const RecordFacts& facts) {
  store::RouteUse use;
  use.duration_ns = ticks_to_ns(ticks_between(facts.start_ticks, facts.end_ticks));
  use.status = facts.status;
  use.errors = facts.errors;
  use.statements = facts.statements;
  use.statement_ns = ticks_to_ns(facts.statement_ticks);
  use.bytes_out = facts.bytes_out;
  return use;
}

// A row of the table of statements or calls, before the run is added to it. What shares the row "other" has
// nothing in common.
template <class Row>
void note_unusual(Row& row, std::uint64_t ns, std::uint64_t floor_ns, std::uint32_t ordinal, StoredLog& log) {
  if (row.usual.is_exceeded(row.stats.latency, ns, floor_ns) && !row.stats.other) [[unlikely]]
    log.unusual.push_back({ordinal, row.usual.time()});
}

}  // namespace

Aggregate::Aggregate(Core& core, const Settings& settings, SkipReasonName skip_reason)
    : core_(core),
      thresholds_(settings.thresholds),
      statements_(settings.statements),
      routes_(settings.routes),
      fingerprints_(modules_),
      errors_(settings.guard, fingerprints_),
      texts_(core.known_texts, statements_),
      route_finder_(routes_),
      decoder_(core, modules_, symbols_, fingerprints_, skip_reason),
      history_(settings.history, [this] { return std::make_unique<StoredRequest>(decoder_, spare_logs_); }),
      pending_(spare_logs_) {}

void Aggregate::set_limits(const Settings& settings) {
  thresholds_ = settings.thresholds;
  errors_.set_limits(settings.guard);
}

void Aggregate::take(const Block& first, const Moment& now) {
  switch (first.head.block.use.load(std::memory_order_relaxed)) {
    case BlockUse::kRequest:
      return take_request(first, now);
    case BlockUse::kTask:
      return take_task(first, now);
    case BlockUse::kEvent:
      return take_event(first, now);
    default:
      ++shortfalls_.damaged;
  }
}

// Copies the record and finds what is of interest in the copy, which is contiguous and near.
void Aggregate::read(const Block& first, StoredLog& log) {
  if (!copy_log(core_.pool(), core_.pool().index_of(&first), log.log)) ++shortfalls_.damaged;
  find_entries(log);
}

void Aggregate::find_entries(const StoredLog& log) {
  found_.begin = {};
  found_.route = nullptr;
  found_.statements.clear();
  found_.failures.clear();
  found_.errors.clear();
  found_.calls.clear();
  const bool sound = for_each_entry(log.log, [this](const Entry& entry) {
    switch (entry.kind) {
      case EntryKind::kBegin:
        found_.begin = view(as<BeginEntry>(entry));
        break;
      case EntryKind::kRoute:
        found_.route = &as<TextEntry>(entry);
        break;
      case EntryKind::kStatement:
        found_.statements.push_back(&as<StatementEntry>(entry));
        break;
      case EntryKind::kCall:
        found_.calls.push_back(&as<CallEntry>(entry));
        break;
      case EntryKind::kCallError:
      case EntryKind::kStatementError:
        found_.failures.push_back(&as<FailureEntry>(entry));
        break;
      case EntryKind::kError:
        found_.errors.push_back(&as<ErrorEntry>(entry));
        break;
      default:
        break;
    }
  });
  if (!sound) ++shortfalls_.damaged;
}

void Aggregate::take_request(const Block& first, const Moment& now) {
  ++requests_seen_;
  auto& request = static_cast<StoredRequest&>(history_.next());
  StoredLog& own = request.own;
  read_facts(first.head, own.facts);
  read(first, own);

  const RecordFacts& facts = own.facts;
  const std::int64_t ended_unix_ms = now.unix_ms_at(facts.end_ticks);
  own.started_unix_ms = now.unix_ms_at(facts.start_ticks);
  request.thresholds = thresholds_;
  store::RouteRow& route = route_finder_.find(found_.begin, found_.route, facts.status);
  request.route = &route;
  store::RouteUse use = use_of(facts);
  use.unix_ms = ended_unix_ms;
  store::Routes::add(route, use);
  own.notable = add_statements(own, &route, ended_unix_ms) || facts.errors != 0 ||
                facts.status >= kServerError || use.duration_ns >= thresholds_.slow_request_ns;
  if (!found_.calls.empty()) own.notable = add_calls(own, &route, ended_unix_ms) || own.notable;
  if (!found_.errors.empty()) [[unlikely]] {
    const std::string text(route_finder_.text(found_.begin, found_.route));
    add_errors(own, {facts.id, text, text, found_.begin.target}, now);
  }
  if (pending_.may_wait_for(facts.id)) [[unlikely]]
    join_tasks(request);
  // An end that makes no sense must not make its request the newest for ever.
  history_.keep(facts.id, std::min(facts.end_ticks, now.ticks + kEndAheadTicks), own.notable);
}

void Aggregate::join_tasks(StoredRequest& request) {
  while (std::unique_ptr<StoredLog> task = pending_.take(request.own.facts.id)) {
    store::Routes::add_task(*request.route, use_of(task->facts));
    request.own.notable = request.own.notable || task->notable;
    request.join(std::move(task));
  }
}

void Aggregate::take_task(const Block& first, const Moment& now) {
  std::unique_ptr<StoredLog> task = spare_logs_.take();
  read_facts(first.head, task->facts);
  read(first, *task);
  const RecordFacts& facts = task->facts;
  store::History::Kept* kept = history_.find(facts.parent);
  auto* parent = kept != nullptr ? static_cast<StoredRequest*>(kept->item.get()) : nullptr;
  const store::RouteRow* route = parent != nullptr ? parent->route : nullptr;

  task->notable = add_statements(*task, route, now.unix_ms_at(facts.end_ticks)) || facts.errors != 0;
  if (!found_.calls.empty())
    task->notable = add_calls(*task, route, now.unix_ms_at(facts.end_ticks)) || task->notable;
  if (!found_.errors.empty()) [[unlikely]] {
    // Its request's route is not known yet as a rule, so it takes no part in the grouping.
    const std::string group = "task " + std::string(found_.begin.target);
    add_errors(*task, {facts.parent, route != nullptr ? route->stats.route : std::string_view(), group, {}},
               now);
  }
  if (parent == nullptr) return pending_.add(std::move(task));
  const bool notable = task->notable;
  store::Routes::add_task(*parent->route, use_of(facts));
  parent->own.notable = parent->own.notable || notable;
  parent->join(std::move(task));
  history_.changed(*kept, notable);
}

void Aggregate::take_event(const Block& first, const Moment& now) {
  event_.clear();
  event_.facts = {};
  read(first, event_);
  add_errors(event_, {}, now);
}

Text* Aggregate::text_of_statement(const StatementEntry& entry) {
  // A host may report a statement that it has no text of.
  const bool has_none = entry.text_full_size == 0;
  if (entry.text_size != 0 || has_none) {
    const auto dialect = static_cast<sql::Dialect>(std::min<std::uint8_t>(entry.dialect, 3));
    const std::string_view text = has_none ? "(no text)" : Strings(entry).next(entry.text_size);
    return &texts_.learn(entry.text_hash, text, dialect);
  }
  Text* text = texts_.find(entry.text_hash);
  if (text == nullptr) ++shortfalls_.text_unknown;
  return text;
}

// Returns whether there is something about the statements that a finding would name.
bool Aggregate::add_statements(StoredLog& log, const store::RouteRow* route, std::int64_t unix_ms) {
  const RecordFacts& facts = log.facts;
  ++pass_;
  std::uint64_t kept_ns = 0, kept_rows = 0, longest_ns = 0;
  std::uint32_t kept_failures = 0, most_runs = 0;
  for (const StatementEntry* entry : found_.statements) {
    Text* text = text_of_statement(*entry);
    log.texts.push_back(text != nullptr ? TextRef(texts_, *text) : TextRef());
    store::StatementRow& row = text != nullptr ? *text->row : statements_.other();
    const std::uint64_t ns = duration_ns(*entry, facts.end_ticks);
    const bool failed = (entry->flags & kEntryFailed) != 0;
    note_unusual(row, ns, kUnusualStatementNs, entry->ordinal, log);
    store::Statements::add_run(row, ns, entry->rows, failed, unix_ms);
    if (route != nullptr) row.last_route = route;
    kept_ns += ns;
    kept_rows += static_cast<std::uint64_t>(std::max<std::int64_t>(entry->rows, 0));
    kept_failures += failed ? 1 : 0;
    longest_ns = std::max(longest_ns, ns);
    if (text == nullptr || !text->repeatable) continue;
    text->pass_count = text->pass == pass_ ? text->pass_count + 1 : 1;
    text->pass = pass_;
    most_runs = std::max(most_runs, text->pass_count);
  }
  if (!found_.failures.empty()) [[unlikely]]
    add_failures(log);
  if (facts.statements_cut != 0) [[unlikely]]
    add_cut_statements(facts, kept_ns, kept_rows, kept_failures, unix_ms);
  return facts.statements_failed != 0 || most_runs >= thresholds_.repeated_statement ||
         (longest_ns >= thresholds_.slow_statement_ns && longest_ns != 0) || !log.unusual.empty();
}

// Statements beyond the cap of a request were counted and timed together: they are spread evenly.
void Aggregate::add_cut_statements(const RecordFacts& facts, std::uint64_t kept_ns, std::uint64_t kept_rows,
                                   std::uint32_t kept_failures, std::int64_t unix_ms) {
  store::StatementStats& other = statements_.other().stats;
  const std::uint64_t ns = difference(ticks_to_ns(facts.statement_ticks), kept_ns);
  other.latency.add_many(ns / facts.statements_cut, facts.statements_cut);
  other.rows += difference(facts.rows, kept_rows);
  other.failures += difference(facts.statements_failed, kept_failures);
  other.last_unix_ms = unix_ms;
}

void Aggregate::add_failures(const StoredLog& log) {
  for (const FailureEntry* failure : found_.failures) {
    if (failure->kind != EntryKind::kStatementError) continue;
    const auto at =
        std::find_if(found_.statements.begin(), found_.statements.end(),
                     [&](const StatementEntry* entry) { return entry->ordinal == failure->parent; });
    if (at == found_.statements.end()) continue;
    const Text* text = log.texts[static_cast<std::size_t>(at - found_.statements.begin())].get();
    std::string& last_error = (text != nullptr ? *text->row : statements_.other()).stats.last_error;
    Strings strings(*failure);
    last_error = strings.next(failure->code_size);
    if (failure->code_size != 0 && failure->message_size != 0) last_error += ": ";
    append_statement_message(strings.next(failure->message_size).substr(0, kErrorTextBytes), last_error);
  }
}

// Returns whether one failed or was slow.
bool Aggregate::add_calls(StoredLog& log, const store::RouteRow* route, std::int64_t unix_ms) {
  bool notable = false;
  for (const CallEntry* entry : found_.calls) {
    Strings strings(*entry);
    strings.next(entry->method_size);
    store::CallRow& row = calls_.row(strings.next(entry->url_size));
    store::CallUse use;
    use.duration_ns = duration_ns(*entry, log.facts.end_ticks);
    use.dns_ns = entry->dns_ns;
    use.connect_ns = entry->connect_ns;
    use.tls_ns = entry->tls_ns;
    use.first_byte_ns = entry->first_byte_ns;
    use.bytes_out = entry->bytes_out;
    use.bytes_in = entry->bytes_in;
    use.status = entry->status;
    use.failed = (entry->flags & kEntryFailed) != 0;
    use.unix_ms = unix_ms;
    note_unusual(row, use.duration_ns, kUnusualCallNs, entry->ordinal, log);
    store::Calls::add(row, use);
    if (route != nullptr) row.last_route = route;
    notable = notable || use.failed || use.duration_ns >= thresholds_.slow_call_ns;
    if (!use.failed) continue;
    const auto failure =
        std::find_if(found_.failures.begin(), found_.failures.end(), [&](const FailureEntry* each) {
          return each->kind == EntryKind::kCallError && each->parent == entry->ordinal;
        });
    if (failure == found_.failures.end()) continue;
    Strings texts(**failure);
    texts.next((*failure)->code_size);
    row.stats.last_error = texts.next((*failure)->message_size).substr(0, kErrorTextBytes);
  }
  return notable || !log.unusual.empty();
}

void Aggregate::add_errors(StoredLog& log, const ErrorPlace& place, const Moment& now) {
  for (const ErrorEntry* entry : found_.errors) {
    const ErrorView error = view(*entry);
    log.issues.push_back(errors_.take(error, place, now.now_ns(), now.unix_ms_at(error.ticks)));
  }
}

}  // namespace inlens::worker
