// extern "C" bodies: background work, connections, collectors.
#include "agent/hooks/connections.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "agent/abi/guard.hpp"
#include "agent/hooks/background.hpp"
#include "agent/hooks/collectors.hpp"
#include "agent/hooks/handle.hpp"
#include "agent/hooks/spans.hpp"
#include "agent/hooks/this_thread.hpp"
#include "agent/platform/clock.hpp"

using namespace inlens;
using abi::view;
using abi::when_open;
using abi::with_core;
using abi::with_known;
using hooks::Core;

namespace {

constexpr std::uint64_t kTagConnection = 4;

// The upper bits of the seed tell the cores of a process and of its forked children apart.
std::uint32_t mark_of(const Core& core) {
  return core.seed() >> 8;
}

// The row of a handle of this core, or nullptr.
hooks::ConnectionRow* row_of(Core& core, inlens_connection connection, std::uint32_t& row) {
  row = hooks::low_of(connection);
  const bool ours = hooks::tag_of(connection) == kTagConnection && row <= hooks::kOtherTarget &&
                    hooks::index_of(connection) == (mark_of(core) & 0xFFFFFF);
  return ours ? &core.connections[row] : nullptr;
}

void show_in_request(Core& core, inlens_request request, const inlens_connection_info& info) {
  if (request == INLENS_NONE) return;
  char name[128];
  const std::string_view kind = view(info.kind).substr(0, 16);
  const std::string_view target = view(info.target).substr(0, sizeof(name) - 17);
  std::size_t size = kind.copy(name, kind.size());
  name[size++] = ' ';
  size += target.copy(name + size, target.size());
  hooks::add_span(core, request, INLENS_SPAN_CONNECT, {name, size}, info.connect_ns);
}

}  // namespace

extern "C" {

inlens_request inlens_background_enter(void) {
  return when_open(INLENS_NONE, [](Core& core, std::uint8_t level) {
    return hooks::enter_background(core, level, ticks()).request;
  });
}

void inlens_background_leave(inlens_request request) {
  if (request == INLENS_NONE) return;
  with_core([=](Core& core) { hooks::leave_background(core, request); });
}

inlens_connection inlens_connection_opened(inlens_request request, const inlens_connection_info* given) {
  return when_open(INLENS_NONE, [=](Core& core, std::uint8_t) {
    return with_known(given, [&](const inlens_connection_info& info) {
      const std::uint32_t row = core.connections.find(view(info.kind), view(info.target));
      core.connections[row].opened.fetch_add(1, std::memory_order_relaxed);
      core.connections[row].connect_ns.fetch_add(info.connect_ns, std::memory_order_relaxed);
      show_in_request(core, request, info);
      return hooks::make_handle(kTagConnection, mark_of(core) & 0xFFFFFF, row);
    });
  });
}

void inlens_connection_closed(inlens_connection connection) {
  with_core([=](Core& core) {
    std::uint32_t row = 0;
    if (hooks::ConnectionRow* at = row_of(core, connection, row))
      at->closed.fetch_add(1, std::memory_order_relaxed);
  });
}

void inlens_connection_failed(inlens_request request, const inlens_connection_info* given) {
  when_open(0, [=](Core& core, std::uint8_t) {
    return with_known(given, [&](const inlens_connection_info& info) {
      const std::uint32_t row = core.connections.find(view(info.kind), view(info.target));
      core.connections[row].failed.fetch_add(1, std::memory_order_relaxed);
      show_in_request(core, request, info);
      return 0;
    });
  });
}

void inlens_connection_use(inlens_connection connection, bool in_use) {
  with_core([=](Core& core) {
    std::uint32_t row = 0;
    hooks::ConnectionRow* at = row_of(core, connection, row);
    if (at == nullptr) return;
    if (!at->tells_use.load(std::memory_order_relaxed)) [[unlikely]]
      at->tells_use.store(true, std::memory_order_relaxed);
    hooks::ThreadState* state = hooks::this_thread(core);
    if (state != nullptr) state->totals.in_use[row].add(in_use ? 1 : ~std::uint64_t{0});
  });
}

void inlens_collector_report(inlens_str name, inlens_collector_state state, inlens_str detail) {
  const bool known = state >= INLENS_COLLECTOR_ON && state <= INLENS_COLLECTOR_IMPOSSIBLE;
  hooks::report_collector(view(name), known ? state : INLENS_COLLECTOR_OFF, view(detail));
}

}  // extern "C"
