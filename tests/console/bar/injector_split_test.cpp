#include <catch2/catch.hpp>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/console/bar/page.hpp"

namespace inlens::bar {
namespace {

// Every kind of place that the injector knows, several ends of the body, and a tail that is held.
constexpr std::string_view kPage =
    "\xEF\xBB\xBF <!-- a -- b --> <!DOCTYPE html>\n<html lang='en'><head><meta charset=\"utf-8\">"
    "<meta http-equiv=content-security-policy content=\"script-src &#39;self&#39;\"><title></body></title>"
    "<style>a:after{content:'</body>'}</style><script><!-- <script> '</body>' </script> --> \"</body>\" "
    "</script>"
    "</head><body class=\"</body>\" id='x' a=b/c><svg viewBox='0 0 1 1'><title>t</title><![CDATA[ "
    "]]</body>]]>"
    "<path d='M0'/></svg><template></body></template><textarea></body></textarea>&lt;/body&gt; </bod></bodyx>"
    "</body><!-- early --> </html>\n<p>more</p><math><mi>x</mi></math></body foo=\"bar > \" >\n"
    "<!-- served in 3 ms --></html>\r\n";

std::string in_parts(std::string_view html, std::size_t part) {
  Page page;
  for (std::size_t at = 0; at < html.size(); at += part) {
    const std::string copy(html.substr(at, part));  // at an address of its own, as in a host
    page.write(copy);
  }
  page.finish();
  CHECK(page.slices_were_right());
  CHECK(page.most_held() <= Injector::kMaxHeldBytes);
  return page.output();
}

TEST_CASE("A page split at any byte gets the same bar in the same place") {
  const std::string one = with_bar(kPage);
  REQUIRE(one.find(std::string(kBar) + "</body foo") != std::string::npos);
  for (std::size_t at = 0; at <= kPage.size(); ++at) {
    Page page;
    page.write(kPage.substr(0, at)).write(kPage.substr(at)).finish();
    INFO("split at " << at);
    REQUIRE(page.output() == one);
    REQUIRE(page.insertions() == 1);
    REQUIRE(page.slices_were_right());
  }
}

TEST_CASE("A page in one to fifty writes, or in single bytes, gets one bar in the same place") {
  const std::string one = with_bar(kPage);
  CHECK(in_parts(kPage, 1) == one);
  for (std::size_t writes = 2; writes <= 50; ++writes) {
    INFO(writes << " writes");
    CHECK(in_parts(kPage, kPage.size() / writes + 1) == one);
  }
}

TEST_CASE("Every beginning of a page gives the same output however it was written") {
  for (std::size_t size = 0; size <= kPage.size(); ++size) {
    const std::string_view beginning = kPage.substr(0, size);
    INFO("the first " << size << " bytes");
    REQUIRE(in_parts(beginning, 1) == with_bar(beginning));
  }
}

TEST_CASE("Empty writes change nothing") {
  Page page;
  page.write("").write(kPage).write("").finish();
  CHECK(page.output() == with_bar(kPage));
}

TEST_CASE("A write passes on all but the undecided tail at once") {
  Page page;
  page.write("<html><body>one ");
  CHECK(page.output() == "<html><body>one ");
  page.write("two </bo");
  CHECK(page.output() == "<html><body>one two ");
  page.write("x></body>");
  CHECK(page.output() == "<html><body>one two </box>");
  page.write("\n<p");
  CHECK(page.output() == "<html><body>one two </box></body>\n<p");
  page.write("><script>var a = '</body>'; //");
  CHECK(page.output() == "<html><body>one two </box></body>\n<p><script>var a = '</body>'; //");
}

// Pieces that matter, glued together at random: mostly broken pages.
std::string soup(std::mt19937& random) {
  static constexpr std::string_view kPieces[] = {
      "<",
      ">",
      "/",
      "</",
      "<!",
      "<!-",
      "<!--",
      "--",
      "-->",
      "--!>",
      "!",
      "'",
      "\"",
      "=",
      " ",
      "\n",
      "a",
      "x=",
      "]]>",
      "<![CDATA[",
      "<script",
      "</script",
      "<script>",
      "</script>",
      "<style>",
      "</style>",
      "<title>",
      "</title>",
      "<textarea>",
      "</textarea>",
      "<svg>",
      "</svg>",
      "<svg",
      "/>",
      "<math>",
      "</math>",
      "<mi>",
      "</mi>",
      "<foreignObject>",
      "</foreignObject>",
      "<template>",
      "</template>",
      "<body>",
      "</body",
      "</body>",
      "</body>",
      "</body x='y'>",
      "<html>",
      "</html>",
      "<p>",
      "</p>",
      "<plaintext>",
      "<noscript>",
      "</noscript>",
      "<!doctype",
      "<!doctype html>",
      "<frameset>",
      "<?x?>",
      "\xEF\xBB\xBF",
      "{",
      "<meta charset=utf-8>",
      "<meta http-equiv=Content-Security-Policy content=\"script-src 'self'\">",
      "<desc>",
      "</desc>",
      "</"};
  std::string html = random() % 8 == 0 ? "" : "<!doctype html>";
  std::uniform_int_distribution<std::size_t> pick(0, std::size(kPieces) - 1);
  const unsigned count = random() % 40;
  for (unsigned i = 0; i < count; ++i) {
    html += kPieces[pick(random)];
    if (random() % 200 == 0) html += std::string(random() % 1500, random() % 2 == 0 ? ' ' : '-');
  }
  return html;
}

TEST_CASE("Whatever the page and however it is split, the output is the input and at most one fragment") {
  std::mt19937 random(20240601);
  unsigned inserted = 0;
  for (int round = 0; round < 20000; ++round) {
    const std::string html = soup(random);
    const Page one = whole(html);
    Page split;
    for (std::size_t at = 0; at < html.size();) {
      const std::size_t size = 1 + random() % (random() % 2 == 0 ? 4 : 200);
      const std::string copy = html.substr(at, size);
      split.write(copy);
      at += size;
    }
    split.finish();
    INFO(html);
    REQUIRE(split.output() == one.output());
    REQUIRE(split.reason() == one.reason());
    REQUIRE(split.slices_were_right());
    REQUIRE(split.most_held() <= Injector::kMaxHeldBytes);
    REQUIRE(one.insertions() == (one.outcome() == Outcome::kInserted ? 1U : 0U));
    std::string rest = one.output();
    if (one.insertions() == 1) rest.erase(rest.find(kBar), kBar.size());
    REQUIRE(rest == html);
    inserted += static_cast<unsigned>(one.insertions());
  }
  CHECK(inserted > 2000);  // or the soup has stopped to try anything
}

}  // namespace
}  // namespace inlens::bar
