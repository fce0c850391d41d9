#include "console/api/parameters.hpp"

#include <catch2/catch.hpp>

using inlens::console::api::Parameters;

TEST_CASE("absent parameters are no problem and take their fallback") {
  Parameters parameters("");
  CHECK_FALSE(parameters.text("q", 10));
  CHECK_FALSE(parameters.choice("status", {"2xx"}));
  CHECK(parameters.integer("limit", 100, 1, 200) == 100);
  CHECK_FALSE(parameters.problem());
}

TEST_CASE("values are decoded") {
  Parameters parameters("q=a%20b%2Fc&limit=7");
  CHECK(parameters.text("q", 10) == "a b/c");
  CHECK(parameters.integer("limit", 100, 1, 200) == 7);
  CHECK_FALSE(parameters.problem());
}

TEST_CASE("a number outside its bounds is refused with name and bounds") {
  for (const char* query : {"limit=0", "limit=201", "limit=-1", "limit=x", "limit=", "limit=5x", "limit=1.5",
                            "limit=99999999999999999999"}) {
    CAPTURE(query);
    Parameters parameters(query);
    CHECK(parameters.integer("limit", 100, 1, 200) == 100);
    CHECK(parameters.problem() == "Parameter `limit` must be a whole number from 1 to 200.");
  }
}

TEST_CASE("a word that is no choice is refused with the choices") {
  Parameters parameters("status=200");
  CHECK_FALSE(parameters.choice("status", {"2xx", "5xx"}));
  CHECK(parameters.problem() == "Parameter `status` must be one of 2xx, 5xx.");

  Parameters only("error=yes");
  CHECK_FALSE(only.choice("error", {"1"}));
  CHECK(only.problem() == "Parameter `error` must be 1.");
}

TEST_CASE("a text that is too long is refused with its bound") {
  Parameters parameters("q=abcdef");
  CHECK_FALSE(parameters.text("q", 5));
  CHECK(parameters.problem() == "Parameter `q` must be at most 5 bytes long.");
}

TEST_CASE("an unknown parameter is refused with the known names, never echoed") {
  Parameters parameters("lmit=5&q=x");
  parameters.text("q", 10);
  parameters.integer("limit", 100, 1, 200);
  CHECK(parameters.problem() == "Unknown parameter; known here: q, limit.");
}

TEST_CASE("an address without parameters refuses any") {
  CHECK(Parameters("x").problem() == "This address takes no parameters.");
  CHECK_FALSE(Parameters("&&").problem());
}

TEST_CASE("the first problem is the one that is told") {
  Parameters parameters("status=9&limit=0");
  parameters.choice("status", {"2xx", "5xx"});
  parameters.integer("limit", 100, 1, 200);
  CHECK(parameters.problem() == "Parameter `status` must be one of 2xx, 5xx.");
}
