/* text.hpp: strings as the C++ API takes and gives them, and the small parts its classes share.
 *
 * Included by: inlens.hpp. Owns: nothing of the caller's; a Text is read during the call it is passed to.
 */
#ifndef INLENS_TEXT_HPP
#define INLENS_TEXT_HPP

#include <inlens/inlens.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string_view>
#include <utility>

namespace inlens {

/* Any run of bytes, borrowed: a literal, std::string, string_view, NULL. */
class Text {
 public:
  constexpr Text() noexcept = default;
  constexpr Text(std::nullptr_t) noexcept {}
  constexpr Text(const char* text) noexcept : data_(text), size_(text ? std::string_view(text).size() : 0) {}
  constexpr Text(const char* data, std::size_t size) noexcept : data_(data), size_(data ? size : 0) {}
  template <class Bytes,
            class = decltype(Text(std::declval<const Bytes&>().data(), std::declval<const Bytes&>().size()))>
  constexpr Text(const Bytes& bytes) noexcept : Text(bytes.data(), bytes.size()) {}

  constexpr operator inlens_str() const noexcept { return {data_, size_}; }
  constexpr std::string_view view() const noexcept { return {data_, size_}; }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

/* Bytes with an end: an id, a link. Empty when there is none. */
template <std::size_t kCapacity>
class FixedText {
 public:
  FixedText() noexcept { data_[0] = '\0'; }
  const char* data() const noexcept { return data_; } /* ends with NUL */
  std::size_t size() const noexcept { return size_; }
  std::string_view view() const noexcept { return {data_, size_}; }
  operator std::string_view() const noexcept { return view(); }
  bool empty() const noexcept { return size_ == 0; }

  /* `write` is called as write(char* out, std::size_t capacity) and returns the length without NUL. */
  template <class Write>
  static FixedText from(Write&& write) noexcept {
    FixedText text;
    text.size_ = write(text.data_, kCapacity);
    return text;
  }

 private:
  char data_[kCapacity];
  std::size_t size_ = 0;
};

namespace detail {

/* A handle that one object owns: moving takes it along. */
class Handle {
 public:
  explicit Handle(std::uint64_t value) noexcept : value_(value) {}
  Handle(Handle&& other) noexcept : value_(other.take()) {}
  Handle& operator=(Handle&&) = delete;
  explicit operator bool() const noexcept { return value_ != INLENS_NONE; }
  std::uint64_t get() const noexcept { return value_; }
  std::uint64_t take() noexcept { return std::exchange(value_, INLENS_NONE); }

 private:
  std::uint64_t value_;
};

/* True in a destructor that runs because an exception passes through the scope the object was made in. */
class Unwinding {
 public:
  explicit operator bool() const noexcept { return std::uncaught_exceptions() > before_; }

 private:
  int before_ = std::uncaught_exceptions();
};

/* A caller's function behind a C callback. An exception of it waits until the library has returned. */
template <class Function>
struct Callback {
  Function& function;
  std::exception_ptr thrown = nullptr;

  template <class Argument>
  void invoke(const Argument& argument) noexcept {
#if defined(__cpp_exceptions)
    if (thrown) return;
    try {
      function(argument);
    } catch (...) {
      thrown = std::current_exception();
    }
#else
    function(argument);
#endif
  }
  static void sink(void* self, inlens_str piece) noexcept {
    static_cast<Callback*>(self)->invoke(std::string_view(piece.data, piece.size));
  }
  static void answer(void* self, const inlens_http_answer* answer) noexcept {
    static_cast<Callback*>(self)->invoke(*answer);
  }
  void rethrow() const {
    if (thrown) std::rethrow_exception(thrown);
  }
};

}  // namespace detail

}  // namespace inlens
#endif
