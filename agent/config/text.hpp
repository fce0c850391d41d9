// UTF-8 and one-line texts for values and messages of the settings. Pure functions, used by agent/config
// alone; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace inlens::config {

// Bytes of the character at the start of `text`: 0 when it is empty, not UTF-8 or a control character.
std::size_t printable_length(std::string_view text) noexcept;

bool is_printable(std::string_view text) noexcept;

// `text` with '?' for each byte that is not printable, cut with "…" after about `max_bytes`.
std::string printable(std::string_view text, std::size_t max_bytes = 80);

}  // namespace inlens::config
