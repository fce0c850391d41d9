/* panel.hpp: builds a panel of the host's own for bar and console.
 *
 * Included by: inlens.hpp. Owns: copies of the cells, until the panel is destroyed.
 */
#ifndef INLENS_PANEL_HPP
#define INLENS_PANEL_HPP

#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <inlens/request.hpp>
#include <type_traits>

namespace inlens {

namespace detail {

/* A growing array of plain values that refuses, rather than throws, when memory is out. */
template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Array() noexcept = default;
  Array(Array&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  Array& operator=(Array&&) = delete;
  ~Array() { std::free(data_); }

  bool append(const T* values, std::size_t count) noexcept {
    if (count > capacity_ - size_) {
      const std::size_t capacity = (size_ + count) * 2;
      void* grown = std::realloc(data_, capacity * sizeof(T));
      if (grown == nullptr) return false;
      data_ = static_cast<T*>(grown);
      capacity_ = capacity;
    }
    if (count != 0) std::memcpy(data_ + size_, values, count * sizeof(T));
    size_ += count;
    return true;
  }
  bool push(const T& value) noexcept { return append(&value, 1); }
  T* data() noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace detail

/* Data for a panel of its own: made by one of the four functions, filled, then shown. Copies what it gets.
 * Blocks: allocates; short of memory it shows the rows it has. */
class Panel {
 public:
  static Panel text(Text title, Text body) noexcept {
    return std::move(Panel(INLENS_PANEL_TEXT, title, 1).row({body}));
  }
  static Panel key_value(Text title) noexcept { return Panel(INLENS_PANEL_KEY_VALUE, title, 2); }
  static Panel tree(Text title) noexcept { return Panel(INLENS_PANEL_TREE, title, 2); }
  static Panel table(Text title, std::initializer_list<Text> head) noexcept {
    return std::move(Panel(INLENS_PANEL_TABLE, title, head.size()).row(head));
  }

  /* Missing cells are empty, surplus ones are left out. */
  Panel& row(std::initializer_list<Text> cells, std::uint8_t depth = 0) noexcept {
    if (!complete_) return *this;
    std::size_t done = 0;
    for (const Text& cell : cells)
      if (done < columns_ && put(cell)) ++done;
    while (done < columns_ && put({})) ++done;
    complete_ = done == columns_ && depths_.push(depth);
    if (complete_) ++rows_;
    return *this;
  }
  Panel& pair(Text key, Text value) noexcept { return row({key, value}); }
  Panel& node(std::uint8_t depth, Text name, Text value = {}) noexcept { return row({name, value}, depth); }

  void show(RequestRef request = kCurrent) noexcept {
    detail::Array<inlens_str> cells;
    for (std::size_t i = 0, at = title_size_; i < rows_ * columns_; at += sizes_.data()[i++])
      if (!cells.push({bytes_.data() + at, sizes_.data()[i]})) return;
    const std::uint8_t* depths = kind_ == INLENS_PANEL_TREE ? depths_.data() : nullptr;
    const inlens_panel_info plain{sizeof plain, kind_, {bytes_.data(), title_size_}, columns_, rows_,
                                  cells.data(), depths};
    inlens_panel_add(request.handle(), &plain);
  }

 private:
  Panel(inlens_panel_kind kind, Text title, std::size_t columns) noexcept : kind_(kind), columns_(columns) {
    if (bytes_.append(title.view().data(), title.view().size())) title_size_ = title.view().size();
  }
  bool put(Text cell) noexcept {
    return bytes_.append(cell.view().data(), cell.view().size()) && sizes_.push(cell.view().size());
  }
  inlens_panel_kind kind_;
  std::size_t columns_;
  std::size_t rows_ = 0;
  std::size_t title_size_ = 0;
  bool complete_ = true;      /* no row was refused: bytes_ and sizes_ agree */
  detail::Array<char> bytes_; /* the title, then all cells */
  detail::Array<std::size_t> sizes_;
  detail::Array<std::uint8_t> depths_;
};

}  // namespace inlens
#endif
