// The text of a statement that SQLite refused, out of what the host passed: often the rest of a whole script.
#pragma once

#include <cstddef>
#include <string_view>

namespace inlens::sqlite {

// Up to the first semicolon outside of quotes and comments.
std::string_view first_statement(std::string_view script) noexcept;

// UTF-16 in the machine's byte order as UTF-8, as much of it as `out` holds. Halves of pairs become U+FFFD.
std::size_t to_utf8(const char16_t* text, std::size_t units, char* out, std::size_t capacity) noexcept;

}  // namespace inlens::sqlite
