// Interposed: connections from their opening to their close, and the database that they are on.
#include "collectors/mysql/interposed.hpp"
#include "collectors/mysql/state.hpp"
#include "collectors/preload/cycles.hpp"

using namespace inlens::mysql;

namespace {

constexpr int kFailed = 1;

namespace real {
constinit INLENS_MYSQL_REAL(mysql_real_connect);
constinit INLENS_MYSQL_REAL(mysql_close);
constinit INLENS_MYSQL_REAL(mysql_change_user);
constinit INLENS_MYSQL_REAL(mysql_select_db);
}  // namespace real

inlens_connection_info info_of(const Connection& connection, std::uint64_t connect_ns) {
  constexpr std::string_view kind = "mysql";
  inlens_connection_info info{};
  info.struct_size = sizeof(info);
  info.kind = {kind.data(), kind.size()};
  info.target = {connection.target_text, connection.target_size};
  info.connect_ns = connect_ns;
  return info;
}

void opened(MYSQL* mysql, std::uint64_t connect_ns) {
  InUse connection(mysql);
  describe(*connection, mysql);
  const inlens_connection_info info = info_of(*connection, connect_ns);
  const inlens_request request = inlens_background_enter();
  connection->handle = inlens_connection_opened(request, &info);
  inlens_background_leave(request);
}

void not_opened(const Connection& connection, std::uint64_t connect_ns) {
  const inlens_connection_info info = info_of(connection, connect_ns);
  const inlens_request request = inlens_background_enter();
  inlens_connection_failed(request, &info);
  inlens_background_leave(request);
}

// What a change of user or database leaves behind.
void moved(MYSQL* mysql, bool failed) {
  Connection* connection = failed ? nullptr : g_connections.find(mysql);
  if (connection != nullptr) describe(*connection, mysql);
}

}  // namespace

INLENS_EXPORTED MYSQL* inlens_mysql_real_connect(MYSQL* mysql, const char* host, const char* user,
                                                 const char* password, const char* database,
                                                 unsigned int port, const char* socket, unsigned long flags) {
  const void* caller = INLENS_CALLER;
  auto* call = real::mysql_real_connect.get(caller);
  if (call == nullptr) return nullptr;
  const Entry entry(caller);
  if (!entry.is_seen()) return call(mysql, host, user, password, database, port, socket, flags);
  const std::uint64_t since = inlens::preload::system_ns();
  MYSQL* connected = call(mysql, host, user, password, database, port, socket, flags);
  const std::uint64_t took_ns = inlens::preload::system_ns() - since;
  if (connected != nullptr) {
    opened(connected, took_ns);
  } else {
    Connection wanted;
    describe(wanted, host, port, socket, database);
    not_opened(wanted, took_ns);
  }
  return connected;
}
INLENS_MYSQL_EXPORT(mysql_real_connect);

// Seen at every level, as the memory may be another connection's right afterwards.
INLENS_EXPORTED void inlens_mysql_close(MYSQL* mysql) {
  const void* caller = INLENS_CALLER;
  auto* call = real::mysql_close.get(caller);
  if (call == nullptr) return;
  if (Connection* connection = g_connections.find(mysql)) {
    if (connection->run.is_open()) connection->run.end();
    if (connection->handle != INLENS_NONE) inlens_connection_closed(connection->handle);
    g_connections.remove(mysql);
  }
  call(mysql);
}
INLENS_MYSQL_EXPORT(mysql_close);

INLENS_EXPORTED my_bool inlens_mysql_change_user(MYSQL* mysql, const char* user, const char* password,
                                                 const char* database) {
  const void* caller = INLENS_CALLER;
  auto* call = real::mysql_change_user.get(caller);
  if (call == nullptr) return kFailed;
  const Entry entry(caller);
  const my_bool failed = call(mysql, user, password, database);
  if (entry.is_seen()) moved(mysql, failed != 0);
  return failed;
}
INLENS_MYSQL_EXPORT(mysql_change_user);

INLENS_EXPORTED int inlens_mysql_select_db(MYSQL* mysql, const char* database) {
  const void* caller = INLENS_CALLER;
  auto* call = real::mysql_select_db.get(caller);
  if (call == nullptr) return kFailed;
  const Entry entry(caller);
  const int failed = call(mysql, database);
  if (entry.is_seen()) moved(mysql, failed != 0);
  return failed;
}
INLENS_MYSQL_EXPORT(mysql_select_db);
