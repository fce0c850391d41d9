#include "agent/platform/mask.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <atomic>
#include <cstring>

namespace inlens::mask {

namespace {

constexpr std::size_t kMaxKey = 64;
constexpr std::size_t kShortestSecret = 13;  // digits of a card number

// Found anywhere in a folded key.
constexpr std::string_view kSecretParts[] = {
    "passw",    "passwd", "passphrase", "secret", "token", "apikey", "session",    "credential", "signature",
    "authoriz", "cookie", "privatekey", "csrf",   "xsrf",  "jwt",    "cardnumber", "sessid"};
// The whole folded key.
constexpr std::string_view kSecretNames[] = {"pwd",  "pass", "pw",  "pin", "otp",  "auth", "sid",  "key",
                                             "code", "cvv",  "cvc", "ssn", "iban", "card", "once", "sig"};

constexpr std::string_view kSecretPrefixes[] = {"Bearer ", "Basic ", "sk_live_",  "sk_test_",
                                                "ghp_",    "gho_",   "glpat-",    "xoxb-",
                                                "xoxp-",   "AKIA",   "-----BEGIN"};

std::atomic<const ExtraKeys*> g_extra{nullptr};

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_alnum(char c) {
  return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z');
}
bool is_key_char(char c) {
  return is_alnum(c) || c == '_' || c == '-';
}
bool is_token_char(char c) {
  return is_alnum(c) || c == '_' || c == '-' || c == '.' || c == '+' || c == '/' || c == '=';
}
int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  const char l = lower(c);
  return l >= 'a' && l <= 'f' ? l - 'a' + 10 : -1;
}

// Folds case, drops separators and undoes %xx, so that `pass%77ord` is recognised too.
std::string_view fold(std::string_view key, char (&out)[kMaxKey]) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < key.size() && size < kMaxKey; ++i) {
    char c = key[i];
    if (c == '%' && i + 2 < key.size() && hex_value(key[i + 1]) >= 0 && hex_value(key[i + 2]) >= 0) {
      c = static_cast<char>(hex_value(key[i + 1]) * 16 + hex_value(key[i + 2]));
      i += 2;
    }
    if (is_alnum(c)) out[size++] = lower(c);
  }
  return {out, size};
}

bool passes_luhn(std::string_view text) {
  int digits = 0;
  int sum = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (text[i] == ' ' || text[i] == '-') continue;
    if (!is_digit(text[i])) return false;
    int value = text[i] - '0';
    if (digits % 2 == 1) value = value > 4 ? value * 2 - 9 : value * 2;
    sum += value;
    ++digits;
  }
  return digits >= 13 && digits <= 19 && sum % 10 == 0;
}

// Writes as far as there is room.
class Writer {
 public:
  Writer(char* out, std::size_t capacity) : out_(out), capacity_(capacity) {}
  void put(std::string_view text) {
    const std::size_t size = std::min(text.size(), capacity_ - size_);
    if (size > 0) std::memcpy(out_ + size_, text.data(), size);
    size_ += size;
  }
  std::size_t size() const { return size_; }
  bool full() const { return size_ == capacity_; }

 private:
  char* out_;
  std::size_t capacity_;
  std::size_t size_ = 0;
};

void put_query(std::string_view query, Writer& out) {
  while (!query.empty() && !out.full()) {
    const std::size_t end = std::min(query.find_first_of("&;#"), query.size());
    const std::string_view pair = query.substr(0, end);
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos &&
        (is_secret_key(pair.substr(0, equals)) || has_secret_shape(pair.substr(equals + 1)))) {
      out.put(pair.substr(0, equals + 1));
      if (equals + 1 < pair.size()) out.put(kMasked);
    } else {
      out.put(has_secret_shape(pair) ? kMasked : pair);
    }
    out.put(query.substr(end, end < query.size() ? 1 : 0));
    query.remove_prefix(std::min(end + 1, query.size()));
  }
}

// Path segments can be tokens as well: reset links, capability URLs.
void put_path(std::string_view path, Writer& out) {
  std::size_t at = 0;
  while (at < path.size()) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const std::string_view segment = path.substr(at, end - at);
    out.put(segment.size() >= kShortestSecret && has_secret_shape(segment) ? kMasked : segment);
    if (end < path.size()) out.put("/");
    at = end + 1;
  }
}

// Where the value behind a secret key begins: after spaces, one of `=:` (or none) and quotes. npos: no value
// follows.
std::size_t value_begin(std::string_view text, std::size_t at) {
  if (at < text.size() && (text[at] == '"' || text[at] == '\'')) ++at;
  while (at < text.size() && text[at] == ' ') ++at;
  if (at >= text.size() || (text[at] != '=' && text[at] != ':')) return std::string_view::npos;
  ++at;
  while (at < text.size() && text[at] == ' ') ++at;
  return at < text.size() ? at : std::string_view::npos;
}

// Behind a secret key everything up to a separator is the value; a quoted one ends at its quote.
std::size_t value_end(std::string_view text, std::size_t at) {
  const char quote = text[at];
  if (quote == '"' || quote == '\'') {
    const std::size_t end = text.find(quote, at + 1);
    return end == std::string_view::npos ? text.size() : end + 1;
  }
  const std::size_t bearer = text.substr(at, 7) == "Bearer " ? 7 : text.substr(at, 6) == "Basic " ? 6 : 0;
  return std::min(text.find_first_of(" ,;&\n\r\t)}", at + bearer), text.size());
}

}  // namespace

void set_extra_keys(const ExtraKeys* keys) noexcept {
  g_extra.store(keys, std::memory_order_release);
}

bool is_secret_key(std::string_view key) noexcept {
  char buffer[kMaxKey];
  const std::string_view folded = fold(key, buffer);
  if (folded.empty()) return false;
  for (const std::string_view name : kSecretNames) {
    if (folded == name) return true;
  }
  for (const std::string_view part : kSecretParts) {
    if (folded.find(part) != std::string_view::npos) return true;
  }
  const ExtraKeys* extra = g_extra.load(std::memory_order_acquire);
  if (extra == nullptr) return false;
  for (std::size_t i = 0; i < extra->count; ++i) {
    char other[kMaxKey];
    if (fold(extra->names[i], other) == folded) return true;
  }
  return false;
}

bool has_secret_shape(std::string_view value) noexcept {
  if (value.size() < kShortestSecret) return false;
  if (value.size() > 20 && value.substr(0, 3) == "eyJ" && std::count(value.begin(), value.end(), '.') >= 1)
    return true;
  for (const std::string_view prefix : kSecretPrefixes) {
    if (value.substr(0, prefix.size()) == prefix) return true;
  }
  return value.size() <= 23 && passes_luhn(value);
}

namespace {

// Whether a path has a query, a fragment or a segment long enough for a secret.
bool is_suspicious(std::string_view path) noexcept {
  std::size_t segment = 0;
  for (const char c : path) {
    segment = c == '/' ? 0 : segment + 1;
    if (segment >= kShortestSecret || c == '?' || c == '#') return true;
  }
  return false;
}

#if defined(__SSE2__)
// The same for 16 to 64 bytes, without a loop over bytes: one bit for each byte.
bool is_suspicious_by_bits(std::string_view path) noexcept {
  std::uint64_t slashes = 0;
  int marks = 0;
  const auto look = [&](std::size_t at) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(path.data() + at));
    slashes |= static_cast<std::uint64_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('/')))) << at;
    marks |= _mm_movemask_epi8(
        _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('?')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('#'))));
  };
  std::size_t at = 0;
  for (; at + 16 <= path.size(); at += 16) look(at);
  if (at < path.size()) look(path.size() - 16);
  if (marks != 0) return true;
  // A run of 13 bits survives being narrowed by 1, 2, 4 and 5.
  std::uint64_t run = ~slashes;
  if (path.size() < 64) run &= (std::uint64_t{1} << path.size()) - 1;
  run &= run >> 1;
  run &= run >> 2;
  run &= run >> 4;
  run &= run >> 5;
  static_assert(kShortestSecret == 1 + 1 + 2 + 4 + 5);
  return run != 0;
}
#endif

}  // namespace

bool url_may_hold_secret(std::string_view url) noexcept {
  if (url.empty()) return false;
  if (url.front() != '/') return true;
#if defined(__SSE2__)
  if (url.size() >= 16 && url.size() <= 64) return is_suspicious_by_bits(url);
#endif
  return is_suspicious(url);
}

std::size_t copy_url(std::string_view url, char* out, std::size_t capacity) noexcept {
  Writer writer(out, capacity);
  if (const std::size_t scheme = url.find("://"); scheme != std::string_view::npos && scheme < 16) {
    writer.put(url.substr(0, scheme + 3));
    url.remove_prefix(scheme + 3);
    const std::size_t authority = std::min(url.find_first_of("/?#"), url.size());
    if (const std::size_t at = url.substr(0, authority).rfind('@'); at != std::string_view::npos) {
      writer.put(kMasked);
      url.remove_prefix(at);
    }
  }
  const std::size_t query = std::min(url.find_first_of("?#"), url.size());
  put_path(url.substr(0, query), writer);
  if (query < url.size()) {
    writer.put(url.substr(query, 1));
    put_query(url.substr(query + 1), writer);
  }
  return writer.size();
}

std::size_t copy_text(std::string_view text, char* out, std::size_t capacity) noexcept {
  Writer writer(out, capacity);
  std::size_t at = 0;
  while (at < text.size() && !writer.full()) {
    if (!is_token_char(text[at])) {
      const std::size_t begin = at;
      while (at < text.size() && !is_token_char(text[at])) ++at;
      writer.put(text.substr(begin, at - begin));
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_key_char(text[end])) ++end;
    const std::size_t value = end > at ? value_begin(text, end) : std::string_view::npos;
    if (value != std::string_view::npos && is_secret_key(text.substr(at, end - at))) {
      writer.put(text.substr(at, value - at));
      writer.put(kMasked);
      at = value_end(text, value);
      continue;
    }
    // A card number may hold spaces or hyphens; look at the longest run of digits and separators.
    std::size_t run = at;
    while (run < text.size() && (is_digit(text[run]) || text[run] == ' ' || text[run] == '-')) ++run;
    while (run > at && !is_digit(text[run - 1])) --run;
    std::size_t word = at;
    while (word < text.size() && is_token_char(text[word])) ++word;
    if (run > at && passes_luhn(text.substr(at, run - at))) {
      writer.put(kMasked);
      at = run;
    } else if (end > at && end < word && text[end] == '=') {  // `key=value`: look at the value on its own
      writer.put(text.substr(at, end + 1 - at));
      at = end + 1;
    } else {
      writer.put(has_secret_shape(text.substr(at, word - at)) ? kMasked : text.substr(at, word - at));
      at = word;
    }
  }
  return writer.size();
}

}  // namespace inlens::mask
