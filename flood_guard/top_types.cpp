#include "flood_guard/top_types.hpp"

#include <algorithm>

namespace inlens::guard {
namespace {

std::string_view cut(std::string_view text) noexcept {
  if (text.size() <= TopTypes::kTypeBytes) return text;
  std::size_t end = TopTypes::kTypeBytes;
  // At most three continuation bytes belong to one character; text that is not UTF-8 is cut where it is.
  for (int i = 0; i < 3 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U; ++i) --end;
  return text.substr(0, end);
}

}  // namespace

TopTypes::TopTypes() {
  for (TypeCount& row : rows_) row.type.reserve(kTypeBytes);
}

void TopTypes::add(std::string_view type) noexcept {
  const std::string_view name = cut(type);
  const auto end = rows_.begin() + static_cast<std::ptrdiff_t>(used_);
  const auto known = std::find_if(rows_.begin(), end, [&](const TypeCount& row) { return row.type == name; });
  if (known != end) {
    ++known->count;
    return;
  }
  if (used_ < kCapacity) {
    TypeCount& row = rows_[used_++];
    row.type.assign(name);  // within the reserved text
    row.count = 1;
    row.uncertain = 0;
    return;
  }
  const auto least = std::min_element(
      rows_.begin(), rows_.end(), [](const TypeCount& a, const TypeCount& b) { return a.count < b.count; });
  least->type.assign(name);
  least->uncertain = least->count++;
}

std::vector<TypeCount> TopTypes::commonest() const {
  std::vector<TypeCount> list(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(used_));
  std::stable_sort(list.begin(), list.end(),
                   [](const TypeCount& a, const TypeCount& b) { return a.count > b.count; });
  return list;
}

}  // namespace inlens::guard
