// Spans, statements and outgoing calls: the hooks' bodies behind the C ABI.
// Threads: host threads. Blocks: never. Past a request's caps counters and times go on, details stop.
#pragma once

#include <inlens/inlens.h>

#include <cstdint>
#include <string_view>

#include "agent/hooks/core.hpp"

namespace inlens::hooks {

std::uint64_t begin_span(Core& core, std::uint64_t request, std::uint8_t kind, std::string_view name);
void end_span(Core& core, std::uint64_t span);
void add_span(Core& core, std::uint64_t request, std::uint8_t kind, std::string_view name,
              std::uint64_t duration_ns);

// `level` is that of a background record, should one begin.
std::uint64_t begin_statement(Core& core, std::uint8_t level, std::uint64_t request,
                              const inlens_statement_info& info) noexcept;
void end_statement(Core& core, std::uint64_t statement, const inlens_statement_result& result) noexcept;
void add_statement(Core& core, std::uint8_t level, std::uint64_t request, const inlens_statement_info& info,
                   const inlens_statement_result& result) noexcept;

std::uint64_t begin_call(Core& core, std::uint64_t request, const inlens_call_info& info) noexcept;
void end_call(Core& core, std::uint64_t call, const inlens_call_result& result) noexcept;

}  // namespace inlens::hooks
