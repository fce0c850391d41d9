#include "collectors/sql/folded_text.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace inlens::sql {

TEST_CASE("every byte is folded and marked alike, wherever it stands") {
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    const bool is_part_of_word = kWordByte[static_cast<unsigned char>(c)];
    for (std::size_t at = 0; at < 40; ++at) {
      std::string sql(44, 'A');
      sql[at] = c;
      const FoldedText text(sql);
      INFO("byte " << byte << " at " << at);
      REQUIRE(text.bytes()[at] == kFold[static_cast<unsigned char>(c)]);
      REQUIRE(text.word_size(0) == (is_part_of_word ? sql.size() : at));
      REQUIRE(text.word_size(at + 1) == sql.size() - at - 1);
    }
  }
}

TEST_CASE("a word longer than the marks looked at is at least known to be long") {
  const FoldedText text(std::string(300, 'a'));
  for (std::size_t at = 0; at < 200; ++at) REQUIRE(text.word_size(at) >= FoldedText::kLongestWord);
}

TEST_CASE("zeros follow the text") {
  for (std::size_t size : {0, 1, 15, 16, 17, 4096}) {
    const FoldedText text(std::string(size, 'a'));
    REQUIRE(text.size() == size);
    for (std::size_t i = 0; i < FoldedText::kPadBytes; ++i) REQUIRE(text.bytes()[size + i] == 0);
    if (size > 0) REQUIRE(text.word_size(size - 1) == 1);
  }
}

TEST_CASE("a text that is too long is left out") {
  CHECK(FoldedText(std::string(FoldedText::kMaxBytes + 1, 'a')).size() == 0);
}

}  // namespace inlens::sql
