#include "agent/abi/runtime.hpp"

#include <unistd.h>

#include <utility>

#include "agent/abi/responses.hpp"
#include "agent/hooks/collectors.hpp"
#include "agent/hooks/in_flight.hpp"
#include "agent/platform/clock.hpp"
#include "agent/platform/for_ever.hpp"
#include "agent/platform/mask.hpp"
#include "agent/platform/self.hpp"
#include "agent/worker/decode.hpp"
#include "agent/worker/totals.hpp"
#include "console/api/views.hpp"
#include "console/bar/skip.hpp"
#include "console/server/listening_socket.hpp"
#include "console/server/secrets.hpp"
#include "console/ui/assets.hpp"

namespace inlens::abi {

namespace {

constexpr std::uint32_t kSeedStep = 0x3D4D51C2;  // even and far from small multiples of itself
std::atomic<std::uint32_t> g_generation{0};  // of cores; a forked child goes on counting from its parent's

LoadOptions load_options(const StartRequest& request) {
  LoadOptions options;
  options.file = request.config_file;
  options.json = request.config_json;
  options.server_name = request.server_name.empty() ? program_name() : request.server_name;
  options.release = request.release;
  options.environment = process_environment;
  return options;
}

struct LogUser {
  inlens_log_fn log;
  void* user;
  static void pass(void* self, int level, std::string_view line) {
    const auto& to = *static_cast<const LogUser*>(self);
    to.log(to.user, level, {line.data(), line.size()});
  }
};

AgentLog::Options log_options(const StartRequest& request, const Config& config) {
  AgentLog::Options options;
  if (request.log != nullptr) {
    options.callback = &LogUser::pass;
    options.user =
        new LogUser{request.log, request.log_user};  // for ever: a thread left behind may still log
  }
  options.file = config.log.file;
  options.level = config.log.level;
  return options;
}

// The key names live for ever, as a hook may be reading the ones before.
void set_mask_keys(const std::vector<std::string>& keys) {
  struct Names {
    explicit Names(std::vector<std::string> keys)
        : texts(std::move(keys)), views(texts.begin(), texts.end()), extra{views.data(), views.size()} {}
    std::vector<std::string> texts;
    std::vector<std::string_view> views;
    mask::ExtraKeys extra;
  };
  mask::set_extra_keys(&make_for_ever<Names>(keys)->extra);
}

std::string loader_version() {
  for (const console::Asset& asset : console::assets()) {
    if (asset.path == "bar/loader.js") return std::string(asset.hash);
  }
  return {};
}

std::vector<console::StaticFile> static_files() {
  std::vector<console::StaticFile> files;
  for (const console::Asset& asset : console::assets()) {
    files.push_back({asset.path, asset.content_type, asset.bytes, asset.gzip, asset.hash, asset.immutable});
  }
  return files;
}

LogLevel level_of(console::LogLevel level) {
  return level == console::LogLevel::kError     ? LogLevel::kError
         : level == console::LogLevel::kWarning ? LogLevel::kWarning
                                                : LogLevel::kInfo;
}

std::string_view activity_name(hooks::EntryKind kind) {
  switch (kind) {
    case hooks::EntryKind::kSpan:
      return "span";
    case hooks::EntryKind::kStatement:
      return "statement";
    case hooks::EntryKind::kCall:
      return "call";
    default:
      return "";
  }
}

std::string_view skip_reason_name(std::uint16_t reason) {
  return bar::text(static_cast<bar::Skip>(reason));
}

}  // namespace

std::shared_ptr<Runtime> Runtime::make(const StartRequest& request, inlens_status& status) {
  hooks::Core* core = hooks::g_core.load(std::memory_order_acquire);
  LoadResult settings = load_config(load_options(request));
  if (core == nullptr) {
    calibrate_clock();
    const std::size_t pool_bytes = std::size_t{settings.config.limits.pool_megabytes} << 20;
    core = hooks::Core::make(pool_bytes, ++g_generation * kSeedStep);
    if (core == nullptr) {
      status = INLENS_E_RESOURCES;
      return nullptr;
    }
    hooks::install_core(core);
  }
  return std::shared_ptr<Runtime>(new Runtime(request, std::move(settings), *core));
}

Runtime::Runtime(const StartRequest& request, LoadResult settings, hooks::Core& core)
    : core_(core),
      log_(log_options(request, settings.config)),
      settings_(std::make_shared<const LoadResult>(std::move(settings))),
      worker_(core, settings_->config, &skip_reason_name),
      listener_([this](console::LogLevel level, std::string_view line) {
        log_.write(level_of(level), line, line);
      }),
      started_unix_ms_(unix_ns() / 1'000'000) {
  log_problems();
}

Runtime::~Runtime() = default;

void Runtime::log_problems() {
  for (const Problem& problem : settings_->problems)
    log_.write(LogLevel::kWarning, "", "inlens: " + problem.text());
}

Level Runtime::configured_level() const {
  return settings_->config.collect.level;
}

bool Runtime::start(Level level) {
  if (level != configured_level()) {
    auto settings = std::make_shared<LoadResult>(*settings_);
    settings->config.collect.level = level;
    settings_ = std::move(settings);
  }
  const Config& config = settings_->config;
  set_mask_keys(config.mask.keys);
  if (!worker_.start()) {
    log_.write(LogLevel::kError, "", "inlens: no thread for the worker; the agent stays off");
    return false;
  }
  if (config.console.enabled) open_console();
  apply(config);
  return true;
}

void Runtime::open_console() {
  const Config& config = settings_->config;
  if (!console::secrets_ready()) {
    log_.write(LogLevel::kError, "", "inlens: no source of random bytes; the console stays off");
    return;
  }
  console::BindOptions bind;
  bind.address = config.console.address;
  bind.port = config.console.port;
  bind.beyond_loopback = !config.console.token.empty();
  console::ListeningSocket socket = console::open_listening_socket(bind);

  console::ConsoleOptions options;
  options.gate.token = config.console.token.empty() ? console::random_secret() : config.console.token;
  options.gate.bound_address = socket.address();
  options.gate.port = socket.port();
  options.gate.hosts = config.console.hosts;
  options.gate.sessions.sessions = config.limits.sessions;
  options.files = static_files();
  const auto log = [this](console::LogLevel level, std::string_view line) {
    log_.write(level_of(level), line, line);
  };
  console_ = std::make_unique<console::Console>(std::move(options), console::system_moment, log);
  console::api::register_views(
      [this](std::string_view method, std::string_view pattern, console::ApiHandler handler) {
        console_->add_route(method, pattern, std::move(handler));
      },
      *this, INLENS_VERSION, console::system_moment);
  if (!socket) {
    log_.write(LogLevel::kError, "", "inlens: console: " + socket.error());
    return;
  }
  const std::string url = socket.url();
  if (socket.fell_back()) {
    log_.write(LogLevel::kWarning, "",
               "inlens: console.port: " + std::to_string(config.console.port) +
                   " is busy; the console is at " + url + std::string(console::Console::kBase));
  }
  if (listener_.start(std::move(socket), {},
                      [this](const console::Request& r) { return console_->handle(r); })) {
    console_url_ = url;
  }
}

void Runtime::apply(const Config& config) {
  hooks::Limits& limits = core_.limits();
  limits.string_bytes.store(config.limits.string_bytes, std::memory_order_relaxed);
  limits.statements.store(config.limits.statements_per_request, std::memory_order_relaxed);
  limits.spans.store(config.limits.spans_per_request, std::memory_order_relaxed);
  limits.errors.store(config.limits.errors_per_request, std::memory_order_relaxed);
  limits.messages.store(config.limits.messages_per_request, std::memory_order_relaxed);
  core_.propagates.store(config.calls.propagate, std::memory_order_relaxed);
  if (console_ != nullptr) {
    const bool local = config.bar.enabled && config.bar.allow == BarAllow::kLoopback;
    console_->set_bar_allow(local ? console::BarAllow::kLoopback : console::BarAllow::kNobody);
  }
  set_bar_settings({config.bar.enabled, config.bar.allow == BarAllow::kLoopback, loader_version()});
  hooks::g_gate.store(static_cast<std::uint8_t>(config.collect.level), std::memory_order_relaxed);
}

bool Runtime::stop(std::chrono::milliseconds deadline) {
  hooks::g_gate.store(0, std::memory_order_relaxed);
  const bool listener_left = listener_.stop();
  return worker_.stop(deadline / 2) && listener_left;
}

void Runtime::abandon_in_child() noexcept {
  listener_.abandon_in_child();
  worker_.abandon_in_child();
}

void Runtime::set_level(Level level) {
  change_setting("collect.level", '"' + std::string(name_of(level)) + '"');
}

std::shared_ptr<const store::Snapshot> Runtime::snapshot(std::chrono::milliseconds wait) {
  return worker_.snapshot(wait);
}

store::Totals Runtime::totals() {
  return worker_.exact().totals;
}

std::vector<store::InFlight> Runtime::in_flight() {
  const std::uint64_t now = ticks();
  const std::int64_t now_unix_ms = unix_ns() / 1'000'000;
  std::vector<store::InFlight> requests;
  for (hooks::RunningRecord& running : hooks::running_records(core_)) {
    store::InFlight request;
    request.id = {running.id_high, running.id_low};
    request.method = std::move(running.method);
    request.target = std::move(running.target);
    request.route = std::move(running.route);
    request.elapsed_ns = ticks_to_ns(ticks_between(running.start_ticks, now));
    request.started_unix_ms = now_unix_ms - static_cast<std::int64_t>(request.elapsed_ns / 1'000'000);
    request.thread = worker::thread_name(core_, running.thread_number);
    request.activity = activity_name(running.activity);
    request.statements = running.statements;
    request.errors = running.errors;
    request.task = running.task;
    requests.push_back(std::move(request));
  }
  return requests;
}

std::vector<store::ConnectionStats> Runtime::connections() {
  std::vector<store::ConnectionStats> list;
  for (std::uint32_t number = 0; number <= hooks::kOtherTarget; ++number) {
    const hooks::ConnectionRow& row = core_.connections[number];
    store::ConnectionStats stats;
    stats.other = number == hooks::kOtherTarget;
    stats.opened = row.opened.load(std::memory_order_relaxed);
    stats.failed = row.failed.load(std::memory_order_relaxed);
    if (stats.opened + stats.failed == 0) continue;
    stats.kind.assign(row.kind, strnlen(row.kind, sizeof(row.kind)));
    stats.target.assign(row.target, strnlen(row.target, sizeof(row.target)));
    stats.closed = row.closed.load(std::memory_order_relaxed);
    stats.connect_ns = row.connect_ns.load(std::memory_order_relaxed);
    stats.opened_last_minute = row.opened_last_minute.load(std::memory_order_relaxed);
    std::uint64_t in_use = 0;  // of single threads it may be below zero, of all together it is not
    for (std::uint32_t thread = 1; thread <= core_.thread_count(); ++thread) {
      if (const hooks::ThreadState* state = core_.thread(thread); state != nullptr)
        in_use += state->totals.in_use[number].get();
    }
    if (row.tells_use.load(std::memory_order_relaxed))
      stats.in_use = static_cast<std::int64_t>(in_use) > 0 ? in_use : 0;
    const auto same = std::find_if(list.begin(), list.end(), [&](const store::ConnectionStats& each) {
      return each.kind == stats.kind && each.target == stats.target && each.other == stats.other;
    });
    if (same == list.end()) {
      list.push_back(std::move(stats));
      continue;
    }
    same->opened += stats.opened;
    same->closed += stats.closed;
    same->failed += stats.failed;
    if (stats.in_use) same->in_use = same->in_use.value_or(0) + *stats.in_use;
    same->connect_ns += stats.connect_ns;
    same->opened_last_minute += stats.opened_last_minute;
  }
  return list;
}

std::vector<store::CollectorStats> Runtime::collectors() {
  std::vector<store::CollectorStats> list;
  for (hooks::CollectorReport& report : hooks::collector_reports()) {
    constexpr std::string_view names[] = {"on", "off", "notFound", "impossible"};
    list.push_back({std::move(report.name), std::string(names[report.state & 3]), std::move(report.detail)});
  }
  return list;
}

store::AgentFigures Runtime::figures() {
  store::AgentFigures figures;
  const std::shared_ptr<const LoadResult> settings = this->settings();
  figures.level = settings->config.collect.level;
  const hooks::Pool& pool = core_.pool();
  figures.queue_capacity = hooks::kQueueCapacity;
  figures.queue_depth = core_.queue().size_approx();
  figures.pool_blocks = pool.capacity();
  figures.pool_used = pool.touched() - std::min(pool.touched(), pool.stocked());
  figures.pool_bytes = std::uint64_t{pool.touched()} * hooks::kBlockBytes;
  const worker::ExactFigures exact = worker_.exact();
  const worker::WorkerFigures worker = worker_.figures();
  figures.lost = exact.lost;
  figures.lost_by_kind = exact.lost_by_kind;
  figures.hook_threads = exact.hook_threads;
  figures.bars_inserted = exact.bars_inserted;
  figures.drains = worker.drains;
  figures.records_drained = worker.records_drained;
  figures.records_damaged = worker.records_damaged;
  figures.tasks_given_up = worker.tasks_given_up;
  figures.worker_cpu_ns = worker.cpu_ns;
  figures.agent_bytes = worker.store_bytes;
  figures.console_cpu_ns = named_thread_cpu_ns("inlens-console");
  figures.process_cpu_ns = process_cpu_ns();
  figures.process_rss_bytes = process_rss_bytes();
  figures.agent_bytes += figures.pool_bytes + core_.arena().used();
  figures.agent_threads = console_url_.empty() ? 1 : 2;
  figures.guarded_exceptions = core_.guarded_exceptions.load(std::memory_order_relaxed);
  figures.clock = g_clock.tsc ? "tsc" : "monotonic";
  figures.console_address = console_url_;
  figures.started_unix_ms = started_unix_ms_;
  for (std::size_t i = 0; i < exact.pages_skipped.size(); ++i) {
    if (exact.pages_skipped[i] != 0)
      figures.pages_skipped.emplace_back(skip_reason_name(static_cast<std::uint16_t>(i)),
                                         exact.pages_skipped[i]);
  }
  return figures;
}

std::shared_ptr<const LoadResult> Runtime::settings() {
  const std::scoped_lock lock(settings_mutex_);
  return settings_;
}

std::optional<Problem> Runtime::change_setting(std::string_view key, std::string_view json_value) {
  const std::scoped_lock lock(settings_mutex_);
  auto changed = apply_override(*settings_, key, json_value);
  if (auto* problem = std::get_if<Problem>(&changed)) return std::move(*problem);
  settings_ = std::make_shared<const LoadResult>(std::move(std::get<LoadResult>(changed)));
  worker_.set_config(settings_->config);
  apply(settings_->config);
  return std::nullopt;
}

bool Runtime::resolve_issue(std::uint32_t id) {
  return worker_.resolve_issue(id);
}

bool console_session_of(std::span<const bar::HeaderView> headers, std::string_view peer, bool tls) {
  const auto is_cookie = [](const bar::HeaderView& header) {
    return console::equal_ignoring_case(header.name, "cookie") &&
           header.value.find("inlens_") != std::string_view::npos;
  };
  if (std::none_of(headers.begin(), headers.end(), is_cookie)) return false;
  const std::shared_ptr<Runtime> runtime = running();
  if (runtime == nullptr || !runtime->has_console()) return false;
  console::Request request;
  request.method = "GET";
  request.set_target("/~inlens/api/session");
  for (const bar::HeaderView& header : headers) {
    if (is_cookie(header)) request.headers.add(header.name, header.value);
  }
  request.peer_address = peer;
  request.transport = console::Transport::kMounted;
  request.tls = tls;
  return runtime->console().shows_bar(request);
}

}  // namespace inlens::abi
