// extern "C" bodies: errors, messages, panels, headers.
#include "agent/hooks/events.hpp"

#include "agent/abi/guard.hpp"

using namespace inlens;
using abi::known;
using abi::view;
using abi::when_open;
using hooks::Core;

extern "C" {

void inlens_error_report(inlens_request request, const inlens_error_info* given) {
  if (given == nullptr) return;
  when_open(0, [=](Core& core, std::uint8_t) {
    inlens_error_info storage;
    const inlens_error_info& info = known(given, storage);
    const std::size_t frames = info.frames == nullptr ? 0 : info.frame_count;
    hooks::report_error(core, request,
                        {view(info.type),
                         view(info.message),
                         view(info.code),
                         (info.flags & INLENS_ERROR_HANDLED) != 0,
                         {info.frames, frames}});
    return 0;
  });
}

void inlens_message_add(inlens_request request, inlens_severity severity, inlens_str text) {
  if (request == INLENS_NONE) return;
  when_open(0, [=](Core& core, std::uint8_t) {
    const bool known_severity = severity >= INLENS_SEVERITY_DEBUG && severity <= INLENS_SEVERITY_ERROR;
    hooks::add_message(core, request,
                       static_cast<std::uint8_t>(known_severity ? severity : INLENS_SEVERITY_INFO),
                       view(text));
    return 0;
  });
}

void inlens_panel_add(inlens_request request, const inlens_panel_info* given) {
  if (request == INLENS_NONE || given == nullptr) return;
  when_open(0, [=](Core& core, std::uint8_t) {
    inlens_panel_info storage;
    const inlens_panel_info& info = known(given, storage);
    if (info.cells == nullptr || info.kind < INLENS_PANEL_TEXT || info.kind > INLENS_PANEL_TREE) return 0;
    constexpr std::size_t most = UINT32_MAX;
    hooks::PanelInfo panel;
    panel.kind = static_cast<std::uint8_t>(info.kind);
    panel.title = view(info.title);
    panel.columns = static_cast<std::uint32_t>(info.columns < most ? info.columns : most);
    panel.rows = static_cast<std::uint32_t>(info.rows < most ? info.rows : most);
    panel.user = &info;
    panel.depths = info.kind == INLENS_PANEL_TREE ? info.depths : nullptr;
    panel.cell = [](const void* user, std::uint32_t row, std::uint32_t column) {
      const auto& from = *static_cast<const inlens_panel_info*>(user);
      return view(from.cells[row * from.columns + column]);
    };
    hooks::add_panel(core, request, panel);
    return 0;
  });
}

void inlens_request_header(inlens_request request, inlens_direction direction, inlens_str name,
                           inlens_str value) {
  if (request == INLENS_NONE) return;
  // Light keeps no headers; the record's own level decides when the level changed meanwhile.
  if (hooks::g_gate.load(std::memory_order_relaxed) < INLENS_LEVEL_STANDARD) return;
  when_open(0, [=](Core& core, std::uint8_t) {
    hooks::add_header(core, request, direction == INLENS_HEADER_RESPONSE ? 1 : 0, view(name), view(value));
    return 0;
  });
}

}  // extern "C"
