#include "agent/config/settings_table.hpp"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

namespace inlens::config {
namespace {

constexpr std::string_view kLevels[] = {"off", "light", "standard", "full"};
constexpr std::string_view kBarAllow[] = {"session", "loopback"};
constexpr std::string_view kLogLevels[] = {"debug", "info", "warning", "error"};

enum Change : bool { kAtStart = false, kLive = true };

// Binds a row to its member of Config.
template <auto Group, auto Member>
struct Field {
  static Value read(const Config& config) {
    const auto& member = config.*Group.*Member;
    using T = std::remove_cvref_t<decltype(member)>;
    if constexpr (std::is_same_v<T, bool> || std::is_class_v<T>) {
      return member;
    } else {
      return static_cast<std::int64_t>(member);
    }
  }
  static void write(Config& config, const Value& value) {
    auto& member = config.*Group.*Member;
    using T = std::remove_cvref_t<decltype(member)>;
    if constexpr (std::is_same_v<T, bool> || std::is_class_v<T>) {
      member = std::get<T>(value);
    } else {
      member = static_cast<T>(std::get<std::int64_t>(value));
    }
  }
};

struct Range {
  std::int64_t minimum;
  std::int64_t maximum;
  std::string_view unit = {};
  std::string_view zero = {};
};

template <typename F>
constexpr Setting boolean(std::string_view key, F, bool value, Change change, std::string_view description) {
  return {key, Type::kBoolean, value,  {},    0,           1,       {},      {},
          {},  Form::kText,    change, false, description, F::read, F::write};
}

template <typename F>
constexpr Setting integer(std::string_view key, F, std::int64_t value, Range range, Change change,
                          std::string_view description) {
  return {key,        Type::kInteger, value,  {},    range.minimum, range.maximum, range.zero, {},
          range.unit, Form::kText,    change, false, description,   F::read,       F::write};
}

template <typename F, typename E>
constexpr Setting choice(std::string_view key, F, std::span<const std::string_view> choices, E value,
                         Change change, std::string_view description) {
  return {key,
          Type::kChoice,
          static_cast<std::int64_t>(value),
          {},
          0,
          static_cast<std::int64_t>(choices.size()) - 1,
          {},
          choices,
          {},
          Form::kText,
          change,
          false,
          description,
          F::read,
          F::write};
}

template <typename F>
constexpr Setting string(std::string_view key, F, std::string_view value, Form form, std::int64_t max_bytes,
                         std::string_view description, bool secret = false) {
  return {key, Type::kString, 0,        value,  0,           max_bytes, {},      {},
          {},  form,          kAtStart, secret, description, F::read,   F::write};
}

template <typename F>
constexpr Setting list(std::string_view key, F, Form form, std::int64_t max_items,
                       std::string_view description) {
  return {key, Type::kList, 0,        {},    0,           max_items, {},      {},
          {},  form,        kAtStart, false, description, F::read,   F::write};
}

template <auto Group, auto Member>
constexpr Field<Group, Member> field{};

using C = Config;

// clang-format off
constexpr std::array kTable = std::to_array<Setting>({
  choice("collect.level", field<&C::collect, &C::Collect::level>, kLevels, Level::kLight, kLive,
         "How much is recorded of each request; a value that is not known means off."),

  string("server.name", field<&C::server, &C::Server::name>, "", Form::kText, 200,
         "The server's name in the console and the bar; empty means the program's name."),
  string("server.release", field<&C::server, &C::Server::release>, "", Form::kText, 200,
         "The release of your server, shown with every request; empty means not shown."),

  boolean("console.enabled", field<&C::console, &C::Console::enabled>, true, kAtStart,
          "Whether the console listens on its own port."),
  integer("console.port", field<&C::console, &C::Console::port>, 9790, {1, 65535, "", "any free port"}, kAtStart,
          "The console's port; when it is taken, the next free one is used."),
  string("console.address", field<&C::console, &C::Console::address>, "127.0.0.1", Form::kAddress, 64,
         "The address the console listens on; anything but loopback lets other machines knock."),
  string("console.token", field<&C::console, &C::Console::token>, "", Form::kToken, 256,
         "The token that scripts send as `Authorization: Bearer`; empty means a random one per process.", true),
  list("console.hosts", field<&C::console, &C::Console::hosts>, Form::kHost, 32,
       "Further Host names under which the console answers, besides localhost and its own address."),

  boolean("bar.enabled", field<&C::bar, &C::Bar::enabled>, false, kLive,
          "Whether HTML pages get the bar, for callers that may see it."),
  choice("bar.allow", field<&C::bar, &C::Bar::allow>, kBarAllow, BarAllow::kSession, kLive,
         "Who sees the bar: only who is signed in to the console, or every caller from this machine."),

  integer("thresholds.slowRequestMs", field<&C::thresholds, &C::Thresholds::slow_request_ms>,
          1000, {1, 3'600'000, "ms"}, kLive, "A request that takes this long counts as slow."),
  integer("thresholds.slowStatementMs", field<&C::thresholds, &C::Thresholds::slow_statement_ms>,
          100, {1, 3'600'000, "ms"}, kLive, "A statement that takes this long counts as slow."),
  integer("thresholds.slowCallMs", field<&C::thresholds, &C::Thresholds::slow_call_ms>,
          500, {1, 3'600'000, "ms"}, kLive, "An outgoing call that takes this long counts as slow."),

  boolean("calls.propagate", field<&C::calls, &C::Calls::propagate>, false, kLive,
          "Whether outgoing calls send the trace context and the id of their request along."),

  integer("guard.eventsPerSecond", field<&C::guard, &C::Guard::events_per_second>,
          1000, {1, 100'000}, kLive, "At most this many errors are counted into issues within any second."),
  integer("guard.newIssuesPerMinute", field<&C::guard, &C::Guard::new_issues_per_minute>,
          20, {1, 10'000}, kLive, "At most this many issues are opened within any minute; the rest share one."),

  integer("issues.max", field<&C::issues, &C::Issues::max>,
          200, {2, 5000}, kLive, "Issues listed at the same time, the shared overflow issue included."),
  integer("issues.retentionHours", field<&C::issues, &C::Issues::retention_hours>,
          72, {1, 8760, "hours"}, kLive, "An issue not seen for this long leaves the list."),

  integer("history.recent", field<&C::history, &C::History::recent>,
          200, {1, 5000}, kAtStart, "Requests of any kind kept with their details, newest first."),
  integer("history.notable", field<&C::history, &C::History::notable>,
          200, {1, 5000}, kAtStart, "Slow and failed requests and those with findings, kept in addition."),

  integer("limits.poolMegabytes", field<&C::limits, &C::Limits::pool_megabytes>,
          16, {1, 1024, "MB"}, kAtStart, "Memory for requests under way and on their way to the worker."),
  integer("limits.routes", field<&C::limits, &C::Limits::routes>,
          300, {1, 10'000}, kAtStart, "Routes listed one by one; the rest go to the row named other."),
  integer("limits.statements", field<&C::limits, &C::Limits::statements>,
          500, {1, 10'000}, kAtStart, "Statements listed one by one; the rest go to the row named other."),
  integer("limits.stringBytes", field<&C::limits, &C::Limits::string_bytes>,
          2000, {64, 2000, "bytes"}, kLive, "Longer texts are cut."),
  integer("limits.statementsPerRequest", field<&C::limits, &C::Limits::statements_per_request>,
          200, {0, 10'000}, kLive, "Statements of one request kept with details; all are counted."),
  integer("limits.spansPerRequest", field<&C::limits, &C::Limits::spans_per_request>,
          300, {0, 10'000}, kLive, "Spans of one request kept with details; all are counted."),
  integer("limits.errorsPerRequest", field<&C::limits, &C::Limits::errors_per_request>,
          50, {0, 10'000}, kLive, "Errors of one request kept with details; all are counted."),
  integer("limits.messagesPerRequest", field<&C::limits, &C::Limits::messages_per_request>,
          200, {0, 10'000}, kLive, "Messages of one request kept with details; all are counted."),
  integer("limits.sessions", field<&C::limits, &C::Limits::sessions>,
          200, {1, 10'000}, kAtStart, "Signed-in browsers at the same time; the oldest gives way."),

  integer("worker.pollMs", field<&C::worker, &C::Worker::poll_ms>,
          50, {5, 1000, "ms"}, kAtStart, "How often the worker looks for finished requests; shorter costs throughput."),

  list("mask.keys", field<&C::mask, &C::Mask::keys>, Form::kKeyName, 32,
       "Further names of headers, query keys and fields whose values are secret and shown as `***`."),

  string("log.file", field<&C::log, &C::Log::file>, "", Form::kText, 4096,
         "The file for the agent's own log; empty means no file."),
  choice("log.level", field<&C::log, &C::Log::level>, kLogLevels, LogLevel::kInfo, kAtStart,
         "The least important lines of the agent's own log that are still written."),
});
// clang-format on

static_assert(kTable.size() == kSettingCount);

// Levenshtein distance without regard to case; keys are short.
std::size_t distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      diagonal = std::exchange(row[j + 1], std::min({replaced, row[j] + 1, row[j + 1] + 1}));
    }
  }
  return row.back();
}

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

}  // namespace

Value Setting::default_value() const {
  switch (type) {
    case Type::kBoolean:
      return default_number != 0;
    case Type::kString:
      return std::string(default_text);
    case Type::kList:
      return std::vector<std::string>();
    case Type::kInteger:
    case Type::kChoice:
      break;
  }
  return default_number;
}

std::span<const Setting, kSettingCount> settings() noexcept {
  return kTable;
}

std::optional<std::size_t> find_setting(std::string_view key) noexcept {
  const auto at =
      std::find_if(kTable.begin(), kTable.end(), [&](const Setting& row) { return row.key == key; });
  if (at == kTable.end()) return std::nullopt;
  return static_cast<std::size_t>(at - kTable.begin());
}

std::string environment_name(std::string_view key) {
  std::string name = "INLENS_";
  for (const char c : key) {
    if (is_upper(c)) name += '_';
    name += c == '.' ? '_' : is_upper(c) ? c : static_cast<char>(c - 32);
  }
  return name;
}

std::string_view nearest_key(std::string_view key) {
  constexpr std::size_t kLongest = 64;
  if (key.size() > kLongest) return {};
  std::string_view nearest;
  std::size_t least = 1 + std::max<std::size_t>(2, key.size() / 4);
  for (const Setting& row : kTable) {
    // A key without its group is as good as the whole key.
    const std::size_t whole = distance(key, row.key);
    const std::size_t bare = distance(key, row.key.substr(row.key.find('.') + 1)) + 1;
    if (const std::size_t steps = std::min(whole, bare); steps < least) {
      least = steps;
      nearest = row.key;
    }
  }
  return nearest;
}

}  // namespace inlens::config
