// Spans, statements and outgoing calls: the hooks' bodies behind the C ABI.
// Threads: host threads. Blocks: never. Past a request's caps counters and times go on, details stop.
#pragma once

#include <cstdint>
#include <string_view>

#include "agent/hooks/core.hpp"

namespace inlens::hooks {

struct StatementInfo {
  std::string_view text, database;
  std::uint8_t dialect = 0;
  const void* caller = nullptr;
};
struct StatementResult {
  bool failed = false;
  std::int64_t rows = -1;
  std::uint64_t duration_ns = 0;  // 0: since begin
  std::string_view error_code, error_message;
};
struct CallInfo {
  std::string_view method, url;
};
struct CallResult {
  bool failed = false;
  std::uint32_t status = 0;
  std::uint64_t bytes_out = 0, bytes_in = 0;
  std::string_view error_message;
};

std::uint64_t begin_span(Core& core, std::uint64_t request, std::uint8_t kind, std::string_view name);
void end_span(Core& core, std::uint64_t span);
void add_span(Core& core, std::uint64_t request, std::uint8_t kind, std::string_view name,
              std::uint64_t duration_ns);

std::uint64_t begin_statement(Core& core, std::uint64_t request, const StatementInfo& info);
void end_statement(Core& core, std::uint64_t statement, const StatementResult& result);

std::uint64_t begin_call(Core& core, std::uint64_t request, const CallInfo& info);
void end_call(Core& core, std::uint64_t call, const CallResult& result);

}  // namespace inlens::hooks
