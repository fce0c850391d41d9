#include "agent/worker/message_template.hpp"

#include <catch2/catch.hpp>
#include <cctype>
#include <random>
#include <string>

using namespace inlens::worker;

namespace {

std::string template_of(std::string_view message) {
  std::string out;
  append_message_template(message, out);
  return out;
}

std::string statement_message(std::string_view message) {
  std::string out;
  append_statement_message(message, out);
  return out;
}

}  // namespace

TEST_CASE("Numbers, ids, hexadecimal, UUIDs, quoted text and addresses of mail are masked") {
  struct Row {
    const char* message;
    const char* wanted;
  };
  for (const Row& row : {Row{"", ""},
                         {"order 17 not found", "order ? not found"},
                         {"order-1234 is locked", "order-? is locked"},
                         {"took 1,240.5 ms", "took ? ms"},
                         {"took 10ms", "took ?"},
                         {"at 0x7ffe12ab in frame 3", "at ? in frame ?"},
                         {"connect to 10.0.0.1:5432 failed", "connect to ? failed"},
                         {"id 550e8400-e29b-41d4-a716-446655440000 twice", "id ? twice"},
                         {"no user \"Ada Lovelace\"", "no user \"?\""},
                         {"no user 'Ada'", "no user '?'"},
                         {"can't open `shop`", "can't open `?`"},
                         {"it isn't Ada's", "it isn't Ada's"},
                         {"mail to ada@example.org bounced", "mail to ? bounced"},
                         {"object deadbeef01 gone", "object ? gone"},
                         {"token a1b2c3d4e5f6g7h8i9j0k1 refused", "token ? refused"},
                         {"utf8 and sha256 stay", "utf8 and sha256 stay"},
                         {"Zeichen ü und 日本 bleiben", "Zeichen ü und 日本 bleiben"},
                         {"an open quote ' here 5", "an open quote ' here ?"}}) {
    INFO(row.message);
    CHECK(template_of(row.message) == row.wanted);
  }
}

TEST_CASE("Whatever the bytes, no number of its own survives in a template") {
  std::mt19937 random(3);
  const std::string alphabet = "aZ09 '\"`@.-,:_=()\\x\xC3\xA9\xFF";
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c < 0;
  };
  for (int round = 0; round < 5000; ++round) {
    std::string message;
    for (std::size_t i = random() % 40; i > 0; --i) message += alphabet[random() % alphabet.size()];
    const std::string masked = template_of(message);
    INFO(message << " -> " << masked);
    for (std::size_t i = 0; i < masked.size(); ++i) {
      if (masked[i] == '0' || masked[i] == '9') REQUIRE((i > 0 && is_word(masked[i - 1])));
    }
  }
}

TEST_CASE("A database's message never repeats what stood in the statement") {
  CHECK(statement_message("Duplicate entry 'ada@example.org' for key 'email'") == "Duplicate entry '?'");
  CHECK(statement_message("near 'SELECT 'secret' FROM x' at line 3") == "near '?' at line ?");
  CHECK(statement_message("Key (email)=(ada (lovelace)) already exists.") ==
        "Key (email)=(?) already exists.");
  CHECK(statement_message("Key (a)=(secret") == "Key (a)=(?");
  CHECK(statement_message("invalid input syntax for type integer: \"secret\"") ==
        "invalid input syntax for type integer: \"?\"");
  CHECK(statement_message("it is 'unfinished") == "it is '?'");
  CHECK(statement_message("Table 'shop.none' doesn't exist") == "Table '?' doesn't exist");
  CHECK(statement_message("it is 'what he doesn't tell") == "it is '?'");
  CHECK(statement_message("value 'can't say 'secret' here' is wrong") == "value '?' is wrong");
  CHECK(statement_message("UNIQUE constraint failed: users.email") ==
        "UNIQUE constraint failed: users.email");
}
