#include "console/bar/open_elements.hpp"

namespace inlens::bar {

bool OpenElements::in_foreign() const noexcept {
  return top() == Tag::kSvg || top() == Tag::kMath;
}

bool OpenElements::takes_cdata() const noexcept {
  if (empty() || top() == Tag::kTemplate) return false;
  return in_foreign() || !html_inside_;
}

void OpenElements::push(Tag tag) noexcept {
  html_inside_ = false;
  if (depth_ == kMaxDepth) {
    too_deep_ = true;
    return;
  }
  stack_[depth_++] = tag;
}

void OpenElements::leave_foreign() noexcept {
  while (in_foreign()) --depth_;
  html_inside_ = true;
}

void OpenElements::start(Tag tag, bool self_closing) noexcept {
  if (in_foreign()) {
    if (breaks_out(tag)) {
      leave_foreign();
    } else {
      start_in_foreign(tag, self_closing);
    }
    return;
  }
  const bool foreign_root = tag == Tag::kSvg || tag == Tag::kMath;
  if (tag == Tag::kTemplate || (foreign_root && !self_closing)) {
    push(tag);
  } else if (!foreign_root) {
    html_inside_ = true;
  }
}

void OpenElements::start_in_foreign(Tag tag, bool self_closing) noexcept {
  if (self_closing) return;
  const bool svg = top() == Tag::kSvg;
  if (tag == Tag::kSvg || (!svg && (tag == Tag::kMath || tag == Tag::kMathText))) push(tag);
  if (svg && (tag == Tag::kForeignObject || tag == Tag::kDesc || tag == Tag::kTitle)) push(tag);
}

// Closes the nearest entry of that name and all in it, as browsers do, but never across a template's edge.
void OpenElements::end(Tag tag) noexcept {
  if (in_foreign() && tag == Tag::kP) {
    leave_foreign();
    return;
  }
  for (std::size_t i = depth_; i > 0; --i) {
    if (stack_[i - 1] == tag) {
      depth_ = static_cast<std::uint8_t>(i - 1);
      html_inside_ = true;
      return;
    }
    if (stack_[i - 1] == Tag::kTemplate) return;
  }
}

}  // namespace inlens::bar
