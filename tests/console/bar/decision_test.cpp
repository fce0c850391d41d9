#include "console/bar/decision.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace inlens::bar {
namespace {

using Headers = std::vector<HeaderView>;

Headers html_and(Headers more) {
  more.insert(more.begin(), {"Content-Type", "text/html; charset=utf-8"});
  return more;
}

Decision decide_on(const Headers& headers, int status = 200,
                   const RequestFacts& request = {.method = "GET"}) {
  return decide(request, {status, headers});
}

std::string_view reason(const Headers& headers, int status = 200,
                        const RequestFacts& request = {.method = "GET"}) {
  const Decision decision = decide_on(headers, status, request);
  CHECK(decision.decorate == (decision.reason == Skip::kNone));
  return text(decision.reason);
}

std::string_view reason_for_type(std::string_view type) {
  return reason({{"Content-Type", type}});
}

TEST_CASE("A whole HTML page is decorated") {
  CHECK(reason_for_type("text/html") == "");
  CHECK(reason_for_type("Text/HTML ; Charset=\"UTF-8\"") == "");
  CHECK(reason({{"content-TYPE", "text/html;charset=utf-8"}}) == "");
  CHECK(reason(html_and({}), 200, {.method = "POST", .sec_fetch_dest = "document"}) == "");
}

TEST_CASE("Only HTML is touched, whatever the body looks like") {
  for (const std::string_view type :
       {"text/javascript", "application/json", "image/svg+xml", "text/csv", "application/xhtml+xml",
        "text/plain", "text/event-stream", "text/htmlx", "", ";", "text/vnd.turbo-stream.html",
        "multipart/byteranges; boundary=x", "text/html, application/json"}) {
    INFO(type);
    CHECK(reason_for_type(type) == "content-type");
  }
  CHECK(reason({}) == "content-type");
  CHECK(reason({{"Content-Type", "text/html"}, {"content-type", "application/json"}}) == "content-type");
}

TEST_CASE("Only a complete answer of status 200 is touched") {
  for (const int status : {0, 101, 199, 201, 203, 204, 205, 206, 301, 304, 404, 500}) {
    INFO(status);
    CHECK(reason(html_and({}), status) == "status");
  }
  CHECK(reason(html_and({{"content-RANGE", "bytes 0-9/100"}})) == "range");
  CHECK(reason(html_and({}), 200, {.method = "GET", .range = "bytes=0-9"}) == "range");
}

TEST_CASE("The answer to HEAD keeps the head of the page it stands for") {
  CHECK(reason(html_and({}), 200, {.method = "HEAD"}) == "head-method");
}

TEST_CASE("A coded body is never touched") {
  for (const std::string_view coding :
       {"gzip", "br", "zstd", "deflate", "gzip, br", "x-gzip", "identity, gzip", "GZIP"}) {
    INFO(coding);
    CHECK(reason(html_and({{"Content-Encoding", coding}})) == "content-encoding");
  }
  CHECK(reason(html_and({{"Content-Encoding", "identity"}, {"content-encoding", "br"}})) ==
        "content-encoding");
  CHECK(reason(html_and({{"Transfer-Encoding", "gzip, chunked"}})) == "content-encoding");
}

TEST_CASE("Identity and chunked are not codings of the body") {
  CHECK(reason(html_and({{"Content-Encoding", "identity"}})) == "");
  CHECK(reason(html_and({{"content-encoding", ""}})) == "");
  CHECK(reason(html_and({{"Transfer-Encoding", "Chunked"}})) == "");
}

TEST_CASE("A download is never touched") {
  CHECK(reason(html_and({{"Content-Disposition", "attachment; filename=\"a.html\""}})) == "attachment");
  CHECK(reason(html_and({{"content-disposition", "ATTACHMENT"}})) == "attachment");
  CHECK(reason(html_and({{"Content-Disposition", "unknown"}})) == "attachment");
  CHECK(reason(html_and({{"Content-Disposition", "inline; filename=a.html"}})) == "");
}

TEST_CASE("A part of a page that a script asked for gets no bar of its own") {
  for (const Headers& request :
       {Headers{{"HX-Request", "true"}}, Headers{{"Turbo-Frame", "cart"}, {"X-Turbo-Request-Id", "1"}},
        Headers{{"Turbo-Frame", "cart"}}, Headers{{"X-Requested-With", "XMLHttpRequest"}},
        Headers{{"Sec-Fetch-Dest", "empty"}}, Headers{{"sec-fetch-dest", "iframe"}}}) {
    INFO(request.front().name);
    CHECK(reason(html_and({}), 200, request_facts("GET", request, false)) == "fragment");
  }
  CHECK(reason(html_and({}), 200, request_facts("GET", Headers{{"Sec-Fetch-Dest", "document"}}, false)) ==
        "");
}

TEST_CASE("A page that a script fetched to put it in place of the one shown gets its bar") {
  for (const Headers& request :
       {Headers{{"hx-request", "true"}, {"HX-Boosted", "true"}, {"Sec-Fetch-Dest", "empty"}},
        Headers{{"X-Turbo-Request-Id", "c0ffee"}, {"Sec-Fetch-Dest", "empty"}}}) {
    INFO(request.front().name);
    CHECK(reason(html_and({}), 200, request_facts("GET", request, false)) == "");
  }
}

TEST_CASE("The output of a subrequest gets no bar inside another page") {
  CHECK(reason(html_and({}), 200, {.method = "GET", .subrequest = true}) == "subrequest");
}

TEST_CASE("A character set in which '<' may be a part of another character is never touched") {
  for (const std::string_view charset :
       {"utf-16", "UTF-16LE", "utf-16be", "\"utf-16\"", "utf-32", "utf-7", "iso-2022-jp", "ISO-2022-KR",
        "csISO2022JP", "hz-gb-2312", "ucs-2", "unicode", "johab", "\"utf\\-16\"", " utf-16 "}) {
    INFO(charset);
    CHECK(reason_for_type("text/html; charset=" + std::string(charset)) == "charset");
  }
  CHECK(reason_for_type("text/html; version=1; charset=utf-8; charset=utf-16") == "charset");
}

TEST_CASE("A character set that keeps ASCII is no hindrance") {
  for (const std::string_view charset :
       {"utf-8", "iso-8859-1", "windows-1252", "shift_jis", "euc-jp", "gb18030", "big5", "koi8-r",
        "unicode-1-1-utf-8", "no-such-charset", ""}) {
    INFO(charset);
    CHECK(reason_for_type("text/html; charset=" + std::string(charset)) == "");
  }
}

TEST_CASE("Every reason has a text of its own") {
  std::vector<std::string_view> texts;
  for (int i = 0; i <= static_cast<int>(Skip::kFragmentSize); ++i) {
    const std::string_view reason_text = text(static_cast<Skip>(i));
    CHECK(reason_text != "unknown");
    CHECK(std::find(texts.begin(), texts.end(), reason_text) == texts.end());
    texts.push_back(reason_text);
  }
}

}  // namespace
}  // namespace inlens::bar
