// The commonest error types among those that had no issue of their own (the space-saving algorithm: a fixed
// table whose least counted row is taken over by a newcomer, so a frequent type is never lost). Used by
// FloodGuard alone, on whatever thread owns the guard. Owns kCapacity rows with reserved text; add() never
// allocates.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace inlens::guard {

struct TypeCount {
  std::string type;        // cut at TopTypes::kTypeBytes, on a UTF-8 boundary
  uint64_t count = 0;      // at most this many events had this type …
  uint64_t uncertain = 0;  // … and at least count - uncertain
};

class TopTypes {
 public:
  static constexpr std::size_t kCapacity = 16;
  static constexpr std::size_t kTypeBytes = 200;

  TopTypes();

  void add(std::string_view type) noexcept;
  void clear() noexcept { used_ = 0; }

  // Commonest first. The counts add up to the number of add() calls since clear().
  std::vector<TypeCount> commonest() const;

 private:
  std::array<TypeCount, kCapacity> rows_;
  std::size_t used_ = 0;
};

}  // namespace inlens::guard
