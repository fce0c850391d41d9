#include "console/bar/loader_tag.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <string>

namespace inlens::bar {
namespace {

constexpr std::string_view kId = "0123456789abcdef0123456789abcdef";

std::string tag(std::string_view base, std::string_view hash, std::string_view id, std::string_view nonce,
                std::size_t cap = kMaxLoaderTagBytes) {
  std::array<char, 2 * kMaxLoaderTagBytes> out{};
  return {out.data(), write_loader_tag(out.data(), std::min(cap, out.size()), base, hash, id, nonce)};
}

TEST_CASE("The loader's tag names the file, the request and the page's nonce") {
  CHECK(tag("/~inlens/", "a1B2-_", kId, "dGVzdA==") ==
        "<script src=\"/~inlens/bar/loader.js?v=a1B2-_\" data-inlens-id=\"0123456789abcdef0123456789abcdef\""
        " nonce=\"dGVzdA==\" async></script>");
}

TEST_CASE("Without a nonce there is no nonce attribute") {
  CHECK(tag("/~inlens/", "h", kId, "") ==
        "<script src=\"/~inlens/bar/loader.js?v=h\" data-inlens-id=\"0123456789abcdef0123456789abcdef\""
        " async></script>");
}

TEST_CASE("Values that could become markup or another site give no tag") {
  CHECK(tag("/~inlens/", "h\"", kId, "").empty());
  CHECK(tag("/~inlens/", "", kId, "").empty());
  CHECK(tag("/~inlens/", "h", "../etc", "").empty());
  CHECK(tag("/~inlens/", "h", "", "").empty());
  CHECK(tag("/~inlens/", "h", kId, "a b").empty());
  CHECK(tag("/~inlens/", "h", kId, "\"><script>").empty());
  CHECK(tag("/a\" onload=\"/", "h", kId, "").empty());
  CHECK(tag("//evil.example/", "h", kId, "").empty());
  CHECK(tag("~inlens/", "h", kId, "").empty());
  CHECK(tag("", "h", kId, "").empty());
  CHECK(tag("/caf\xC3\xA9/", "h", kId, "").empty());
}

TEST_CASE("A tag that does not fit is not written") {
  const std::string fits = tag("/~inlens/", "h", kId, "abc");
  CHECK(tag("/~inlens/", "h", kId, "abc", fits.size()) == fits);
  CHECK(tag("/~inlens/", "h", kId, "abc", fits.size() - 1).empty());
  CHECK(tag("/~inlens/", "h", kId, "abc", 0).empty());
  CHECK(tag("/~inlens/", std::string(1100, 'h'), kId, "", 2 * kMaxLoaderTagBytes).empty());
}

TEST_CASE("The longest nonce that is copied fits into a tag") {
  CHECK(tag("/~inlens/", std::string(64, 'h'), kId, std::string(256, 'n')).size() > 256);
}

}  // namespace
}  // namespace inlens::bar
