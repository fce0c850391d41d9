// Runs pages through the injector for the tests of the bar: in one write, in given pieces, and with a record
// of what the sink was told.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "console/bar/injector.hpp"

namespace inlens::bar {

inline constexpr std::string_view kBar = R"(<script src="/~inlens/bar/loader.js?v=1" async></script>)";

class Page {
 public:
  explicit Page(std::string_view nonce = {}, const LoaderSource& source = {},
                std::string_view fragment = kBar)
      : injector_(fragment, source, nonce) {}

  Page& write(std::string_view data) {
    data_ = data;
    injector_.write(data, &Page::take, this);
    given_ += data.size();
    const std::size_t held = given_ - (output_.size() - inserted_bytes_);
    if (held > most_held_) most_held_ = held;
    return *this;
  }

  Page& finish() {
    data_ = {};
    injector_.finish(&Page::take, this);
    return *this;
  }

  const std::string& output() const { return output_; }
  std::size_t insertions() const { return insertions_; }
  std::size_t most_held() const { return most_held_; }
  bool slices_were_right() const {
    return slices_were_right_;
  }  // kInput lies in the write under way, nothing else does
  Outcome outcome() const { return injector_.outcome(); }
  std::string_view reason() const { return text(injector_.skip()); }

 private:
  static void take(void* user, const char* data, std::size_t size, Piece origin) {
    Page& page = *static_cast<Page*>(user);
    const bool inside = data >= page.data_.data() && data + size <= page.data_.data() + page.data_.size();
    if (inside != (origin == Piece::kInput)) page.slices_were_right_ = false;
    if (size == 0) page.slices_were_right_ = false;
    page.output_.append(data, size);
    if (origin != Piece::kInserted) return;
    page.inserted_bytes_ += size;
    ++page.insertions_;
  }

  Injector injector_;
  std::string_view data_;
  std::string output_;
  std::size_t given_ = 0;
  std::size_t inserted_bytes_ = 0;
  std::size_t insertions_ = 0;
  std::size_t most_held_ = 0;
  bool slices_were_right_ = true;
};

inline Page whole(std::string_view html) {
  Page page;
  page.write(html).finish();
  return page;
}

inline std::string with_bar(std::string_view html) {
  return whole(html).output();
}

// The page with the fragment at the one place that is marked with '|'.
inline std::string expected(std::string_view marked) {
  std::string result(marked);
  return result.replace(result.find('|'), 1, kBar);
}

inline std::string unmarked(std::string_view marked) {
  std::string result(marked);
  return result.erase(result.find('|'), 1);
}

}  // namespace inlens::bar
