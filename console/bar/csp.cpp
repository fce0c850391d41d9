#include "console/bar/csp.hpp"

#include <cstddef>
#include <optional>

#include "console/bar/ascii.hpp"
#include "console/bar/csp_source.hpp"

namespace inlens::bar {
namespace {

constexpr std::size_t kMaxNonceBytes = 256;
constexpr int kMaxNoncesTried = 8;  // a page has one; more than a handful is noise

using Sources = std::optional<std::string_view>;  // empty optional: the policy does not have the directive

// Of a directive that is given twice the first counts.
Sources find_directive(std::string_view policy, std::string_view name) noexcept {
  while (!policy.empty()) {
    std::string_view directive = take_part(policy, ';');
    const std::string_view found = take_word(directive);
    if (!found.empty() && same(found, name)) return trim(directive);
  }
  return std::nullopt;
}

Sources first_directive(std::string_view policy, std::string_view a, std::string_view b,
                        std::string_view c) noexcept {
  for (const std::string_view name : {a, b, c}) {
    if (const Sources found = find_directive(policy, name)) return found;
  }
  return std::nullopt;
}

Sources script_sources(std::string_view policy) noexcept {
  return first_directive(policy, "script-src-elem", "script-src", "default-src");
}

std::string_view nonce_of(std::string_view expression) noexcept {
  constexpr std::string_view kStart = "'nonce-";
  if (!begins_with(expression, kStart) || expression.back() != '\'') return {};
  const std::string_view nonce = expression.substr(kStart.size(), expression.size() - kStart.size() - 1);
  return nonce_is_valid(nonce) ? nonce : std::string_view{};
}

bool script_may_run(std::string_view sources, const LoaderSource& source, std::string_view nonce) noexcept {
  bool by_place = false;
  bool strict_dynamic = false;
  while (true) {
    const std::string_view expression = take_word(sources);
    if (expression.empty()) break;
    if (!nonce.empty() && nonce_of(expression) == nonce) return true;
    if (same(expression, "'strict-dynamic'")) strict_dynamic = true;
    by_place = by_place || source_matches(expression, source);
  }
  return by_place && !strict_dynamic;  // strict-dynamic makes the browser ignore places
}

bool any_source_matches(std::string_view sources, const LoaderSource& source) noexcept {
  while (true) {
    const std::string_view expression = take_word(sources);
    if (expression.empty()) return false;
    if (source_matches(expression, source)) return true;
  }
}

// Without allow-same-origin the page has an opaque origin and the bar could neither fetch nor store.
bool sandbox_allows(std::string_view flags) noexcept {
  bool scripts = false;
  bool same_origin = false;
  while (true) {
    const std::string_view flag = take_word(flags);
    if (flag.empty()) return scripts && same_origin;
    scripts = scripts || same(flag, "allow-scripts");
    same_origin = same_origin || same(flag, "allow-same-origin");
  }
}

bool wants_trusted_types(std::string_view sinks) noexcept {
  while (true) {
    const std::string_view sink = take_word(sinks);
    if (sink.empty()) return false;
    if (same(sink, "'script'")) return true;
  }
}

Skip policy_refusal(std::string_view policy, const LoaderSource& source, std::string_view nonce,
                    PolicyFrom from) noexcept {
  if (from == PolicyFrom::kHeader) {
    const Sources sandbox = find_directive(policy, "sandbox");
    if (sandbox && !sandbox_allows(*sandbox)) return Skip::kSandbox;
  }
  // The loader could not name the bar's file as the source of a script; no nonce helps.
  const Sources trusted = find_directive(policy, "require-trusted-types-for");
  if (trusted && wants_trusted_types(*trusted)) return Skip::kTrustedTypes;
  const Sources scripts = script_sources(policy);
  if (scripts && !script_may_run(*scripts, source, nonce)) return Skip::kCsp;
  const Sources connect = first_directive(policy, "connect-src", "default-src", {});
  if (connect && !any_source_matches(*connect, source)) return Skip::kCspConnect;
  return Skip::kNone;
}

bool is_enforced(const HeaderView& header) noexcept {
  return same(header.name, "Content-Security-Policy");
}
bool is_report_only(const HeaderView& header) noexcept {
  return same(header.name, "Content-Security-Policy-Report-Only");
}

Skip headers_refusal(std::span<const HeaderView> headers, const LoaderSource& source,
                     std::string_view nonce) noexcept {
  for (const HeaderView& header : headers) {
    if (!is_enforced(header)) continue;
    const Skip skip = csp_refusal(header.value, source, nonce, PolicyFrom::kHeader);
    if (skip != Skip::kNone) return skip;
  }
  return Skip::kNone;
}

// Calls try_nonce(nonce) for each nonce for scripts in `policies` until it returns true.
template <class TryNonce>
bool try_nonces(std::string_view policies, const TryNonce& try_nonce) noexcept {
  while (!policies.empty()) {
    std::string_view sources = script_sources(take_part(policies, ',')).value_or(std::string_view{});
    while (true) {
      const std::string_view expression = take_word(sources);
      if (expression.empty()) break;
      const std::string_view nonce = nonce_of(expression);
      if (!nonce.empty() && try_nonce(nonce)) return true;
    }
  }
  return false;
}

}  // namespace

bool nonce_is_valid(std::string_view nonce) noexcept {
  if (nonce.size() > kMaxNonceBytes) return false;
  for (int padding = 0; padding < 2 && !nonce.empty() && nonce.back() == '='; ++padding)
    nonce.remove_suffix(1);
  for (const char c : nonce) {
    if (!is_alpha(c) && !is_digit(c) && c != '+' && c != '/' && c != '-' && c != '_') return false;
  }
  return !nonce.empty();
}

Skip csp_refusal(std::string_view policies, const LoaderSource& source, std::string_view nonce,
                 PolicyFrom from) noexcept {
  while (!policies.empty()) {
    const Skip skip = policy_refusal(take_part(policies, ','), source, nonce, from);
    if (skip != Skip::kNone) return skip;
  }
  return Skip::kNone;
}

CspVerdict csp_verdict(std::span<const HeaderView> headers, const LoaderSource& source) noexcept {
  CspVerdict verdict;
  int tried = 0;
  const auto accepts = [&](std::string_view nonce) noexcept {
    if (++tried > kMaxNoncesTried) return false;
    if (headers_refusal(headers, source, nonce) != Skip::kNone) return false;
    verdict.nonce = nonce;
    return true;
  };
  for (const HeaderView& header : headers) {
    if (is_enforced(header) && try_nonces(header.value, accepts)) return verdict;
  }
  for (const HeaderView& header : headers) {
    if (is_report_only(header) && try_nonces(header.value, accepts)) return verdict;
  }
  verdict.skip = headers_refusal(headers, source, {});
  return verdict;
}

}  // namespace inlens::bar
