// Random secrets and comparisons that take the same time whatever they compare. Called by sessions and the
// gate. Threads: any. Owns nothing.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace inlens::console {

using Digest = std::array<unsigned char, 32>;

// False where the kernel gives no random bytes: libsodium would end the process, so nobody may sign in
// instead. Call it before the other two.
bool secrets_ready();

// 256 random bits as 43 characters of [A-Za-z0-9_-].
std::string random_secret();

// BLAKE2b. Secrets are kept and compared as digests, so neither a copy of memory nor a comparison tells them.
Digest digest_of(std::string_view text);
bool same_digest(const Digest& a, const Digest& b);

}  // namespace inlens::console
