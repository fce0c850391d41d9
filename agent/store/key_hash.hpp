// Hash functor for keys that are hashes already: spreads them once and tells the flat tables so.
#pragma once

#include <cstddef>
#include <cstdint>

namespace inlens::store {

struct KeyHash {
  using is_avalanching = void;
  std::size_t operator()(std::uint64_t key) const {
    key *= 0x9E3779B97F4A7C15ULL;
    return static_cast<std::size_t>(key ^ key >> 32);
  }
};

}  // namespace inlens::store
