#include "agent/config/config.hpp"

#include <cstdlib>

#include "agent/config/settings_table.hpp"

namespace inlens {

Config::Config() {
  for (const config::Setting& setting : config::settings()) setting.write(*this, setting.default_value());
}

std::string Problem::text() const {
  std::string line = where;
  if (!key.empty()) line.append(": ").append(key);
  line.append(": ").append(message);
  if (!allowed.empty()) line.append(" (").append(allowed).append(")");
  if (!used.empty()) line.append("; using ").append(used);
  return line;
}

std::optional<std::string> process_environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr) return std::nullopt;
  return value;
}

std::string_view name_of(Level level) noexcept {
  constexpr std::string_view kNames[] = {"off", "light", "standard", "full"};
  return kNames[static_cast<std::size_t>(level) % 4];
}

std::string_view name_of(Origin origin) noexcept {
  constexpr std::string_view kNames[] = {"default", "file", "options", "environment", "console"};
  return kNames[static_cast<std::size_t>(origin) % 5];
}

}  // namespace inlens
