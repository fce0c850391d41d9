#include "collectors/preload/launcher/settings_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "collectors/preload/launcher/elf_file.hpp"

namespace inlens::launcher {

std::string token_in_settings(const std::string& file) {
  if (file.empty()) return {};
  const Mapping mapping(file);
  const auto json = nlohmann::json::parse(mapping.bytes(), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return {};
  for (const char* pointer : {"/console.token", "/console/token"}) {
    const nlohmann::json::json_pointer at(pointer);
    if (json.contains(at) && json[at].is_string()) return json[at].get<std::string>();
  }
  return {};
}

std::string problem_of_settings(const std::string& file) {
  if (access(file.c_str(), R_OK) != 0) return std::strerror(errno);
  const Mapping mapping(file);
  const auto json = nlohmann::json::parse(mapping.bytes(), nullptr, /*allow_exceptions=*/false);
  return json.is_object() ? "" : "it is not a JSON object";
}

}  // namespace inlens::launcher
