#include "console/server/secrets.hpp"

#include <sodium.h>
#include <sys/random.h>

namespace inlens::console {

bool secrets_ready() {
  static const bool ready = [] {
    unsigned char probe[16];
    return ::getrandom(probe, sizeof probe, GRND_NONBLOCK) == sizeof probe && sodium_init() >= 0;
  }();
  return ready;
}

std::string random_secret() {
  unsigned char bytes[32];
  randombytes_buf(bytes, sizeof bytes);
  char text[sodium_base64_ENCODED_LEN(sizeof bytes, sodium_base64_VARIANT_URLSAFE_NO_PADDING)];
  sodium_bin2base64(text, sizeof text, bytes, sizeof bytes, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
  sodium_memzero(bytes, sizeof bytes);
  return text;
}

Digest digest_of(std::string_view text) {
  Digest digest;
  crypto_generichash(digest.data(), digest.size(), reinterpret_cast<const unsigned char*>(text.data()),
                     text.size(), nullptr, 0);
  return digest;
}

bool same_digest(const Digest& a, const Digest& b) {
  return sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace inlens::console
