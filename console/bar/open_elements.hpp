// Which open elements change the meaning of what comes: templates, svg and math, and the places inside those
// two where HTML goes on. A small stack instead of a tree: ordinary elements are not followed. Owned by the
// injector, one per response, used on the host's thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "console/bar/html_tag.hpp"

namespace inlens::bar {

class OpenElements {
 public:
  static constexpr std::size_t kMaxDepth = 32;

  void start(Tag tag, bool self_closing) noexcept;
  void end(Tag tag) noexcept;

  bool empty() const noexcept { return depth_ == 0; }
  // Nested deeper than is followed, or so malformed that the meaning of what comes depends on elements that
  // are not followed.
  bool lost() const noexcept { return lost_; }

  // Names mean svg or math elements here: `<style>` and `<title>` hold markup, not text.
  bool in_foreign() const noexcept;
  // The innermost element, as far as known, is not an HTML one, so `<![CDATA[` opens a section.
  bool takes_cdata() const noexcept;

 private:
  void start_in_foreign(Tag tag, bool self_closing) noexcept;
  void push(Tag tag) noexcept;
  void leave_foreign() noexcept;
  void close_from(std::size_t index) noexcept;
  Tag top() const noexcept { return depth_ == 0 ? Tag::kOther : stack_[depth_ - 1]; }

  std::array<Tag, kMaxDepth> stack_{};
  std::uint8_t depth_ = 0;
  bool lost_ = false;
  bool doubtful_ = false;     // an end tag may have closed the foreign content
  bool html_inside_ = false;  // an HTML element was opened since the innermost entry
};

}  // namespace inlens::bar
