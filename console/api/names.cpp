#include "console/api/names.hpp"

#include <algorithm>
#include <array>

namespace inlens::console::api {
namespace {

// In the order of the enumerations.
constexpr std::array<std::string_view, 8> kSpanKinds{"scope", "stage",   "cache",     "wait",
                                                     "timer", "connect", "statement", "call"};
constexpr std::array<std::string_view, 4> kSeverities{"debug", "info", "warning", "error"};
constexpr std::array<std::string_view, 4> kPanelKinds{"text", "keyValue", "table", "tree"};
constexpr std::array<std::string_view, 4> kDialects{"generic", "sqlite", "postgres", "mysql"};

std::string_view word(const auto& words, auto value) {
  return words[std::min(static_cast<std::size_t>(value), words.size() - 1)];
}

bool holds(const auto& words, std::string_view text) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

}  // namespace

std::string_view name_of(store::SpanKind kind) {
  return word(kSpanKinds, kind);
}
std::string_view name_of(store::Severity severity) {
  return word(kSeverities, severity);
}
std::string_view name_of(store::PanelKind kind) {
  return word(kPanelKinds, kind);
}

std::string_view dialect_or_generic(std::string_view dialect) {
  return holds(kDialects, dialect) ? dialect : kDialects.front();
}

bool is_span_kind(std::string_view text) {
  return holds(kSpanKinds, text);
}

}  // namespace inlens::console::api
