// A short text in lower case, with a mark for each byte that may be part of a word: what the writer copies
// plain runs from. Made once per text, sixteen bytes at a time where SSE2 is at hand (always on x86-64) and
// one by one elsewhere, with the same result. Lives on the stack; kPadBytes zeros follow the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "collectors/sql/char_class.hpp"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace inlens::sql {

class FoldedText {
 public:
  static constexpr std::size_t kMaxBytes = 4096;
  static constexpr std::size_t kPadBytes = 32;
  static constexpr std::size_t kLongestWord = 56;

  // A longer text than kMaxBytes is left out: size() is 0.
  explicit FoldedText(std::string_view sql) noexcept : size_(sql.size() <= kMaxBytes ? sql.size() : 0) {
    std::size_t at = 0;
    for (; at + kBlock <= size_; at += kBlock) load(at, sql.data() + at);
    if (at < size_) {
      char last[kBlock] = {};
      memcpy(last, sql.data() + at, size_ - at);
      load(at, last);
      at += kBlock;
    }
    memset(bytes_ + at, 0, kPadBytes);
    clear_marks(at);
  }

  std::size_t size() const noexcept { return size_; }
  const unsigned char* bytes() const noexcept { return bytes_; }

  // How many bytes from `at` on belong to a word; exact up to kLongestWord.
  std::size_t word_size(std::size_t at) const noexcept {
#ifdef __SSE2__
    uint64_t marks;
    memcpy(&marks, marks_ + at / 8, sizeof marks);
    return static_cast<std::size_t>(__builtin_ctzll(~(marks >> at % 8) | uint64_t{1} << 63));
#else
    std::size_t size = 0;
    while (size <= kLongestWord && kWordByte[bytes_[at + size]]) ++size;
    return size;
#endif
  }

 private:
  static constexpr std::size_t kBlock = 16;

#ifdef __SSE2__
  static __m128i in_range(__m128i bytes, char first, char width) noexcept {
    const __m128i offset = _mm_sub_epi8(bytes, _mm_set1_epi8(first));
    return _mm_cmpeq_epi8(_mm_min_epu8(offset, _mm_set1_epi8(width)), offset);
  }

  void load(std::size_t at, const char* from) noexcept {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    const __m128i capital = in_range(bytes, 'A', 25);
    const __m128i folded = _mm_or_si128(bytes, _mm_and_si128(capital, _mm_set1_epi8(0x20)));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(bytes_ + at), folded);
    const __m128i alphanumeric = _mm_or_si128(in_range(folded, 'a', 25), in_range(bytes, '0', 9));
    const __m128i other =
        _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('_')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('$')));
    // The sign bit of a byte is what counts, and is set in all bytes above ASCII.
    const __m128i word = _mm_or_si128(_mm_or_si128(alphanumeric, other), bytes);
    const auto marks = static_cast<uint16_t>(_mm_movemask_epi8(word));
    memcpy(marks_ + at / 8, &marks, sizeof marks);
  }

  void clear_marks(std::size_t at) noexcept {
    memset(marks_ + at / 8, 0, 2 * sizeof(uint64_t));
  }

  unsigned char marks_[(kMaxBytes + kBlock) / 8 + 2 * sizeof(uint64_t)];
#else
  void clear_marks(std::size_t) noexcept {}

  void load(std::size_t at, const char* from) noexcept {
    for (std::size_t i = 0; i < kBlock; ++i) bytes_[at + i] = kFold[static_cast<unsigned char>(from[i])];
  }
#endif

  const std::size_t size_;
  unsigned char bytes_[kMaxBytes + kBlock + kPadBytes];
};

}  // namespace inlens::sql
