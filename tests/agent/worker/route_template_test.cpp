#include "agent/worker/route_template.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace inlens::worker;

namespace {

std::string template_of(std::string_view target) {
  std::string out;
  append_route_template(target, out);
  return out;
}

}  // namespace

TEST_CASE("Segments that name one thing of many are masked, words and static files stay") {
  struct Row {
    const char* target;
    const char* wanted;
  };
  for (const Row& row :
       {Row{"/", "/"},
        {"/orders", "/orders"},
        {"/orders/", "/orders/"},
        {"/orders/17", "/orders/{id}"},
        {"/orders/17/items/3", "/orders/{id}/items/{id}"},
        {"/api/v2/users/4711", "/api/v2/users/{id}"},
        {"/u/550e8400-e29b-41d4-a716-446655440000/edit", "/u/{id}/edit"},
        {"/blob/deadbeef01", "/blob/{id}"},
        {"/t/eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", "/t/{id}"},
        {"/x/QxV93kfLs02Zp", "/x/{id}"},
        {"/report/2026-11-30", "/report/{id}"},
        {"/mail/a@b.example", "/mail/{id}"},
        {"/name/M%C3%BCller", "/name/{id}"},
        {"/terms-and-conditions-of-use-for-everybody", "/terms-and-conditions-of-use-for-everybody"},
        {"/page2", "/page2"},
        {"/oauth2/token", "/oauth2/token"},
        {"/base64", "/base64"},
        {"/static/app.css", "/static/app.css"},
        {"/wp-login.php", "/wp-login.php"}}) {
    INFO(row.target);
    CHECK(template_of(row.target) == row.wanted);
  }
}

TEST_CASE("Query and fragment never reach the template") {
  CHECK(template_of("/search?q=secret") == "/search");
  CHECK(template_of("/search#secret") == "/search");
  CHECK(template_of("/search#a?b=secret") == "/search");
  CHECK(template_of("?q=secret") == "/");
}

TEST_CASE("An absolute target is grouped by its path, and nothing by the root") {
  CHECK(template_of("http://user:pw@shop.test/orders/9") == "/orders/{id}");
  CHECK(template_of("http://shop.test") == "/");
  CHECK(template_of("") == "/");
  CHECK(template_of("*") == "*");
}

TEST_CASE("Thousands of ids give one template") {
  for (int i = 100; i < 5000; ++i) REQUIRE(template_of("/orders/" + std::to_string(i)) == "/orders/{id}");
}

TEST_CASE("A path without end is cut") {
  std::string path;
  for (int i = 0; i < 1000; ++i) path += "/a";
  CHECK(template_of(path) == "/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/{…}");
  CHECK(template_of(std::string(5000, '/')).size() < 100);
}
