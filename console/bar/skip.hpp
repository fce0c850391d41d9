// Why a response does not carry the bar. One list for the decision on headers and for the injector, because
// the console shows one reason per request. The texts are part of the JSON API: add, never rename.
#pragma once

#include <cstdint>
#include <string_view>

namespace inlens::bar {

enum class Skip : std::uint8_t {
  kNone,  // decorated, or still going to be
  kSwitchedOff,
  kCaller,  // this caller is not allowed to see the bar
  kSubrequest,
  kHeadMethod,
  kStatus,
  kContentType,
  kContentEncoding,
  kAttachment,
  kRange,
  kFragment,
  kCharset,
  kTrustedTypes,  // the page's policy would let the loader run but not load the bar
  kCsp,           // the page's policy would refuse the loader
  kCspConnect,    // the loader would run but could not fetch its data
  kSandbox,
  kTooManyHeaders,  // a policy may be among those not looked at
  kNoRecord,        // no memory of ours was free
  // Found in the body:
  kNotHtml,
  kFrameset,
  kEndsInTag,
  kEndsInComment,
  kEndsInRawText,  // script, style, textarea, title, plaintext…
  kEndsInElement,  // template, svg or math never closed
  kUnclear,        // so malformed, or nested so deep, that we cannot tell what browsers make of it
  kFragmentSize,   // what should be inserted is empty or too long
};

constexpr std::string_view text(Skip skip) noexcept {
  switch (skip) {
    case Skip::kNone:
      return "";
    case Skip::kSwitchedOff:
      return "switched-off";
    case Skip::kCaller:
      return "caller";
    case Skip::kSubrequest:
      return "subrequest";
    case Skip::kHeadMethod:
      return "head-method";
    case Skip::kStatus:
      return "status";
    case Skip::kContentType:
      return "content-type";
    case Skip::kContentEncoding:
      return "content-encoding";
    case Skip::kAttachment:
      return "attachment";
    case Skip::kRange:
      return "range";
    case Skip::kFragment:
      return "fragment";
    case Skip::kCharset:
      return "charset";
    case Skip::kTrustedTypes:
      return "trusted-types";
    case Skip::kCsp:
      return "csp";
    case Skip::kCspConnect:
      return "csp-connect";
    case Skip::kSandbox:
      return "sandbox";
    case Skip::kTooManyHeaders:
      return "too-many-headers";
    case Skip::kNoRecord:
      return "no-record";
    case Skip::kNotHtml:
      return "not-html";
    case Skip::kFrameset:
      return "frameset";
    case Skip::kEndsInTag:
      return "ends-in-tag";
    case Skip::kEndsInComment:
      return "ends-in-comment";
    case Skip::kEndsInRawText:
      return "ends-in-raw-text";
    case Skip::kEndsInElement:
      return "ends-in-element";
    case Skip::kUnclear:
      return "unclear-markup";
    case Skip::kFragmentSize:
      return "fragment-size";
  }
  return "unknown";
}

}  // namespace inlens::bar
