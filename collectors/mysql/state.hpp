// What the collector remembers of connections and prepared statements, and whether an interposed call is one
// that the host made and that is to be seen.
//
// Threads: any. Blocks: the first call, for the agent's start.
#pragma once

#include <mysql.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "collectors/mysql/run.hpp"
#include "collectors/preload/handle_table.hpp"
#include "collectors/preload/inside.hpp"

namespace inlens::mysql {

struct Connection {
  inlens_connection handle = INLENS_NONE;
  Run run;
  std::uint16_t target_size = 0;
  char target_text[206] = {};

  std::string_view target() const noexcept { return {target_text, target_size}; }
};

struct Prepared {
  MYSQL* mysql = nullptr;
  Run run;
  std::uint16_t text_size = 0;
  char text_kept[2038] = {};

  std::string_view text() const noexcept { return {text_kept, text_size}; }
  void keep(std::string_view text) noexcept;
};

extern preload::HandleTable<Connection, 4096> g_connections;
extern preload::HandleTable<Prepared, 4096> g_prepared;

// "host:port/database" or "socket/database", from the library; without user and password.
void describe(Connection& connection, MYSQL* mysql) noexcept;
// The same from what the host wants to connect to; a host that may hold more than a name is left out.
void describe(Connection& connection, const char* host, unsigned port, const char* socket,
              const char* database) noexcept;

// The state of a connection in use. One that found no room in the table is kept here for the call alone.
class InUse {
 public:
  explicit InUse(MYSQL* mysql) noexcept;
  // Of a statement that goes on only what was seen so far is known.
  ~InUse();
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;

  Connection& operator*() noexcept { return *connection_; }
  Connection* operator->() noexcept { return connection_; }

 private:
  Connection* connection_;
  std::optional<Connection> spare_;
};

// Counts what found no room, and tells the console.
void lose_one() noexcept;

class Entry {
 public:
  explicit Entry(const void* caller) noexcept;
  bool is_seen() const noexcept { return seen_; }

 private:
  std::optional<preload::Inside> inside_;
  bool seen_;
};

}  // namespace inlens::mysql
