#include "console/api/wording.hpp"

#include <catch2/catch.hpp>

using namespace inlens::console::api;

TEST_CASE("numbers are grouped by thousands") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1'240) == "1,240");
  CHECK(grouped(12'345'678) == "12,345,678");
}

TEST_CASE("a duration is written in the unit that a person would choose") {
  CHECK(duration_words(640) == "640 ns");
  CHECK(duration_words(412'900) == "412 µs");
  CHECK(duration_words(3'250'000) == "3.2 ms");
  CHECK(duration_words(312'000'000) == "312 ms");
  CHECK(duration_words(1'240'000'000) == "1,240 ms");
  CHECK(duration_words(12'450'000'000) == "12.4 s");
}

TEST_CASE("a share below one percent is not written as zero") {
  CHECK(percent_words(94, 100) == "94 %");
  CHECK(percent_words(0.4, 100) == "<1 %");
  CHECK(percent_words(0, 100) == "0 %");
  CHECK(percent_words(1, 0) == "0 %");
}

TEST_CASE("sizes are written in bytes, KB or MB") {
  CHECK(bytes_words(512) == "512 bytes");
  CHECK(bytes_words(12'300) == "12.3 KB");
  CHECK(bytes_words(16'000'000) == "16.0 MB");
}

TEST_CASE("a count takes the singular for one only") {
  CHECK(counted(1, "statement") == "1 statement");
  CHECK(counted(0, "statement") == "0 statements");
  CHECK(counted(2'000, "query", "queries") == "2,000 queries");
}

TEST_CASE("an excerpt folds white space and control characters") {
  CHECK(excerpt("SELECT\n\t  1\x01\x7F FROM t ", 60) == "SELECT 1 FROM t");
  CHECK(excerpt("\n\n", 60).empty());
}

TEST_CASE("an excerpt is cut between characters and says so") {
  CHECK(excerpt("abcdef", 3) == "abc…");
  CHECK(excerpt("aéé", 2) == "a…");
  CHECK(excerpt("abc", 3) == "abc");
}
