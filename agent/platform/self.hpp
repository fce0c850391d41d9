// What the kernel says about this process and its threads. For the console's figures; never called from a
// hook. Blocks: for reading /proc. Errors: zero or empty where /proc says nothing.
#pragma once

#include <cstdint>
#include <string>

namespace inlens {

std::uint64_t process_cpu_ns();
std::uint64_t process_rss_bytes();
// CPU time of one thread of this process.
std::uint64_t thread_cpu_ns(std::int32_t thread_id);
std::string program_name();

}  // namespace inlens
