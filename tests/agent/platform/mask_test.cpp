#include "agent/platform/mask.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace inlens;

namespace {

std::string url(std::string_view text) {
  char out[2000];
  return {out, mask::copy_url(text, out, sizeof(out))};
}

std::string text(std::string_view given) {
  char out[2000];
  return {out, mask::copy_text(given, out, sizeof(out))};
}

}  // namespace

TEST_CASE("Query values of secret keys are masked, others stay") {
  CHECK(url("/a?x=1&password=p&y=2") == "/a?x=1&password=***&y=2");
  CHECK(url("/a?X-Api-Key=abc") == "/a?X-Api-Key=***");
  CHECK(url("/a?access_token=abc#b=1") == "/a?access_token=***#b=1");
  CHECK(url("/a?pass%77ord=abc") == "/a?pass%77ord=***");
  CHECK(url("/a?code=abc;pin=12") == "/a?code=***;pin=***");
  CHECK(url("/a?page=2&q=shoes") == "/a?page=2&q=shoes");
  CHECK(url("/a?password=") == "/a?password=");
}

TEST_CASE("User information in an address is masked") {
  CHECK(url("postgresql://ann:secret@db/shop") == "postgresql://***@db/shop");
  CHECK(url("http://host/a@b") == "http://host/a@b");
}

TEST_CASE("Values of a secret shape are masked whatever their key") {
  CHECK(url("/reset/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc") == "/reset/***");
  CHECK(url("/a?x=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc") == "/a?x=***");
  CHECK(url("/pay/4111111111111111") == "/pay/***");
  CHECK(url("/pay/4111111111111112") == "/pay/4111111111111112");
  CHECK(mask::has_secret_shape("AKIAIOSFODNN7EXAMPLE"));
  CHECK_FALSE(mask::has_secret_shape("hello world, hello"));
}

TEST_CASE("Free text loses secrets given as key and value, and nothing else") {
  CHECK(text("login failed: password=hunter2, user=ann") == "login failed: password=***, user=ann");
  CHECK(text("{\"token\": \"abc def\", \"n\": 1}") == "{\"token\": ***, \"n\": 1}");
  CHECK(text("Authorization: Bearer abc.def rest") == "Authorization: *** rest");
  CHECK(text("card 4111 1111 1111 1111 refused") == "card *** refused");
  CHECK(text("the token was refused") == "the token was refused");
  CHECK(text("order 12345 of 7 items") == "order 12345 of 7 items");
  CHECK(text("") == "");
}

TEST_CASE("Masked text of any bytes stays within its room") {
  std::uint32_t state = 12345;
  for (int round = 0; round < 2000; ++round) {
    std::string given;
    for (int i = 0; i < 60; ++i) {
      state = state * 1664525 + 1013904223;
      given += "=:&?/@\"' %abpw\0\xff"[(state >> 16) % 17];
    }
    given += "password=" + given;
    char out[32];
    CHECK(mask::copy_text(given, out, sizeof(out)) <= sizeof(out));
    CHECK(mask::copy_url(given, out, sizeof(out)) <= sizeof(out));
  }
}

TEST_CASE("The quick look never misses what the copy would mask") {
  for (const std::string_view target : {"/a?password=x", "/reset/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc",
                                        "/c/4111111111111111", "http://a:b@c/d"}) {
    CHECK(url(target) != target);
    CHECK(mask::url_may_hold_secret(target));
  }
  CHECK_FALSE(mask::url_may_hold_secret("/products/1234/reviews"));
}

TEST_CASE("Keys of one's own are masked as well") {
  static constexpr std::string_view names[] = {"customer-number"};
  static const mask::ExtraKeys keys{names, 1};
  mask::set_extra_keys(&keys);
  CHECK(url("/a?customerNumber=1") == "/a?customerNumber=***");
  mask::set_extra_keys(nullptr);
  CHECK(url("/a?customerNumber=1") == "/a?customerNumber=1");
}
