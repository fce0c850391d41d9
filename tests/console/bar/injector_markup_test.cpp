#include <catch2/catch.hpp>
#include <string>

#include "tests/console/bar/page.hpp"

// Places where "</body>" is not the end of the body.
namespace inlens::bar {
namespace {

void check_place(std::string_view marked) {
  INFO(marked);
  const Page page = whole(unmarked(marked));
  CHECK(page.output() == expected(marked));
  CHECK(page.insertions() == 1);
}

// `inner` is somewhere in the body of a page whose real end tag follows.
void check_ignored(std::string_view inner) {
  check_place("<!doctype html><html><head><title>t</title></head><body>" + std::string(inner) +
              "<p>x</p>|</body></html>");
}

// The same, where the page's end tag is left out, so that no later one can hide a mistake.
void check_never_found(std::string_view inner) {
  check_place("<!doctype html><body>" + std::string(inner) + "|");
  check_ignored(inner);
}

TEST_CASE("An end tag of the body inside raw text never counts") {
  for (const std::string_view name :
       {"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript"}) {
    const std::string element(name);
    check_never_found("<" + element + ">'</body></html>'</" + element + ">");
    check_never_found("<" + element + " a='>' b>x</" + element + "x></body></" + element + " \n>");
    check_never_found("<" + element + "/></body></" + element + "/>");
    check_never_found("<" + element + "><!-- </body></" + element + ">");
  }
}

TEST_CASE("An end tag of the body inside a comment never counts") {
  check_never_found("<!-- </body> -->");
  check_never_found("<!-- a -- > </body> --!>");
  check_never_found("<!--- </body> --->");
  check_never_found("<!-- <!-- </body> -->");
  check_never_found("<!x '</body-->");
  check_never_found("<?php echo '</body' ?>");
  check_never_found("</ </body>");
}

TEST_CASE("A comment ends where browsers end it") {
  check_place("<!doctype html><!-->x|</body>");
  check_place("<!doctype html><!--->x|</body>");
  check_place("<!doctype html><!----!>x|</body>");
  check_place("<!doctype html><!-->x|</body><!-- -->");
  check_place("<!doctype html><!- -->x|</body>");
  check_place("<!doctype html><?x '>'|</body>");
}

TEST_CASE("An end tag of the body inside an attribute never counts") {
  check_never_found("<a title=\"</body>\">x</a>");
  check_never_found("<a title='</body>' data-x=\"'</body>\">x</a>");
  check_never_found("<a title=</body data-y='</body>'>x</a>");
  check_never_found("<a b = \n '</body>'c=\"</body>\"/>x");
  check_never_found("<a =x='></body>'>x</a>");
}

TEST_CASE("A script's comments and the scripts named in them are read as browsers do") {
  check_never_found("<script><!-- <script> </script> </body> --></script>");
  check_never_found("<script><!-- <script> --> </script>");
  check_never_found("<script><!-- <script></script><script></body></script> </script>");
  check_never_found("<script><!-- <scripty> </script>");
  check_never_found("<script><!--> <script> </script>");
  check_never_found("<script><!---> <script> </script>");
  check_never_found("<script><!- <script> </script>");
  check_never_found("<script><!-- <script </body> </script </body> --> </body> </script>");
  CHECK(whole("<!doctype html><script><!-- <script> </script> </body>").reason() == "ends-in-raw-text");
}

TEST_CASE("An end tag of the body inside a template never counts") {
  check_never_found("<template></body></template>");
  check_never_found("<template><template></body></template></body></template>");
  check_never_found("<template><svg></template>");
  check_never_found("<template><div></svg></body></template/ >");
}

TEST_CASE("Text and elements inside drawings and formulas never count") {
  check_never_found("<svg><![CDATA[ </body> ]]></svg>");
  check_never_found("<math><mi><![CDATA[ </body> ]]]></mi></math>");
  check_never_found("<svg><title></body></title><desc></body></desc></svg>");
  check_never_found(
      "<svg><style> a > b { } </style><script><![CDATA[ '</script></svg></body>' ]]></script></svg>");
  check_never_found(
      "<svg><foreignObject><div><script>'</svg></body>'</script></body></div></foreignObject></svg>");
  check_never_found("<svg><svg></svg></body></svg>");
  check_never_found("<math><annotation-xml><svg></body></svg></annotation-xml></math>");
}

TEST_CASE("Names inside a drawing are not those of HTML") {
  check_place("<!doctype html><svg><title><b></title></svg>x|</body>");
  check_place("<!doctype html><svg><style><!-- </style> --></style></svg>x|</body>");
  check_place("<!doctype html><svg><textarea></svg>x|</body>");
  check_place("<!doctype html><svg><script/><style/></svg>x|</body>");
  check_place("<!doctype html><svg><template></svg>x|</body>");
}

TEST_CASE("Where an end tag may have closed a drawing, nothing is inserted before that is settled") {
  CHECK(whole("<!doctype html><div><svg><path></div></body>").reason() == "ends-in-element");
  CHECK(whole("<!doctype html><div><svg><path></div><script>'</body>").reason() == "unclear-markup");
  CHECK(whole("<!doctype html><svg><desc><b></svg></body>").reason() == "unclear-markup");
  check_place("<!doctype html><svg><desc></svg>x|</body>");
  check_place("<!doctype html><div><svg><path></div></svg><script>'</body>'</script>|</body>");
  check_place("<!doctype html><button><svg><path></button><p>x<script>'</body>'</script>|</body>");
}

TEST_CASE("A drawing that is not closed ends at the first element that cannot be in it") {
  check_place("<!doctype html><svg><path><p>x|</body>");
  check_place("<!doctype html><svg/>x|</body>");
  check_place("<!doctype html><svg><g></p>x|</body>");
  check_place("<!doctype html><svg><path><div><title></body></title>x|</body>");
}

TEST_CASE("What looks like a CDATA section is a comment in HTML") {
  check_place("<!doctype html><![CDATA[ > |</body> <!-- ]]> -->");
  check_place("<!doctype html><svg><foreignObject><p><![CDATA[ > </foreignObject></svg>|</body>");
}

TEST_CASE("Names that only begin like body are other elements") {
  check_place("<!doctype html></bodyguard></bod></b></body-x>|");
  check_place("<!doctype html>< /body></ body>|");
}

TEST_CASE("More nested templates or drawings than can be followed leave the page alone") {
  std::string page = "<!doctype html>";
  for (std::size_t i = 0; i <= OpenElements::kMaxDepth; ++i) page += "<template>";
  const Page result = whole(page + "</body>");
  CHECK(result.output() == page + "</body>");
  CHECK(result.reason() == "unclear-markup");
}

}  // namespace
}  // namespace inlens::bar
