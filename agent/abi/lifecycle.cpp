#include "agent/abi/lifecycle.hpp"

#include <new>

#include "agent/abi/fork.hpp"
#include "agent/abi/guard.hpp"
#include "agent/abi/runtime.hpp"
#include "agent/platform/for_ever.hpp"

namespace inlens::abi {

namespace {

constexpr std::chrono::milliseconds kStopDeadline{200};

struct State {
  std::mutex mutex;
  std::shared_ptr<Runtime> runtime;
  StartRequest request;
  std::atomic<Runtime*> bare{nullptr};  // for the fork handler, which cannot take the mutex
};

// Never destroyed: see the header.
State& state() {
  alignas(State) static char storage[sizeof(State)];
  static auto* made = new (storage) State;
  return *made;
}

// Set in the child by the fork handler.
std::atomic<bool> g_child_starting{false};
std::atomic<std::uint8_t> g_parent_level{0};

inlens_status start_locked(State& s, std::optional<Level> level) {
  if (s.runtime != nullptr) return INLENS_ALREADY;
  if (!watch_forks()) return INLENS_E_RESOURCES;
  inlens_status status = INLENS_OK;
  std::shared_ptr<Runtime> runtime = Runtime::make(s.request, status);
  if (runtime == nullptr) return status;
  if (!runtime->start(level.value_or(runtime->configured_level()))) return INLENS_E_RESOURCES;
  s.bare.store(runtime.get(), std::memory_order_release);
  s.runtime = std::move(runtime);
  return INLENS_OK;
}

}  // namespace

std::shared_ptr<Runtime> running() {
  State& s = state();
  const std::scoped_lock lock(s.mutex);
  return s.runtime;
}

inlens_status start(const StartRequest& request) {
  State& s = state();
  const std::scoped_lock lock(s.mutex);
  if (s.runtime != nullptr) return INLENS_ALREADY;
  s.request = request;
  return start_locked(s, std::nullopt);
}

inlens_status stop() {
  State& s = state();
  std::shared_ptr<Runtime> runtime;
  {
    const std::scoped_lock lock(s.mutex);
    runtime = std::move(s.runtime);
    s.runtime = nullptr;
    s.bare.store(nullptr, std::memory_order_release);
    hooks::g_gate.store(0, std::memory_order_relaxed);  // also in a child that never started
    if (runtime == nullptr) return INLENS_ALREADY;
    if (runtime->stop(kStopDeadline)) return INLENS_OK;
  }
  keep_for_ever(std::move(runtime));  // a thread is still inside
  return INLENS_E_TIMEOUT;
}

bool abandon_runtime_in_child() noexcept {
  State& s = state();
  Runtime* runtime = s.bare.load(std::memory_order_acquire);
  new (&s.mutex) std::mutex;
  new (&s.runtime) std::shared_ptr<Runtime>;
  s.bare.store(nullptr, std::memory_order_relaxed);
  g_child_starting.store(false, std::memory_order_relaxed);
  if (runtime == nullptr) return false;
  g_parent_level.store(hooks::g_gate.load(std::memory_order_relaxed), std::memory_order_relaxed);
  runtime->abandon_in_child();
  return true;
}

std::uint8_t start_in_child() noexcept {
  if (g_child_starting.exchange(true, std::memory_order_acq_rel)) return 0;
  return guarded_slow(std::uint8_t{0}, [] {
    hooks::g_gate.store(0, std::memory_order_relaxed);  // stays so if anything below fails
    State& s = state();
    const std::scoped_lock lock(s.mutex);
    const auto level = static_cast<Level>(g_parent_level.load(std::memory_order_relaxed));
    return start_locked(s, level) == INLENS_OK ? static_cast<std::uint8_t>(level) : std::uint8_t{0};
  });
}

}  // namespace inlens::abi

using namespace inlens;

namespace {

std::size_t write_text(const std::string& text, char* out, std::size_t capacity) {
  if (out == nullptr || capacity == 0) return 0;
  out[0] = '\0';
  if (text.size() >= capacity) return 0;
  std::memcpy(out, text.c_str(), text.size() + 1);
  return text.size();
}

}  // namespace

extern "C" {

uint32_t inlens_abi_version(void) {
  return INLENS_ABI_VERSION;
}

const char* inlens_version(void) {
  return INLENS_VERSION;
}

inlens_status inlens_start(const inlens_start_options* given) {
  return abi::guarded_slow(INLENS_E_RESOURCES, [given] {
    inlens_start_options storage;
    const inlens_start_options& options = abi::known(given, storage);
    if (given != nullptr && options.abi_version != INLENS_ABI_VERSION) {
      if (options.log != nullptr) {
        constexpr std::string_view line =
            "inlens: the host was built for another ABI version; the agent stays off";
        options.log(options.log_user, 3, {line.data(), line.size()});
      }
      return INLENS_E_ABI;
    }
    return abi::start({std::string(abi::view(options.config_file)),
                       std::string(abi::view(options.config_json)),
                       std::string(abi::view(options.server_name)), std::string(abi::view(options.release)),
                       options.log, options.log_user});
  });
}

inlens_status inlens_stop(void) {
  return abi::guarded_slow(INLENS_E_RESOURCES, [] { return abi::stop(); });
}

inlens_level inlens_level_get(void) {
  const std::uint8_t gate = hooks::g_gate.load(std::memory_order_relaxed);
  return gate == hooks::kGateForked ? INLENS_LEVEL_OFF : static_cast<inlens_level>(gate);
}

inlens_status inlens_level_set(inlens_level level) {
  if (level < INLENS_LEVEL_OFF || level > INLENS_LEVEL_FULL) return INLENS_E_ARGUMENT;
  return abi::guarded_slow(INLENS_E_RESOURCES, [level] {
    const std::shared_ptr<abi::Runtime> runtime = abi::running();
    if (runtime == nullptr) return INLENS_ALREADY;
    runtime->set_level(static_cast<Level>(level));
    return INLENS_OK;
  });
}

size_t inlens_console_url(char* out, size_t capacity) {
  return abi::guarded_slow(std::size_t{0}, [&] {
    const std::shared_ptr<abi::Runtime> runtime = abi::running();
    const std::string url = runtime == nullptr || runtime->console_url().empty()
                                ? std::string()
                                : runtime->console_url() + std::string(console::Console::kBase);
    return write_text(url, out, capacity);
  });
}

size_t inlens_console_link(char* out, size_t capacity) {
  return abi::guarded_slow(std::size_t{0}, [&] {
    const std::shared_ptr<abi::Runtime> runtime = abi::running();
    std::string link;
    if (runtime != nullptr && !runtime->console_url().empty()) {
      if (const auto path = runtime->console().make_sign_in_path()) link = runtime->console_url() + *path;
    }
    return write_text(link, out, capacity);
  });
}

inlens_status inlens_figures_get(inlens_figures* out) {
  if (out == nullptr || out->struct_size <= sizeof(std::size_t)) return INLENS_E_ARGUMENT;
  return abi::guarded_slow(INLENS_E_RESOURCES, [out] {
    inlens_figures figures{};
    figures.struct_size = out->struct_size;
    if (const std::shared_ptr<abi::Runtime> runtime = abi::running()) {
      const store::Totals totals = runtime->totals();
      const store::AgentFigures agent = runtime->figures();
      figures.running = true;
      figures.level = static_cast<inlens_level>(agent.level);
      figures.requests = totals.requests;
      figures.in_flight = totals.begun > totals.requests ? totals.begun - totals.requests : 0;
      figures.errors = totals.errors;
      figures.statements = totals.statements;
      figures.lost = agent.lost.total();
      figures.unpaired = agent.lost.unpaired;
      figures.queue_capacity = agent.queue_capacity;
      figures.queue_depth = agent.queue_depth;
    }
    std::memcpy(out, &figures, out->struct_size < sizeof(figures) ? out->struct_size : sizeof(figures));
    return INLENS_OK;
  });
}

}  // extern "C"
