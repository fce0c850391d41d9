// Decides from the heads of request and response whether a page may carry the bar, with which nonce, and what
// then has to change in the response's head. Pure and allocation-free; called once per response on the host's
// thread by the C ABI. Everything it returns borrows from the caller's headers or is static.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "console/bar/csp.hpp"
#include "console/bar/header_view.hpp"
#include "console/bar/skip.hpp"

namespace inlens::bar {

// What of a request matters. An empty value stands for an absent header. Nothing of the request is ever
// changed: asking the application for an uncompressed or whole answer would show figures of a page nobody
// gets.
struct RequestFacts {
  std::string_view method{};
  std::string_view sec_fetch_dest{};
  std::string_view hx_request{};
  std::string_view turbo_frame{};
  std::string_view x_requested_with{};
  // Turbo Drive and boosted links of htmx fetch a whole page and put it in place of the one that is shown.
  bool swaps_page = false;
  std::string_view range{};
  bool subrequest = false;  // the output goes into another response of this server
  LoaderSource loader{};
};

// Picks the facts out of a whole request head.
RequestFacts request_facts(std::string_view method, std::span<const HeaderView> headers, bool https) noexcept;

struct ResponseHead {
  int status = 0;
  std::span<const HeaderView> headers{};
};

struct Decision {
  bool decorate = false;
  Skip reason = Skip::kNone;
  std::string_view nonce;  // for the loader's tag; empty: write no attribute
};

// What can be told without the request's headers; most responses of a server that is not all pages end here.
Skip early_skip(std::string_view method, bool subrequest, const ResponseHead& response) noexcept;

Decision decide(const RequestFacts& request, const ResponseHead& response) noexcept;

enum class HeaderOp : std::uint8_t {
  kFixLength,  // every copy is stale: write the real length if it is known before the head is sent, else
               // remove
  kRemove,     // every copy
  kAppend,     // as one more header line; what is there stays
};

struct HeaderEdit {
  HeaderOp op;
  std::string_view name;  // to be compared case-blind
  std::string_view value;
};

// What has to happen to the head of a decorated page; a page that is not decorated keeps its head as it is.
inline constexpr HeaderEdit kHeaderEdits[] = {
    {HeaderOp::kFixLength, "Content-Length", {}},
    {HeaderOp::kRemove, "ETag", {}},
    {HeaderOp::kRemove, "Last-Modified", {}},
    {HeaderOp::kRemove, "Content-MD5", {}},
    {HeaderOp::kRemove, "Digest", {}},
    {HeaderOp::kRemove, "Accept-Ranges", {}},
    {HeaderOp::kRemove, "Content-Digest", {}},
    {HeaderOp::kRemove, "Repr-Digest", {}},
    {HeaderOp::kAppend, "Cache-Control", "no-store"},
};

}  // namespace inlens::bar
