// Errors, messages, panels and headers: the hooks' bodies behind the C ABI.
// Threads: host threads. Blocks: never. Secrets are masked here, before anything is kept.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "agent/hooks/core.hpp"

namespace inlens::hooks {

struct ErrorInfo {
  std::string_view type, message, code;
  bool handled = false;
  std::span<const void* const> frames;
};

struct PanelInfo {
  std::uint8_t kind = 0;
  std::string_view title;
  std::uint32_t columns = 0, rows = 0;
  // Called with row and column for each cell, in order.
  std::string_view (*cell)(const void* user, std::uint32_t row, std::uint32_t column) = nullptr;
  const void* user = nullptr;
  const std::uint8_t* depths = nullptr;  // one a row, or nullptr
};

// Without a request (0, or the current one where there is none) the error becomes an event of its own.
void report_error(Core& core, std::uint64_t request, const ErrorInfo& info);
void add_message(Core& core, std::uint64_t request, std::uint8_t severity, std::string_view text);
void add_panel(Core& core, std::uint64_t request, const PanelInfo& info);
// Kept at levels standard and full only.
void add_header(Core& core, std::uint64_t request, std::uint8_t direction, std::string_view name,
                std::string_view value);

}  // namespace inlens::hooks
