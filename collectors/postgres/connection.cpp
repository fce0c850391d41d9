#include "collectors/postgres/connection.hpp"

#include <errno.h>
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "collectors/postgres/libpq.hpp"

namespace inlens::postgres {

namespace {

constexpr std::size_t kConnections = 4096;
constexpr std::size_t kProbes = 16;
constexpr std::size_t kLongestText = 65536;
constexpr std::size_t kAllTexts = 16u << 20;

std::atomic<PGconn*> g_keys[kConnections];
Connection g_connections[kConnections];
std::atomic<std::size_t> g_text_bytes{0};

std::size_t first_place_of(const PGconn* connection) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(connection);
  return static_cast<std::size_t>((address >> 4) * 0x9E3779B97F4A7C15u >> 40);
}

void free_text(char* text, std::size_t size) noexcept {
  std::free(text);
  g_text_bytes.fetch_sub(size, std::memory_order_relaxed);
}

}  // namespace

std::uint64_t hash_of(const char* name) noexcept {
  std::uint64_t hash = 0xCBF29CE484222325u;  // FNV-1a
  for (; name != nullptr && *name != '\0'; ++name)
    hash = (hash ^ static_cast<unsigned char>(*name)) * 0x100000001B3u;
  return hash;
}

void PreparedTexts::remember(std::uint64_t name, const char* text) noexcept {
  if (text == nullptr) return;
  const int error = errno;
  if (sets_ == nullptr) sets_ = static_cast<Set*>(std::calloc(kSets, sizeof(Set)));
  const std::size_t size = strnlen(text, kLongestText);
  char* copy = nullptr;
  if (sets_ != nullptr && g_text_bytes.load(std::memory_order_relaxed) + size <= kAllTexts)
    copy = static_cast<char*>(std::malloc(size + 1));
  errno = error;
  if (copy == nullptr) return count_unseen();
  std::memcpy(copy, text, size);
  g_text_bytes.fetch_add(size, std::memory_order_relaxed);
  Set& set = sets_[name % kSets];
  const auto same = [&](const Entry& entry) { return entry.text != nullptr && entry.name == name; };
  Entry* place = std::find_if(set.entries, set.entries + kWays, same);
  if (place == set.entries + kWays) place = &set.entries[set.next++ % kWays];
  if (place->text != nullptr) free_text(place->text, place->size);
  *place = {name, copy, size};
}

std::string_view PreparedTexts::find(std::uint64_t name) const noexcept {
  if (sets_ == nullptr) return {};
  for (const Entry& entry : sets_[name % kSets].entries)
    if (entry.text != nullptr && entry.name == name) return {entry.text, entry.size};
  return {};
}

void PreparedTexts::clear() noexcept {
  if (sets_ == nullptr) return;
  for (std::size_t set = 0; set < kSets; ++set)
    for (const Entry& entry : sets_[set].entries)
      if (entry.text != nullptr) free_text(entry.text, entry.size);
  std::free(sets_);
  sets_ = nullptr;
}

void Target::learn(PGconn* connection) noexcept {
  size = 0;
  const auto add = [&](const char* part) {
    if (part != nullptr) size += std::string_view(part).copy(text + size, sizeof(text) - size);
  };
  add(libpq::host.get()(connection));
  add(":");
  add(libpq::port.get()(connection));
  add("/");
  add(libpq::db.get()(connection));
}

Pending* Connection::push() noexcept {
  const std::uint32_t room = queue == nullptr ? 1 : kPipeline;
  if (beyond > 0 || count == room) {
    ++beyond;
    count_unseen();
    return nullptr;
  }
  Pending* place = at(count++);
  *place = Pending();
  return place;
}

void Connection::pop() noexcept {
  if (count == 0) {
    if (beyond > 0) --beyond;
    return;
  }
  --count;
  if (queue != nullptr) first = (first + 1) % kPipeline;
}

void Connection::drop_all() noexcept {
  first = count = beyond = 0;
}

void Connection::make_queue() noexcept {
  if (queue != nullptr || count != 0) return;
  const int error = errno;
  queue = new (std::nothrow) Pending[kPipeline];
  errno = error;
}

void Connection::forget() noexcept {
  prepared.clear();
  delete[] queue;
  queue = nullptr;
  drop_all();
  handle = INLENS_NONE;
  is_used = in_pipeline = is_resetting = false;
  connect_began_ns = answered_ns = 0;
  target.size = 0;
}

Held::Held(PGconn* connection, IfUnknown if_unknown) noexcept {
  if (connection == nullptr) return;  // the mark of a free place
  const std::size_t start = first_place_of(connection);
  std::size_t place = start;
  const std::size_t end = start + kProbes;
  while (place != end && g_keys[place % kConnections].load(std::memory_order_acquire) != connection) ++place;
  if (place == end) {
    if (if_unknown == IfUnknown::kLeave) return;
    for (place = start; place != end; ++place) {
      PGconn* expected = nullptr;
      if (g_keys[place % kConnections].compare_exchange_strong(expected, connection)) break;
    }
    if (place == end) {
      count_unseen();
      return;
    }
  }
  Connection& found = g_connections[place % kConnections];
  if (found.held.exchange(true, std::memory_order_acquire)) {
    count_unseen();
    return;
  }
  if (g_keys[place % kConnections].load(std::memory_order_relaxed) != connection) {
    found.held.store(false, std::memory_order_release);
    return;
  }
  key_ = &g_keys[place % kConnections];
  connection_ = &found;
}

void Held::remove() noexcept {
  connection_->forget();
  key_->store(nullptr, std::memory_order_release);
}

}  // namespace inlens::postgres
