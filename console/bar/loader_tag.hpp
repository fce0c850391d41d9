// Writes the one piece of markup that Inlens puts into a page: a script tag in plain ASCII that names the
// loader. Called on the host's thread once per decorated response; owns nothing. Every value is checked
// against an alphabet that needs no quoting, so nothing a client sent can become markup.
#pragma once

#include <cstddef>
#include <string_view>

namespace inlens::bar {

inline constexpr std::size_t kMaxLoaderTagBytes = 1024;

// <script src="/~inlens/bar/loader.js?v=HASH" data-inlens-id="ID" nonce="NONCE" async></script>
// An empty nonce leaves the attribute out. Returns the size, or 0 when `cap` is too small or a value has a
// character outside its alphabet (path: unreserved and '/', hash: letters, digits, '-' and '_', id: hex,
// nonce: base64): then there is no tag, and the page is to be skipped.
std::size_t write_loader_tag(char* out, std::size_t cap, std::string_view base_path,
                             std::string_view asset_hash, std::string_view request_id_hex,
                             std::string_view nonce) noexcept;

}  // namespace inlens::bar
