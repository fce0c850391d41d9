#include "collectors/sqlite/connections.hpp"

namespace inlens::sqlite {

namespace {

constexpr std::string_view kKind = "sqlite";

Slots<Connection, 512> g_connections;

thread_local constinit ConnectionSlot t_last;  // found last; its key tells whether it still holds

inlens_str text(std::string_view given) {
  return {given.data(), given.size()};
}

// Without the parameters of a URI, where a key may stand.
std::string_view target_of(const char* file) {
  if (file == nullptr || *file == '\0') return "(temporary)";
  const std::string_view whole = file;
  return whole.starts_with("file:") ? whole.substr(0, whole.find('?')) : whole;
}

std::string_view short_name(std::string_view target) {
  const std::size_t slash = target.rfind('/');
  return slash == std::string_view::npos || slash + 1 == target.size() ? target : target.substr(slash + 1);
}

inlens_connection_info info_of(std::string_view target, std::uint64_t connect_ns) {
  inlens_connection_info info{};
  info.struct_size = sizeof(info);
  info.kind = text(kKind);
  info.target = text(target);
  info.connect_ns = connect_ns;
  return info;
}

void put(sqlite3* connection, inlens_connection handle, std::string_view name) noexcept {
  g_connections.insert(connection, [&](Connection& value) {
    value.handle.store(handle, std::memory_order_relaxed);
    value.name_size = static_cast<std::uint32_t>(name.copy(value.name, sizeof(value.name)));
  });
}

}  // namespace

void connection_opened(sqlite3* connection, const char* file, std::uint64_t connect_ns) noexcept {
  const std::string_view target = target_of(file);
  const inlens_connection_info info = info_of(target, connect_ns);
  put(connection, inlens_connection_opened(INLENS_CURRENT, &info), short_name(target));
}

void connection_failed(const char* file, std::uint64_t connect_ns) noexcept {
  const inlens_connection_info info = info_of(target_of(file), connect_ns);
  inlens_connection_failed(INLENS_CURRENT, &info);
}

Closing connection_closing(sqlite3* connection) noexcept {
  Closing closing;
  closing.connection = connection;
  const ConnectionSlot slot = g_connections.find(connection);
  if (!slot) return closing;
  closing.known = true;
  closing.handle = slot.value->handle.load(std::memory_order_relaxed);
  closing.name_size =
      static_cast<std::uint32_t>(slot.value->title().copy(closing.name, sizeof(closing.name)));
  slot.release();
  return closing;
}

void connection_closed(const Closing& closing) noexcept {
  if (closing.known) inlens_connection_closed(closing.handle);
}

void connection_stays(const Closing& closing) noexcept {
  if (closing.known) put(closing.connection, closing.handle, {closing.name, closing.name_size});
}

ConnectionSlot find_connection(const sqlite3* connection) noexcept {
  ConnectionSlot& last = t_last;
  if (!last || last.key->load(std::memory_order_acquire) != connection) last = g_connections.find(connection);
  return last;
}

}  // namespace inlens::sqlite
