#include "agent/worker/worker.hpp"

#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "agent/hooks/background.hpp"
#include "agent/platform/clock.hpp"

namespace inlens::worker {

using namespace std::chrono_literals;

namespace {

constexpr std::chrono::milliseconds kShortestPause = 5ms;  // a faster poll slows the host by itself
constexpr std::size_t kMostUnfetched = 64;
constexpr std::uint32_t kIdleRounds = 20;
constexpr int kIdleFactor = 4;

// A round ends after this many records, so that askers are answered under any load.
constexpr std::size_t kMostPerRound = hooks::kQueueCapacity;

}  // namespace

Worker::Worker(hooks::Core& core, const Config& config, SkipReasonName skip_reason)
    : core_(core),
      poll_(config.worker.poll_ms),
      drain_(core, settings_of(config), skip_reason, read_moment()) {
  mail_.snapshot = std::make_shared<const store::Snapshot>();
}

Worker::~Worker() {
  if (!started_) return;
  {
    const std::scoped_lock lock(mutex_);
    mail_.stopping = true;
  }
  core_.hurry_worker();
  pthread_join(thread_, nullptr);
}

bool Worker::start() {
  {
    const std::scoped_lock lock(mutex_);
    mail_.ended = false;
  }
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  started_ = pthread_create(&thread_, nullptr, &Worker::enter, this) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  const std::scoped_lock lock(mutex_);
  mail_.ended = mail_.ended || !started_;
  return started_;
}

bool Worker::stop(std::chrono::milliseconds limit) {
  if (!started_) return true;
  const auto by = std::chrono::steady_clock::now() + limit;
  std::unique_lock lock(mutex_);
  mail_.stopping = true;
  mail_.drain_until = by - limit / 4;
  core_.hurry_worker();
  if (!answered_.wait_until(lock, by, [this] { return mail_.ended; })) return false;
  lock.unlock();
  pthread_join(thread_, nullptr);
  started_ = false;
  return true;
}

std::shared_ptr<const store::Snapshot> Worker::snapshot(std::chrono::milliseconds wait) {
  const auto by = std::chrono::steady_clock::now() + wait;
  std::unique_lock lock(mutex_);
  if (mail_.ended || wait <= 0ms) return mail_.snapshot;
  const std::uint64_t mine = ++mail_.snapshots_asked;
  core_.hurry_worker();
  answered_.wait_until(lock, by, [&] { return mail_.snapshots_answered >= mine || mail_.ended; });
  return mail_.snapshot;
}

bool Worker::resolve_issue(std::uint32_t id, std::chrono::milliseconds wait) {
  const auto by = std::chrono::steady_clock::now() + wait;
  std::unique_lock lock(mutex_);
  if (mail_.ended) return false;
  const std::uint64_t mine = ++mail_.resolutions_asked;
  mail_.resolutions.push_back({id, mine});
  core_.hurry_worker();
  answered_.wait_until(lock, by, [&] { return mail_.resolutions_answered >= mine || mail_.ended; });
  const auto yes = std::find_if(mail_.resolved.begin(), mail_.resolved.end(),
                                [&](const Resolution& resolution) { return resolution.number == mine; });
  if (yes == mail_.resolved.end()) return false;
  mail_.resolved.erase(yes);
  return true;
}

void Worker::set_config(const Config& config) {
  const std::scoped_lock lock(mutex_);
  mail_.settings = settings_of(config);
}

WorkerFigures Worker::figures() const {
  const DrainFigures& own = drain_.own_figures();
  WorkerFigures figures;
  figures.drains = drains_.load(std::memory_order_relaxed);
  figures.records_drained = own.records.load(std::memory_order_relaxed);
  figures.records_damaged = own.damaged.load(std::memory_order_relaxed);
  figures.tasks_given_up = own.tasks_given_up.load(std::memory_order_relaxed);
  figures.cpu_ns = cpu_ns_.load(std::memory_order_relaxed);
  figures.store_bytes = own.store_bytes.load(std::memory_order_relaxed);
  return figures;
}

void* Worker::enter(void* self) {
  pthread_setname_np(pthread_self(), "inlens-worker");
  static_cast<Worker*>(self)->run();
  return nullptr;
}

void Worker::run() noexcept {
  bool stopping = false;
  while (!stopping) {
    // Partner: hurry_worker(). What was asked for before is seen below; what is asked for later raises it
    // again.
    core_.hurry.exchange(0, std::memory_order_acq_rel);
    const Orders orders = take_orders();
    stopping = orders.stopping;
    // At level off nobody would begin a piece that ends them.
    const bool off = hooks::g_gate.load(std::memory_order_relaxed) == 0;
    hooks::end_idle_background(core_, stopping || off);
    std::size_t drained = drain();
    while (stopping && drained != 0 && std::chrono::steady_clock::now() < orders.drain_until)
      drained = drain();
    drain_.keep_house(read_moment());
    if (orders.snapshot || stopping) publish(orders.snapshots_asked);
    drains_.fetch_add(1, std::memory_order_relaxed);
    cpu_ns_.store(thread_cpu_ns(), std::memory_order_relaxed);
    if (!stopping) sleep(drained);
  }
  const std::scoped_lock lock(mutex_);
  mail_.ended = true;
  answered_.notify_all();
}

Worker::Orders Worker::take_orders() noexcept {
  Orders orders;
  std::optional<Settings> settings;
  std::vector<Resolution> resolutions;
  {
    const std::scoped_lock lock(mutex_);
    orders.stopping = mail_.stopping;
    orders.drain_until = mail_.drain_until;
    orders.snapshots_asked = mail_.snapshots_asked;
    orders.snapshot = mail_.snapshots_asked != mail_.snapshots_answered;
    settings.swap(mail_.settings);
    resolutions.swap(mail_.resolutions);
  }
  try {
    if (settings) drain_.set_limits(*settings);
    if (!resolutions.empty()) resolve(resolutions);
  } catch (...) {
    // Memory was refused: the old limits stay; who waits for an answer gives up in time.
  }
  return orders;
}

void Worker::resolve(std::vector<Resolution>& resolutions) {
  const std::uint64_t last = resolutions.back().number;
  std::erase_if(resolutions,
                [this](const Resolution& resolution) { return !drain_.resolve_issue(resolution.id); });
  const std::scoped_lock lock(mutex_);
  mail_.resolved.insert(mail_.resolved.end(), resolutions.begin(), resolutions.end());
  // Those who stopped waiting never fetch their answer.
  if (mail_.resolved.size() > kMostUnfetched)
    mail_.resolved.erase(mail_.resolved.begin(), mail_.resolved.end() - kMostUnfetched);
  mail_.resolutions_answered = last;
  answered_.notify_all();
}

std::size_t Worker::drain() noexcept {
  std::size_t drained = 0;
  while (drained < kMostPerRound) {
    const std::size_t batch = drain_.take_batch(read_moment());
    drained += batch;
    if (batch == 0) break;
  }
  return drained;
}

void Worker::publish(std::uint64_t asked) noexcept {
  std::shared_ptr<const store::Snapshot> snapshot;
  try {
    snapshot = drain_.snapshot(read_moment());
  } catch (...) {
    // Memory was refused: the last one stands.
  }
  {
    const std::scoped_lock lock(mutex_);
    if (snapshot != nullptr) mail_.snapshot.swap(snapshot);
    mail_.snapshots_answered = asked;
  }
  answered_.notify_all();  // the one before is freed here, outside the lock
}

// Sleeps so long that the next drain finds about an eighth of the pool at the rate of the last one; on an
// idle server longer. Who looks, and a pool that runs low, wake it.
void Worker::sleep(std::size_t drained) noexcept {
  if (drained >= kMostPerRound) return;
  const std::size_t wanted = std::max<std::size_t>(core_.pool().capacity() / 8, 1);
  idle_rounds_ = drained == 0 ? idle_rounds_ + 1 : 0;
  std::chrono::microseconds pause = idle_rounds_ > kIdleRounds ? poll_ * kIdleFactor : poll_;
  if (drained > wanted) {
    pause = std::max<std::chrono::microseconds>(pause * wanted / drained, std::min(kShortestPause, poll_));
  }
  const auto nanoseconds = std::chrono::nanoseconds(pause).count();
  const timespec timeout{static_cast<time_t>(nanoseconds / 1'000'000'000),
                         static_cast<long>(nanoseconds % 1'000'000'000)};
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&core_.hurry), FUTEX_WAIT_PRIVATE, 0, &timeout, nullptr,
          0);
}

}  // namespace inlens::worker
