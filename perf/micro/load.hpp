// The work that both benchmark programs measure: whole requests through the C ABI as a host makes them, and
// the pure parts behind it.
#pragma once

#include <inlens/inlens.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace inlens::micro {

// Starts the agent at `level` with its worker polling every `poll_ms`, and a console on any free port.
bool start_agent(inlens_level level, unsigned poll_ms);

// One request: begin, route, `statements` statements of 80 bytes with their results, end.
void one_request(int statements);

// The same with the processor time of the request read twice, as a host that attaches has it at level full.
void one_attached_request(int statements);

// Makes the worker drain now and waits for it, by asking the mounted console.
bool drain_now();

// Processor time of the worker thread so far.
std::uint64_t worker_cpu_ns();

// Waits until the worker has emptied the queue by its own polling.
void await_empty_queue();

// One text of about 80 bytes, with literals and with placeholders, and one of 500.
extern const std::string_view kSqlLiterals;
extern const std::string_view kSqlPlaceholders;
extern const std::string_view kSqlLong;

}  // namespace inlens::micro
