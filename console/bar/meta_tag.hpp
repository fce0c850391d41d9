// Reads the attributes of one <meta> while its bytes pass: a policy or a character set declared there binds
// the bar as a header does. Part of the tokenizer, on the host's thread; owns bounded copies of the few
// values that matter.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace inlens::bar {

class MetaTag {
 public:
  static constexpr std::size_t kMaxPolicyBytes = 512;

  void clear() noexcept { *this = MetaTag{}; }
  void start_attribute() noexcept;
  void add_name(char c) noexcept { name_.add(c); }
  void add_value(std::string_view part) noexcept;

  bool is_policy() const noexcept;
  // The policy was longer than what is kept, so nothing can be said about it.
  bool policy_cut() const noexcept { return content_.cut; }
  // Resolves the character references that template engines write for quotes.
  std::string_view policy() noexcept;
  bool charset_is_safe() const noexcept;

 private:
  template <std::size_t kCap>
  struct Text {
    std::array<char, kCap> bytes{};
    std::uint16_t size = 0;
    bool cut = false;
    bool given = false;  // of an attribute that is given twice the first counts

    void add(char c) noexcept {
      if (size == kCap) {
        cut = true;
      } else {
        bytes[size++] = c;
      }
    }
    std::string_view view() const noexcept { return {bytes.data(), size}; }
  };
  enum class Field : std::uint8_t { kUndecided, kIgnored, kHttpEquiv, kContent, kCharset };

  Field field_of_name() const noexcept;
  template <std::size_t kCap>
  Field open(Text<kCap>& text, Field field) noexcept;

  Text<16> name_;
  Text<32> http_equiv_;
  Text<32> charset_;
  Text<kMaxPolicyBytes> content_;
  Field field_ = Field::kUndecided;
};

}  // namespace inlens::bar
