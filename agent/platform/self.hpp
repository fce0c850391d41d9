// What the kernel says about this process and its threads. For the console's figures; never called from a
// hook. Blocks: for reading /proc. Errors: zero or empty where /proc says nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace inlens {

std::uint64_t process_cpu_ns();
std::uint64_t process_rss_bytes();
// CPU time of the first thread of this process that has that name; 0 when there is none.
std::uint64_t named_thread_cpu_ns(std::string_view name);
std::string program_name();

}  // namespace inlens
