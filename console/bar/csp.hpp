// Can the loader run under the page's Content-Security-Policy, and with which nonce? Reads policies, never
// writes one: where the loader would be refused the page is left alone. Pure; called on host threads, by the
// decision for headers and by the injector for <meta http-equiv>. All views borrow from the caller's headers.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "console/bar/header_view.hpp"
#include "console/bar/skip.hpp"

namespace inlens::bar {

// Where the loader comes from, as the browser will see it.
struct LoaderSource {
  std::string_view base_path = "/~inlens/";
  std::string_view
      host;  // the request's Host, with its port; empty: policies that name hosts count as refusing
  bool https = false;
};

enum class PolicyFrom : std::uint8_t { kHeader, kMeta };  // a <meta> cannot sandbox

// One header's value, or one <meta>'s. kNone: the loader runs with this nonce (which may be empty).
Skip csp_refusal(std::string_view policies, const LoaderSource& source, std::string_view nonce,
                 PolicyFrom from) noexcept;

struct CspVerdict {
  Skip skip = Skip::kNone;
  std::string_view nonce;  // copy it to the tag; empty: write no attribute
};

// All policies in the response's headers together. A nonce is preferred where the page has one.
CspVerdict csp_verdict(std::span<const HeaderView> headers, const LoaderSource& source) noexcept;

// The alphabet that a nonce may have in a policy; nothing in it needs quoting in an attribute.
bool nonce_is_valid(std::string_view nonce) noexcept;

}  // namespace inlens::bar
