// The API description's words for the store's enumerations. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "agent/store/snapshot.hpp"

namespace inlens::console::api {

std::string_view name_of(store::SpanKind kind);
std::string_view name_of(store::Severity severity);
std::string_view name_of(store::PanelKind kind);

std::string_view dialect_or_generic(std::string_view dialect);
bool is_span_kind(std::string_view text);

}  // namespace inlens::console::api
