// Numbers and counts as the console's sentences write them. Pure functions, any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace inlens::console::api {

std::string grouped(std::uint64_t value);              // 1240 -> "1,240"
std::string duration_words(std::uint64_t ns);          // "640 ns", "412 µs", "3.2 ms", "1,240 ms", "12.4 s"
std::string percent_words(double part, double whole);  // "94 %", "<1 %"
std::string bytes_words(std::uint64_t bytes);          // "512 bytes", "12.3 MB"

// "1 statement", "3 statements"; `plural` only where an s does not do.
std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural = {});

// At most `limit` bytes, cut between characters, white space and control characters folded to single spaces.
std::string excerpt(std::string_view text, std::size_t limit);

}  // namespace inlens::console::api
