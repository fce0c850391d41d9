#include "collectors/mysql/state.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>

#include "collectors/mysql/library.hpp"
#include "collectors/preload/agent.hpp"

namespace inlens::mysql {

constinit preload::HandleTable<Connection, 4096> g_connections;
constinit preload::HandleTable<Prepared, 4096> g_prepared;

namespace {

std::atomic<std::uint64_t> g_lost{0};

void set_target(Connection& connection, const char* host, unsigned port, const char* socket,
                const char* database) noexcept {
  const bool local = socket != nullptr && *socket != '\0';
  const bool names = database != nullptr && *database != '\0';
  constexpr int capacity = sizeof(connection.target_text);
  int size = local ? std::snprintf(connection.target_text, capacity, "%.100s", socket)
                   : std::snprintf(connection.target_text, capacity, "%.90s:%u", host, port);
  if (size > 0 && names)
    size += std::snprintf(connection.target_text + size, static_cast<std::size_t>(capacity - size), "/%.64s",
                          database);
  connection.target_size = static_cast<std::uint16_t>(std::clamp(size, 0, capacity - 1));
}

}  // namespace

void Prepared::keep(std::string_view text) noexcept {
  text_size = static_cast<std::uint16_t>(std::min(text.size(), sizeof(text_kept)));
  std::memcpy(text_kept, text.data(), text_size);
}

void describe(Connection& connection, MYSQL* mysql) noexcept {
  const auto ask = library().info;
  const char *host = nullptr, *socket = nullptr, *database = nullptr;
  unsigned port = 0;
  ask(mysql, MARIADB_CONNECTION_HOST, &host);
  ask(mysql, MARIADB_CONNECTION_PORT, &port);
  ask(mysql, MARIADB_CONNECTION_UNIX_SOCKET, &socket);
  ask(mysql, MARIADB_CONNECTION_SCHEMA, &database);
  if (host != nullptr || socket != nullptr)
    set_target(connection, host != nullptr ? host : "localhost", port, socket, database);
}

void describe(Connection& connection, const char* host, unsigned port, const char* socket,
              const char* database) noexcept {
  const bool here = host == nullptr || *host == '\0';
  const bool plain = here || std::strpbrk(host, "=;@?") == nullptr;
  set_target(connection,
             here    ? "localhost"
             : plain ? host
                     : "?",
             port != 0 ? port : 3306, here ? socket : nullptr, database);
}

InUse::InUse(MYSQL* mysql) noexcept : connection_(g_connections.add(mysql)) {
  if (connection_ == nullptr) {
    connection_ = &spare_.emplace();
    lose_one();
  }
  // Opened before it could be seen.
  if (connection_->target_size == 0 && mysql != nullptr) describe(*connection_, mysql);
}

InUse::~InUse() {
  if (spare_ && spare_->run.is_open()) spare_->run.end();
}

void lose_one() noexcept {
  const std::uint64_t lost = g_lost.fetch_add(1, std::memory_order_relaxed) + 1;
  if ((lost & (lost - 1)) != 0) return;
  char detail[128];
  const int size = std::snprintf(detail, sizeof(detail),
                                 "libmariadb; more than 4,096 connections or prepared statements at a time: "
                                 "%llu uses without rows or text",
                                 static_cast<unsigned long long>(lost));
  constexpr std::string_view name = "mysql";
  inlens_collector_report({name.data(), name.size()}, INLENS_COLLECTOR_ON,
                          {detail, size > 0 ? static_cast<std::size_t>(size) : 0});
}

Entry::Entry(const void* caller) noexcept : seen_(false) {
  const Library& used = library(caller);
  // The library's own calls may come on a stack of its non-blocking functions that is left in the middle, so
  // nothing of the thread's is touched for them. From our own library they come where it ends one exported
  // function with a jump to another.
  if (!used.usable || used.range.contains(caller) || used.ours.contains(caller)) return;
  if (!preload::agent_is_running() || inlens_level_get() == INLENS_LEVEL_OFF) return;
  inside_.emplace(preload::Library::kMysql);
  seen_ = inside_->is_outermost();
}

}  // namespace inlens::mysql
