// Which kinds of token stand right behind which in canonical text, without a space between them. No pair may
// read as something else when glued: symbols, signs and literals are always kept apart.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "collectors/sql/lexer.hpp"

namespace inlens::sql {
namespace detail {

constexpr unsigned set_of(std::initializer_list<TokenKind> kinds) {
  unsigned set = 0;
  for (TokenKind kind : kinds) set |= 1u << static_cast<unsigned>(kind);
  return set;
}

constexpr auto make_glued() {
  using enum TokenKind;
  std::array<unsigned, static_cast<std::size_t>(kHintClose) + 1> glued{};
  for (unsigned& set : glued) set = set_of({kComma, kSemicolon, kClose});
  const auto add = [&](TokenKind before, unsigned set) { glued[static_cast<std::size_t>(before)] |= set; };
  add(kEnd, ~0u);
  add(kOpen, ~set_of({kHintClose}));
  add(kDot, set_of({kWord, kName, kLiteral, kSymbol, kOpen, kDot}));
  add(kCast, set_of({kWord, kName}));
  for (TokenKind value : {kWord, kName, kLiteral, kInteger, kClose}) add(value, set_of({kDot, kCast}));
  return glued;
}

inline constexpr auto kGlued = make_glued();

}  // namespace detail

// An opening bracket also stands right behind some words; that is the writer's to decide.
inline bool is_glued(TokenKind before, TokenKind kind) noexcept {
  return detail::kGlued[static_cast<std::size_t>(before)] >> static_cast<unsigned>(kind) & 1;
}

}  // namespace inlens::sql
