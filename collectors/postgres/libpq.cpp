#include "collectors/postgres/libpq.hpp"

#include <errno.h>
#include <inlens/inlens.h>

#include <atomic>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace inlens::postgres {

namespace {

enum class Known { kNotAsked, kYes, kNo };

std::atomic<Known> g_known{Known::kNotAsked};
std::atomic<std::uint64_t> g_unseen{0};
std::atomic<decltype(PQresultMemorySize)*> g_size_of{nullptr};

class Sentence {
 public:
  Sentence& operator<<(std::string_view text) noexcept {
    size_ += text.copy(text_ + size_, sizeof(text_) - size_);
    return *this;
  }
  Sentence& operator<<(std::uint64_t number) noexcept {
    const auto [end, error] = std::to_chars(text_ + size_, text_ + sizeof(text_), number);
    if (error == std::errc{}) size_ = static_cast<std::size_t>(end - text_);
    return *this;
  }
  inlens_str view() const noexcept { return {text_, size_}; }

 private:
  char text_[200];
  std::size_t size_ = 0;
};

void report() noexcept {
  constexpr std::string_view name = "postgresql";
  Sentence detail;
  if (g_known.load(std::memory_order_relaxed) != Known::kYes) {
    detail << "this process's libpq lacks functions that have been there since version 9.1";
    return inlens_collector_report({name.data(), name.size()}, INLENS_COLLECTOR_IMPOSSIBLE, detail.view());
  }
  const auto version = static_cast<std::uint64_t>(libpq::version.get()());
  detail << "libpq " << version / 10000 << "." << version % 10000;
  if (const std::uint64_t unseen = g_unseen.load(std::memory_order_relaxed); unseen != 0)
    detail << "; incomplete " << unseen
           << " times: no room for a connection or command, or an answer read on another thread";
  inlens_collector_report({name.data(), name.size()}, INLENS_COLLECTOR_ON, detail.view());
}

template <class... Fs>
bool have(const void* caller, preload::Real<Fs>&... functions) noexcept {
  return (... && (functions.get(caller) != nullptr));
}

bool ask(const void* caller) noexcept {
  const int error = errno;
  const bool known = have(caller, libpq::status, libpq::host, libpq::port, libpq::db, libpq::error_message,
                          libpq::result_status, libpq::error_field, libpq::result_message, libpq::ntuples,
                          libpq::cmd_tuples, libpq::version);
  constinit static preload::Real<decltype(PQresultMemorySize)> size_of{kLibpq, "PQresultMemorySize"};
  g_size_of.store(size_of.get(caller), std::memory_order_relaxed);
  g_known.store(known ? Known::kYes : Known::kNo, std::memory_order_release);
  report();
  errno = error;
  return known;
}

}  // namespace

bool libpq::is_known(const void* caller) noexcept {
  const Known known = g_known.load(std::memory_order_acquire);
  if (known == Known::kNotAsked) [[unlikely]]
    return ask(caller);
  return known == Known::kYes;
}

bool libpq::is_larger(const PGresult* result, std::size_t bytes) noexcept {
  const auto size_of = g_size_of.load(std::memory_order_relaxed);
  return size_of == nullptr || size_of(result) > bytes;
}

void count_unseen() noexcept {
  const std::uint64_t unseen = g_unseen.fetch_add(1, std::memory_order_relaxed) + 1;
  if ((unseen & (unseen - 1)) == 0) report();
}

}  // namespace inlens::postgres
