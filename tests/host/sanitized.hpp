// Whether this is a sanitizer's build, where memory and time are no measure and fewer rounds will do.
#pragma once

namespace host_test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace host_test
