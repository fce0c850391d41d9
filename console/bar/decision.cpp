#include "console/bar/decision.hpp"

#include <cstddef>

#include "console/bar/ascii.hpp"
#include "console/bar/charset.hpp"

namespace inlens::bar {
namespace {

// The checks take the value of one header line; a name that comes twice is checked twice.
using Check = Skip (*)(std::string_view value) noexcept;

Skip check_content_type(std::string_view value) noexcept {
  if (value.find(',') != std::string_view::npos) return Skip::kContentType;  // two types: nobody knows which
  return same(trim(value.substr(0, value.find(';'))), "text/html") ? Skip::kNone : Skip::kContentType;
}

Skip check_content_encoding(std::string_view value) noexcept {
  while (!value.empty()) {
    const std::string_view coding = take_part(value, ',');
    if (!coding.empty() && !same(coding, "identity")) return Skip::kContentEncoding;
  }
  return Skip::kNone;
}

// `chunked` is framing, which lies below us; any other coding changes the bytes.
Skip check_transfer_encoding(std::string_view value) noexcept {
  while (!value.empty()) {
    const std::string_view coding = take_part(value, ',');
    if (!same(coding, "chunked") && check_content_encoding(coding) != Skip::kNone)
      return Skip::kContentEncoding;
  }
  return Skip::kNone;
}

// A type that is not known counts as an attachment, as it does for browsers.
Skip check_disposition(std::string_view value) noexcept {
  const std::string_view type = trim(value.substr(0, value.find(';')));
  return type.empty() || same(type, "inline") ? Skip::kNone : Skip::kAttachment;
}

Skip check_content_range(std::string_view) noexcept {
  return Skip::kRange;
}

Skip check_charset(std::string_view value) noexcept {
  const std::size_t semicolon = value.find(';');
  if (semicolon == std::string_view::npos) return Skip::kNone;
  return charset_parameters_are_safe(value.substr(semicolon + 1)) ? Skip::kNone : Skip::kCharset;
}

Skip check_all(std::span<const HeaderView> headers, std::string_view name, Check check) noexcept {
  for (const HeaderView& header : headers) {
    if (!same(header.name, name)) continue;
    const Skip skip = check(header.value);
    if (skip != Skip::kNone) return skip;
  }
  return Skip::kNone;
}

bool has(std::span<const HeaderView> headers, std::string_view name) noexcept {
  for (const HeaderView& header : headers) {
    if (same(header.name, name)) return true;
  }
  return false;
}

bool is_fragment(const RequestFacts& request) noexcept {
  if (!request.turbo_frame.empty() || !request.x_requested_with.empty()) return true;
  if (request.swaps_page) return false;
  if (!request.hx_request.empty()) return true;
  const std::string_view dest = trim(request.sec_fetch_dest);
  return !dest.empty() && !same(dest, "document");
}

}  // namespace

// The order is that of what explains most: an API answer is told as "content-type", not as "fragment".
Skip early_skip(std::string_view method, bool subrequest, const ResponseHead& response) noexcept {
  if (subrequest) return Skip::kSubrequest;
  if (method == "HEAD") return Skip::kHeadMethod;
  if (response.status != 200) return Skip::kStatus;
  if (!has(response.headers, "Content-Type")) return Skip::kContentType;
  struct Rule {
    std::string_view name;
    Check check;
  };
  constexpr Rule kRules[] = {{"Content-Type", check_content_type},
                             {"Content-Encoding", check_content_encoding},
                             {"Transfer-Encoding", check_transfer_encoding},
                             {"Content-Disposition", check_disposition},
                             {"Content-Range", check_content_range}};
  for (const Rule& rule : kRules) {
    const Skip skip = check_all(response.headers, rule.name, rule.check);
    if (skip != Skip::kNone) return skip;
  }
  return Skip::kNone;
}

namespace {

Skip skip_reason(const RequestFacts& request, const ResponseHead& response) noexcept {
  const Skip early = early_skip(request.method, request.subrequest, response);
  if (early != Skip::kNone) return early;
  // The server may still cut the requested range out of this 200.
  if (!request.range.empty()) return Skip::kRange;
  if (is_fragment(request)) return Skip::kFragment;
  return check_all(response.headers, "Content-Type", check_charset);
}

}  // namespace

RequestFacts request_facts(std::string_view method, std::span<const HeaderView> headers,
                           bool https) noexcept {
  RequestFacts facts;
  facts.method = method;
  facts.loader.https = https;
  for (const HeaderView& header : headers) {
    if (header.value.empty()) continue;
    if (same(header.name, "Sec-Fetch-Dest")) facts.sec_fetch_dest = header.value;
    if (same(header.name, "HX-Request")) facts.hx_request = header.value;
    if (same(header.name, "Turbo-Frame")) facts.turbo_frame = header.value;
    if (same(header.name, "HX-Boosted") || same(header.name, "X-Turbo-Request-Id")) facts.swaps_page = true;
    if (same(header.name, "X-Requested-With")) facts.x_requested_with = header.value;
    if (same(header.name, "Range")) facts.range = header.value;
    if (same(header.name, "Host")) facts.loader.host = trim(header.value);
  }
  return facts;
}

Decision decide(const RequestFacts& request, const ResponseHead& response) noexcept {
  Decision decision;
  decision.reason = skip_reason(request, response);
  if (decision.reason != Skip::kNone) return decision;
  const CspVerdict csp = csp_verdict(response.headers, request.loader);
  decision.reason = csp.skip;
  decision.decorate = csp.skip == Skip::kNone;
  decision.nonce = csp.nonce;
  return decision;
}

}  // namespace inlens::bar
