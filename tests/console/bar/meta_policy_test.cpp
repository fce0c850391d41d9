#include <catch2/catch.hpp>
#include <string>

#include "tests/console/bar/page.hpp"

// What a page says about itself in its head.
namespace inlens::bar {
namespace {

std::string_view reason_for(std::string_view head, std::string_view nonce = {},
                            const LoaderSource& source = {}) {
  const std::string html = "<!doctype html><head>" + std::string(head) + "</head><body>x</body></html>";
  Page one(nonce, source);
  one.write(html).finish();
  Page bytes(nonce, source);
  for (const char c : html) bytes.write({&c, 1});
  bytes.finish();
  CHECK(bytes.output() == one.output());
  CHECK((one.output() == html) == (one.outcome() == Outcome::kSkipped));
  return one.reason();
}

TEST_CASE("A policy in a meta element that would refuse the loader leaves the page alone") {
  CHECK(reason_for("<meta http-equiv=\"Content-Security-Policy\" content=\"script-src 'none'\">") == "csp");
  CHECK(
      reason_for("<META HTTP-EQUIV=content-security-policy CONTENT=\"default-src https://cdn.example\"/>") ==
      "csp");
  CHECK(reason_for(
            "<meta content='script-src &#39;sha256-abc=&#39;' http-equiv=' content-security-policy '>") ==
        "csp");
  CHECK(reason_for("<meta http-equiv=content-security-policy content=\"connect-src 'none'\">") ==
        "csp-connect");
  CHECK(reason_for("<meta http-equiv=content-security-policy "
                   "content=\"require-trusted-types-for 'script'\">") == "trusted-types");
}

TEST_CASE("A policy in a meta element that lets the loader run does not hinder the bar") {
  CHECK(reason_for("<meta http-equiv=content-security-policy content=\"script-src 'self'\">") == "");
  CHECK(reason_for("<meta http-equiv=content-security-policy content='default-src &#x27;self&#x27;'>") == "");
  CHECK(reason_for("<meta http-equiv=content-security-policy content=\"img-src 'none'\">") == "");
  CHECK(reason_for("<meta http-equiv=content-security-policy content=\"sandbox\">") == "");
  const LoaderSource source{.host = "shop.example"};
  CHECK(reason_for("<meta http-equiv=content-security-policy content='script-src shop.example'>", {},
                   source) == "");
}

TEST_CASE("A nonce that a meta element asks for must be the one of the tag") {
  const std::string_view meta =
      "<meta http-equiv=content-security-policy content=\"script-src 'nonce-YWJj' 'strict-dynamic'\">";
  CHECK(reason_for(meta, "YWJj") == "");
  CHECK(reason_for(meta, "YWJk") == "csp");
  CHECK(reason_for(meta) == "csp");
}

TEST_CASE("Of an attribute that is given twice the first counts") {
  CHECK(reason_for(
            "<meta http-equiv=content-security-policy content=\"script-src 'self'\" content='x-src'>") == "");
  CHECK(reason_for("<meta http-equiv=x http-equiv=content-security-policy content=\"script-src 'none'\">") ==
        "");
}

TEST_CASE("A policy that is too long to be kept counts as refusing") {
  const std::string filler = "img-src " + std::string(MetaTag::kMaxPolicyBytes, 'a');
  CHECK(reason_for("<meta http-equiv=content-security-policy content='" + filler + "'>") == "csp");
  CHECK(reason_for("<meta name=description content='" + filler + "'>") == "");
}

TEST_CASE("What only looks like a policy in the head is none") {
  CHECK(reason_for("<meta name=content-security-policy content=\"script-src 'none'\">") == "");
  CHECK(reason_for("<meta http-equiv=content-security-policy-report-only content=\"script-src 'none'\">") ==
        "");
  CHECK(reason_for("<!-- <meta http-equiv=content-security-policy content=\"script-src 'none'\"> -->") == "");
  CHECK(reason_for(
            "<template><meta http-equiv=content-security-policy content=\"script-src 'none'\"></template>") ==
        "");
  CHECK(reason_for("</head><body><meta http-equiv=content-security-policy content=\"script-src 'none'\">") ==
        "");
}

TEST_CASE("A character set declared in the page whose bytes cannot be read as ASCII leaves it alone") {
  CHECK(reason_for("<meta charset=iso-2022-jp>") == "charset");
  CHECK(reason_for("<meta http-equiv=Content-Type content='text/html; charset=ISO-2022-JP'>") == "charset");
  CHECK(reason_for("<meta charset=\"Shift_JIS\">") == "");
  CHECK(reason_for("<meta charset=\"utf-16\">") == "");
}

}  // namespace
}  // namespace inlens::bar
