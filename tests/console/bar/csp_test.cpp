#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "console/bar/decision.hpp"

namespace inlens::bar {
namespace {

constexpr std::string_view kName = "Content-Security-Policy";
constexpr std::string_view kReportOnly = "Content-Security-Policy-Report-Only";

struct Result {
  std::string_view reason;
  std::string_view nonce;
  bool operator==(const Result&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Result& result) {
  return out << "reason '" << result.reason << "' nonce '" << result.nonce << "'";
}

Result judge(std::vector<HeaderView> headers, const LoaderSource& source = {}) {
  headers.push_back({"Content-Type", "text/html"});
  const Decision decision = decide({.method = "GET", .loader = source}, {200, headers});
  return {text(decision.reason), decision.nonce};
}

Result judge(std::string_view policy, const LoaderSource& source = {}) {
  return judge({{kName, policy}}, source);
}

const Result kRuns{"", ""};
const Result kRefused{"csp", ""};

TEST_CASE("A page without a policy gets a tag without a nonce") {
  CHECK(judge(std::vector<HeaderView>{}) == kRuns);
}

TEST_CASE("A policy that does not speak of scripts lets the loader run") {
  CHECK(judge("img-src 'none'; upgrade-insecure-requests") == kRuns);
  CHECK(judge("") == kRuns);
  CHECK(judge(" ; ; ") == kRuns);
  CHECK(judge("frame-ancestors 'none';") == kRuns);
}

TEST_CASE("A policy that forbids scripts leaves the page alone") {
  CHECK(judge("script-src 'none'") == kRefused);
  CHECK(judge("default-src 'none'") == kRefused);
  CHECK(judge("script-src") == kRefused);
  CHECK(judge("SCRIPT-SRC 'NONE'") == kRefused);
}

TEST_CASE("A policy that allows the page's own scripts needs no nonce") {
  CHECK(judge("script-src 'self'") == kRuns);
  CHECK(judge("default-src 'self'") == kRuns);
  CHECK(judge("default-src 'SELF'") == kRuns);
  CHECK(judge("script-src\t'unsafe-inline'  'self'") == kRuns);
}

TEST_CASE("The most special directive for scripts decides") {
  CHECK(judge("default-src 'none'; script-src 'self'; connect-src 'self'") == kRuns);
  CHECK(judge("default-src 'self'; script-src 'none'") == kRefused);
  CHECK(judge("script-src 'none'; script-src-elem 'self'") == kRuns);
  CHECK(judge("script-src-elem 'none'; script-src 'self'") == kRefused);
  CHECK(judge("script-src-attr 'none'; script-src 'self'") == kRuns);
}

TEST_CASE("Of a directive that is given twice the first counts") {
  CHECK(judge("script-src 'none'; script-src 'self'") == kRefused);
  CHECK(judge("script-src 'self'; script-src 'none'") == kRuns);
}

TEST_CASE("The page's nonce is copied to the tag") {
  CHECK(judge("script-src 'nonce-dGVzdA=='") == Result{"", "dGVzdA=="});
  CHECK(judge("script-src 'self' 'Nonce-ab-_+/1'") == Result{"", "ab-_+/1"});
  CHECK(judge("default-src 'self' 'nonce-abc'") == Result{"", "abc"});
}

TEST_CASE("A nonce for styles is not one for scripts") {
  CHECK(judge("script-src 'self'; style-src 'nonce-abc'") == kRuns);
  CHECK(judge("script-src 'none'; style-src 'nonce-abc'") == kRefused);
}

TEST_CASE("A nonce with characters that no policy may have is no nonce") {
  CHECK(judge("script-src 'nonce-a\"b'") == kRefused);
  CHECK(judge("script-src 'nonce-'") == kRefused);
  CHECK(judge("script-src 'nonce-a=b'") == kRefused);
  CHECK(judge("script-src 'nonce-===='") == kRefused);
  CHECK(judge("script-src 'nonce-abc") == kRefused);
  CHECK(judge("script-src 'nonce-" + std::string(2000, 'a') + "'") == kRefused);
}

TEST_CASE("Hashes do not let a file run") {
  CHECK(judge("script-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='") == kRefused);
  CHECK(judge("script-src 'sha384-abc' 'self'") == kRuns);
}

TEST_CASE("With strict-dynamic only a nonce counts") {
  CHECK(judge("script-src 'strict-dynamic' 'self' https: *") == kRefused);
  CHECK(judge("script-src 'strict-dynamic' 'nonce-abc' https:") == Result{"", "abc"});
  CHECK(judge("script-src 'strict-dynamic' 'sha256-abc'") == kRefused);
}

TEST_CASE("Every policy must agree, in however many headers they come") {
  CHECK(judge("script-src 'self', script-src 'none'") == kRefused);
  CHECK(judge({{kName, "script-src 'self'"}, {"content-security-policy", "default-src 'none'"}}) == kRefused);
  CHECK(judge({{kName, "script-src 'nonce-a1'"}, {kName, "script-src 'self'"}}) == Result{"", "a1"});
  CHECK(judge({{kName, "script-src 'nonce-a1'"}, {kName, "script-src 'nonce-b2'"}}) == kRefused);
  CHECK(judge("script-src 'nonce-a1' 'nonce-b2', script-src 'nonce-b2'") == Result{"", "b2"});
}

TEST_CASE("A policy that only reports never hinders, and may lend its nonce") {
  CHECK(judge({{kReportOnly, "script-src 'none'; sandbox"}}) == kRuns);
  CHECK(judge({{kReportOnly, "script-src 'nonce-abc'"}}) == Result{"", "abc"});
  CHECK(judge({{kReportOnly, "script-src 'nonce-abc'"}, {kName, "script-src 'nonce-xyz'"}}) ==
        Result{"", "xyz"});
  CHECK(judge({{kReportOnly, "script-src 'nonce-abc'"}, {kName, "script-src 'none'"}}) == kRefused);
}

TEST_CASE("A sandboxed page in which scripts or our origin are missing is left alone") {
  CHECK(judge("sandbox") == Result{"sandbox", ""});
  CHECK(judge("sandbox allow-forms allow-same-origin; script-src 'self'") == Result{"sandbox", ""});
  CHECK(judge("sandbox allow-scripts") == Result{"sandbox", ""});
  CHECK(judge("sandbox allow-scripts allow-same-origin") == kRuns);
}

TEST_CASE("A page where the bar could not fetch its data is left alone") {
  CHECK(judge("default-src 'none'; script-src 'self'") == Result{"csp-connect", ""});
  CHECK(judge("connect-src https://api.example") == Result{"csp-connect", ""});
  CHECK(judge("connect-src 'self'; script-src 'self'") == kRuns);
}

TEST_CASE("A page that takes trusted types only for its scripts is left alone") {
  const Result refused{"trusted-types", ""};
  CHECK(judge("require-trusted-types-for 'script'") == refused);
  CHECK(judge("script-src 'nonce-abc'; Require-Trusted-Types-For 'script'; trusted-types default") ==
        refused);
  CHECK(judge({{kName, "script-src 'self'"}, {kName, "require-trusted-types-for 'script'"}}) == refused);
  CHECK(judge({{kReportOnly, "require-trusted-types-for 'script'"}}) == kRuns);
  CHECK(judge("trusted-types default") == kRuns);
  CHECK(judge("require-trusted-types-for") == kRuns);
}

TEST_CASE("Places that cover the page's own origin let the loader run") {
  const LoaderSource plain{.host = "shop.example:8080"};
  for (const std::string_view place :
       {"*", "http:", "shop.example:8080", "SHOP.example:*", "http://shop.example:8080", "*.example:8080",
        "shop.example:8080/", "shop.example:8080/~inlens/", "http://*:8080"}) {
    INFO(place);
    CHECK(judge("script-src " + std::string(place), plain) == kRuns);
  }
  const LoaderSource secure{.host = "shop.example", .https = true};
  for (const std::string_view place : {"https:", "http:", "shop.example", "https://shop.example",
                                       "http://shop.example:80", "shop.example:443"}) {
    INFO(place);
    CHECK(judge("script-src " + std::string(place), secure) == kRuns);
  }
  CHECK(judge("script-src [::1]:9000", {.host = "[::1]:9000"}) == kRuns);
}

TEST_CASE("Places elsewhere do not let the loader run") {
  const LoaderSource plain{.host = "shop.example:8080"};
  for (const std::string_view place :
       {"https:", "data:", "shop.example", "other.example:8080", "https://shop.example:8080",
        "*.shop.example:8080", "shop.example:8080/static/", "shop.example:8080/~inlens/bar/loader.js",
        "shop.example:80", "//", "://"}) {
    INFO(place);
    CHECK(judge("script-src " + std::string(place), plain) == kRefused);
  }
  CHECK(judge("script-src shop.example") == kRefused);  // the host is not known
}

}  // namespace
}  // namespace inlens::bar
