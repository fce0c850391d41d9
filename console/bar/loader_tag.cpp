#include "console/bar/loader_tag.hpp"

#include <cstring>

#include "console/bar/ascii.hpp"
#include "console/bar/csp.hpp"

namespace inlens::bar {
namespace {

class Writer {
 public:
  Writer(char* out, std::size_t cap) noexcept
      : out_(out), cap_(cap < kMaxLoaderTagBytes ? cap : kMaxLoaderTagBytes) {}

  Writer& put(std::string_view piece) noexcept {
    if (piece.size() > cap_ - size_) {
      full_ = true;
    } else if (!full_ && !piece.empty()) {
      std::memcpy(out_ + size_, piece.data(), piece.size());
      size_ += piece.size();
    }
    return *this;
  }

  std::size_t size() const noexcept { return full_ ? 0 : size_; }

 private:
  char* out_;
  std::size_t cap_;
  std::size_t size_ = 0;
  bool full_ = false;
};

constexpr bool is_word(char c) noexcept {
  return is_alpha(c) || is_digit(c) || c == '-' || c == '_';
}
constexpr bool is_path(char c) noexcept {
  return is_word(c) || c == '/' || c == '.' || c == '~';
}
constexpr bool is_hex(char c) noexcept {
  return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'f');
}

bool consists_of(std::string_view text, bool (*allowed)(char) noexcept) noexcept {
  for (const char c : text) {
    if (!allowed(c)) return false;
  }
  return !text.empty();
}

// "//host/" would be another site.
bool is_base_path(std::string_view path) noexcept {
  return consists_of(path, is_path) && path.front() == '/' && path.back() == '/' && path.substr(0, 2) != "//";
}

}  // namespace

std::size_t write_loader_tag(char* out, std::size_t cap, std::string_view base_path,
                             std::string_view asset_hash, std::string_view request_id_hex,
                             std::string_view nonce) noexcept {
  if (!is_base_path(base_path) || !consists_of(asset_hash, is_word) || !consists_of(request_id_hex, is_hex))
    return 0;
  if (!nonce.empty() && !nonce_is_valid(nonce)) return 0;
  Writer writer(out, cap);
  writer.put("<script src=\"").put(base_path).put("bar/loader.js?v=").put(asset_hash);
  writer.put("\" data-inlens-id=\"").put(request_id_hex).put("\"");
  if (!nonce.empty()) writer.put(" nonce=\"").put(nonce).put("\"");
  return writer.put(" async></script>").size();
}

}  // namespace inlens::bar
