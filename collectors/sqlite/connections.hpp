// The host's open databases: what each is called in a statement's detail. Whether one is in use is not told:
// it is a handle in the host's own process, in use while a statement of it is.
// Threads: any. A connection beyond the table's places (3,584) is still used and its statements are seen; it
// is counted as opened alone, and has no name.
#pragma once

#include <inlens/inlens.h>
#include <sqlite3.h>

#include <atomic>
#include <cstdint>
#include <string_view>

#include "collectors/sqlite/slots.hpp"

namespace inlens::sqlite {

struct Connection {
  std::atomic<inlens_connection> handle{INLENS_NONE};
  std::uint32_t name_size = 0;
  char name[52] = {};

  std::string_view title() const { return {name, name_size}; }
};

using ConnectionSlot = Slots<Connection, 512>::Slot;

// `file` as the host gave it to open; nullptr is a temporary database.
void connection_opened(sqlite3* connection, const char* file, std::uint64_t connect_ns) noexcept;
void connection_failed(const char* file, std::uint64_t connect_ns) noexcept;

// Closing takes two steps, since the address may be another connection's as soon as SQLite has freed it.
struct Closing {
  sqlite3* connection = nullptr;
  inlens_connection handle = INLENS_NONE;
  std::uint32_t name_size = 0;
  char name[sizeof(Connection::name)] = {};
  bool known = false;
};
Closing connection_closing(sqlite3* connection) noexcept;
void connection_closed(const Closing& closing) noexcept;
void connection_stays(const Closing& closing) noexcept;

ConnectionSlot find_connection(const sqlite3* connection) noexcept;

}  // namespace inlens::sqlite
