// Which character sets let us work on bytes: those where a byte 0x3C is always the character "<" and ASCII
// text means itself. Pure; called on host threads by the decision and by the injector's reading of <meta>.
#pragma once

#include <string_view>

namespace inlens::bar {

// False for UTF-16, UTF-32, UTF-7, the ISO-2022 family, HZ, EBCDIC and the like. An unknown label counts as
// safe: browsers ignore it and fall back to an ASCII-compatible set.
bool charset_is_ascii_safe(std::string_view label) noexcept;

// The value of each `charset` parameter in a Content-Type is checked; a value that cannot be read is unsafe.
// `parameters` is what follows the first ';'.
bool charset_parameters_are_safe(std::string_view parameters) noexcept;

}  // namespace inlens::bar
