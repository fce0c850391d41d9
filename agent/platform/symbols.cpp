#include "agent/platform/symbols.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elfutils/libdwfl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <unordered_map>

namespace inlens {

namespace {

constexpr std::size_t kMost = 10'000;  // addresses remembered

std::atomic<bool> g_missing{false};

// libdw's functions, loaded for ever.
struct Dw {
  decltype(&dwfl_begin) begin;
  decltype(&dwfl_end) end;
  decltype(&dwfl_linux_proc_report) report;
  decltype(&dwfl_linux_proc_find_elf) find_elf;
  decltype(&dwfl_report_end) report_end;
  decltype(&dwfl_build_id_find_debuginfo) find_debuginfo;
  decltype(&dwfl_addrmodule) module_of;
  decltype(&dwfl_module_addrname) name_of;
  decltype(&dwfl_module_getsrc) line_of;
  decltype(&dwfl_lineinfo) line_info;

  static const Dw* get() {
    static const Dw* const loaded = load();
    return loaded;
  }

 private:
  static const Dw* load() {
    static Dw dw;
    void* library = dlopen("libdw.so.1", RTLD_LAZY | RTLD_LOCAL);
    const auto take = [library](auto& function, const char* name) {
      function = library == nullptr
                     ? nullptr
                     : reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      return function != nullptr;
    };
    const bool whole =
        take(dw.begin, "dwfl_begin") && take(dw.end, "dwfl_end") &&
        take(dw.report, "dwfl_linux_proc_report") && take(dw.find_elf, "dwfl_linux_proc_find_elf") &&
        take(dw.report_end, "dwfl_report_end") && take(dw.find_debuginfo, "dwfl_build_id_find_debuginfo") &&
        take(dw.module_of, "dwfl_addrmodule") && take(dw.name_of, "dwfl_module_addrname") &&
        take(dw.line_of, "dwfl_module_getsrc") && take(dw.line_info, "dwfl_lineinfo");
    g_missing.store(!whole, std::memory_order_relaxed);
    return whole ? &dw : nullptr;
  }
};

std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                         &std::free);
  std::string whole = text != nullptr ? text.get() : name;
  return whole.substr(0, whole.find('('));  // the line tells which overload it is
}

// One look at the modules of this process; as short-lived as the questions at hand, so that nothing stays in
// memory and modules loaded later are met.
class Session {
 public:
  explicit Session(const Dw& dw) : dw_(dw) {
    callbacks_.find_elf = dw.find_elf;
    callbacks_.find_debuginfo = dw.find_debuginfo;  // by build id alone: nothing is ever downloaded
    callbacks_.debuginfo_path = &path_;
    dwfl_ = dw_.begin(&callbacks_);
    if (dwfl_ == nullptr) return;
    dw_.report(dwfl_, getpid());
    dw_.report_end(dwfl_, nullptr, nullptr);
  }
  ~Session() {
    if (dwfl_ != nullptr) dw_.end(dwfl_);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Symbol find(std::uint64_t return_address) const {
    Symbol symbol;
    const std::uint64_t address = return_address - 1;  // inside the call
    Dwfl_Module* module = dwfl_ != nullptr ? dw_.module_of(dwfl_, address) : nullptr;
    if (module == nullptr) return symbol;
    if (const char* name = dw_.name_of(module, address)) symbol.function = demangled(name);
    if (Dwfl_Line* line = dw_.line_of(module, address)) {
      if (const char* file = dw_.line_info(line, nullptr, &symbol.line, nullptr, nullptr, nullptr)) {
        symbol.file = file;
        symbol.file.erase(0, symbol.file.rfind('/') + 1);
      }
    }
    return symbol;
  }

 private:
  const Dw& dw_;
  char* path_ = nullptr;
  Dwfl_Callbacks callbacks_{};
  Dwfl* dwfl_ = nullptr;
};

}  // namespace

// Shared with the thread, which may outlive its Symbols.
struct Symbols::State {
  struct Answer {
    Symbol symbol;
    bool known = false;
  };

  std::mutex mutex;
  std::condition_variable asked;
  std::unordered_map<std::uint64_t, Answer> answers;
  std::deque<std::uint64_t> questions;
  std::atomic<std::uint64_t> count{0};
  bool started = false;
  bool stopping = false;

  static void* enter(void* holder) {
    pthread_setname_np(pthread_self(), "inlens-symbols");
    const std::unique_ptr<std::shared_ptr<State>> state(static_cast<std::shared_ptr<State>*>(holder));
    (*state)->run();
    return nullptr;
  }

  void run() noexcept {
    std::unique_lock lock(mutex);
    while (!stopping) {
      if (questions.empty()) {
        asked.wait(lock);
        continue;
      }
      std::deque<std::uint64_t> batch;
      batch.swap(questions);
      lock.unlock();
      answer(batch);
      lock.lock();
    }
  }

  void answer(const std::deque<std::uint64_t>& batch) noexcept {
    try {
      const Dw* dw = Dw::get();
      if (dw == nullptr) return;
      const Session session(*dw);
      for (const std::uint64_t address : batch) {
        Symbol symbol = session.find(address);
        const std::scoped_lock lock(mutex);
        if (stopping) return;
        Answer& slot = answers[address];
        slot.symbol = std::move(symbol);
        slot.known = true;
        count.fetch_add(1, std::memory_order_relaxed);
      }
    } catch (...) {
      // Memory was refused: what is not answered stays an address.
    }
  }

  // With the mutex held.
  void start(const std::shared_ptr<State>& self) {
    started = true;
    auto holder = std::make_unique<std::shared_ptr<State>>(self);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    if (pthread_create(&thread, nullptr, &State::enter, holder.get()) == 0) {
      holder.release();
      pthread_detach(thread);
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
};

Symbols::Symbols() : state_(std::make_shared<State>()) {}

Symbols::~Symbols() {
  const std::scoped_lock lock(state_->mutex);
  state_->stopping = true;
  state_->asked.notify_all();
}

const Symbol* Symbols::find(std::uint64_t return_address) {
  const std::scoped_lock lock(state_->mutex);
  const auto [at, fresh] = state_->answers.try_emplace(return_address);
  if (fresh) {
    if (state_->answers.size() > kMost) {
      state_->answers.erase(at);
      return nullptr;
    }
    state_->questions.push_back(return_address);
    if (!state_->started) state_->start(state_);
    state_->asked.notify_one();
  }
  return at->second.known ? &at->second.symbol : nullptr;  // references into the map stay good
}

std::uint64_t Symbols::answers() const {
  return state_->count.load(std::memory_order_relaxed);
}

std::string Symbols::problem() {
  return g_missing.load(std::memory_order_relaxed) ? "install libdw1 to see function, file and line" : "";
}

}  // namespace inlens
