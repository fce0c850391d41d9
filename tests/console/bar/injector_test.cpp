#include <catch2/catch.hpp>
#include <string>

#include "tests/console/bar/page.hpp"

namespace inlens::bar {
namespace {

void check_place(std::string_view marked) {
  INFO(marked);
  CHECK(with_bar(unmarked(marked)) == expected(marked));
}

void check_untouched(std::string_view html, std::string_view reason) {
  INFO(html);
  const Page page = whole(html);
  CHECK(page.output() == html);
  CHECK(page.outcome() == Outcome::kSkipped);
  CHECK(page.reason() == reason);
}

TEST_CASE("The bar goes right before the end tag of the body") {
  check_place("<!doctype html><html><body><p>x</p>|</body></html>");
  check_place("<!DOCTYPE HTML><HTML><BODY>x|</BODY></HTML>\r\n");
  check_place("<html><body>x|</body\t class='a>b' ></html>");
  check_place("<body>x|</body/>");
}

TEST_CASE("A document without an end tag of the body gets the bar at its end") {
  check_place("<!doctype html><title>x</title><p>y|");
  check_place("<html><head></head>|");
  check_place("<body>|");
  check_place("<!doctype html>|");
  check_place("<html><body>x</html>\n|");
}

TEST_CASE(
    "What begins as a document may have a byte order mark, blanks, comments and an XML declaration first") {
  check_place("\xEF\xBB\xBF<!doctype html><p>|");
  check_place(" \r\n\t\f<html>|");
  check_place("<!-- </body> --> <!doctype html>x|</body>");
  check_place(
      "<?xml version=\"1.0\"?>\n<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" "
      "\"x.dtd\"><html>|");
  check_place("\xEF\xBB\xBF\n<!--x--><head>|");
}

TEST_CASE("What is sent as HTML but does not begin as a document passes untouched") {
  for (const std::string_view body : {R"({"a":1})",
                                      "abc123",
                                      "",
                                      "  \n",
                                      "<p>part of a page</p></body>",
                                      "<header>x</header>",
                                      "<heading>",
                                      "<div></div><!doctype html></body>",
                                      "</body>",
                                      "<!doctype>",
                                      "<!doctype rss><rss></rss>",
                                      "<!doctypo html>",
                                      "<!-- only a comment -->",
                                      "<!-- unfinished",
                                      "<",
                                      "<!doctype htmlx>x",
                                      "<htmlx>",
                                      "<title>x</title>",
                                      "\xEF\xBB<html></body>",
                                      "\xEF<!--x--><html></body>",
                                      "\n\xEF\xBB\xBF<html></body>",
                                      "<svg></body></svg>",
                                      "<html"}) {
    check_untouched(body, "not-html");
  }
}

TEST_CASE("What is not a document is known before its end") {
  Page page;
  page.write("{");
  CHECK(page.outcome() == Outcome::kSkipped);
  CHECK(page.output() == "{");
}

TEST_CASE(
    "A document in UTF-16 or UTF-32 passes untouched, whichever end comes first and with or without a mark") {
  const std::string_view ascii = "<!doctype html><body>x</body>";
  for (const std::size_t width : {2U, 4U}) {
    for (const bool big : {false, true}) {
      for (const bool mark : {false, true}) {
        std::string body;
        if (mark) body = big ? "\xFE\xFF" : "\xFF\xFE";
        for (const char c : ascii) {
          std::string unit(width, '\0');
          unit[big ? width - 1 : 0] = c;
          body += unit;
        }
        check_untouched(body, "not-html");
      }
    }
  }
}

TEST_CASE("The last end tag of the body wins") {
  check_place("<html><body>a</body><body>b|</body></html>");
  check_place("<html><body>a</body>|</body>");
  check_place("<html><body><script>document.write('</body>')</script></body> <!-- --> </html>x|</body>");
  check_place("<html><body>a</body></html><p>b|");
  check_place("<html><body>a</body></div>|");
}

TEST_CASE("Blanks, comments and the end of the document may follow the end of the body") {
  check_place("<html><body>x|</body>\n<!-- cached </body> --><!x></>\n</html>\n<?php ?>\r\n");
  check_place("<html><body>x|</body></html><!-- not ended");
  check_place("<html><body>x|</body></htm");
  check_place("<html><body>x|</body><");
}

TEST_CASE("An end of the body with too much behind it to wait for is given up for the end of the document") {
  const std::string page =
      "<html><body>x</body></html><!--" + std::string(Injector::kMaxHeldBytes, 'c') + "-->";
  CHECK(with_bar(page) == page + std::string(kBar));

  const std::string long_tag =
      "<html><body>x</body " + std::string(Injector::kMaxHeldBytes, 'a') + "></html>";
  CHECK(with_bar(long_tag) == long_tag + std::string(kBar));
}

TEST_CASE("The longest tail that may be held keeps its end of the body") {
  const std::string tail = "</body><!--" + std::string(Injector::kMaxHeldBytes - 14, 'c') + "-->";
  REQUIRE(tail.size() == Injector::kMaxHeldBytes);
  CHECK(with_bar("<html>" + tail) == "<html>" + std::string(kBar) + tail);
  CHECK(with_bar("<html>" + tail + " ") == "<html>" + tail + " " + std::string(kBar));
}

TEST_CASE("A document that ends in the middle of something gets nothing and says where it ended") {
  check_untouched("<html><body><p class", "ends-in-tag");
  check_untouched("<html><body><p class='</body>", "ends-in-tag");
  check_untouched("<html><body>x</body", "ends-in-tag");
  check_untouched("<html><body>x<", "ends-in-tag");
  check_untouched("<html><body><!-- </body>", "ends-in-comment");
  check_untouched("<html><body><!doctype", "ends-in-comment");
  check_untouched("<html><script>var a = '</body>'", "ends-in-raw-text");
  check_untouched("<html><title></body>", "ends-in-raw-text");
  check_untouched("<html><plaintext></body>", "ends-in-raw-text");
  check_untouched("<html><template></body>", "ends-in-element");
  check_untouched("<html><svg></body>", "ends-in-element");
}

TEST_CASE("A page of frames has no body and is left alone") {
  check_untouched("<html><head></head><frameset cols='1,2'><frame src=a></frameset></html>", "frameset");
}

TEST_CASE("A fragment that is empty or longer than the limit is not inserted") {
  const std::string_view html = "<html></body>";
  const std::string too_long(Injector::kMaxFragmentBytes + 1, 'x');
  for (const std::string_view fragment : {std::string_view{}, std::string_view(too_long)}) {
    Page page({}, {}, fragment);
    page.write(html).finish();
    CHECK(page.output() == html);
    CHECK(page.reason() == "fragment-size");
  }
}

TEST_CASE("Bytes that are not ASCII pass as they are, in every character set in which '<' is always '<'") {
  // Latin-1; Shift_JIS with trail bytes 0x5C and 0x7B; EUC-JP; GB18030 with four-byte characters; Big5.
  for (const std::string_view bytes :
       {"caf\xE9", "\x95\x5C\x83\x7B\x8F\x40", "\xA4\xA2\x8F\xB0\xA1", "\x81\x30\x81\x30\x84\x31\xA4\x37",
        "\xA4\x40\xB3\x5C", "\xED\xA0\x80\xFF\xFE"}) {
    check_place("<html><title>" + std::string(bytes) + "</title><p id=" + std::string(bytes) + ">" +
                std::string(bytes) + "|</body>" + "<!--" + std::string(bytes) + "-->");
  }
  check_place(std::string_view("<html>\0x<p \0>\0|</body>", 22));
}

TEST_CASE("Writing or ending again after the end changes nothing") {
  Page page;
  page.write("<html>x</body>").finish().finish().write("</body>").finish();
  CHECK(page.output() == "<html>x" + std::string(kBar) + "</body></body>");
}

}  // namespace
}  // namespace inlens::bar
