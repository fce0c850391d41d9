// How many different keys were seen, estimated by linear counting: one bit per hash in a fixed bitmap. Exact
// in practice for a few hundred keys, within a few per cent up to about 100,000. Worker only; owns 8 KB.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace inlens::store {

class Distinct {
 public:
  void add(std::uint64_t hash) {
    if (words_.empty()) words_.resize(kBits / 64);
    const std::size_t bit = mix(hash) % kBits;
    std::uint64_t& word = words_[bit / 64];
    const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
    set_ += (word & mask) == 0 ? 1 : 0;
    word |= mask;
  }

  std::uint64_t estimate() const {
    constexpr auto bits = static_cast<double>(kBits);
    const double empty = std::max(bits - static_cast<double>(set_), 1.0);
    return static_cast<std::uint64_t>(std::llround(-bits * std::log(empty / bits)));
  }

 private:
  static constexpr std::size_t kBits = 65536;

  // Fingerprints are hashes already, but nobody promises that their low bits are.
  static constexpr std::uint64_t mix(std::uint64_t hash) {
    hash *= 0x9E3779B97F4A7C15ULL;
    return hash ^ hash >> 32;
  }

  std::vector<std::uint64_t> words_;
  std::size_t set_ = 0;
};

}  // namespace inlens::store
