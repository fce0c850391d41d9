#include "console/bar/open_elements.hpp"

namespace inlens::bar {
namespace {

bool is_html_again(Tag entry) noexcept {
  return entry != Tag::kSvg && entry != Tag::kMath && entry != Tag::kTemplate;
}

}  // namespace

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
    lost_ = true;
    return;
  }
  stack_[depth_++] = tag;
}

void OpenElements::leave_foreign() noexcept {
  while (in_foreign()) --depth_;
  html_inside_ = true;
  doubtful_ = false;
}

void OpenElements::start(Tag tag, bool self_closing) noexcept {
  if (doubtful_ && (is_raw_text(tag) || tag == Tag::kTemplate)) lost_ = true;
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
  if (in_foreign() && tag == Tag::kParagraph) leave_foreign();
  if (in_foreign() && may_end_outside(tag)) doubtful_ = true;
  bool html_between = false;
  for (std::size_t i = depth_; i > 0; --i) {
    const Tag entry = stack_[i - 1];
    if (entry == tag) {
      // Open HTML elements in between would make browsers ignore the end tag; whether they are open is not
      // known.
      if (html_between && tag != Tag::kTemplate) lost_ = true;
      close_from(i - 1);
      return;
    }
    if (entry == Tag::kTemplate) return;
    const bool innermost = i == depth_;
    html_between = html_between || (is_html_again(entry) && (!innermost || html_inside_));
  }
}

void OpenElements::close_from(std::size_t index) noexcept {
  depth_ = static_cast<std::uint8_t>(index);
  html_inside_ = true;
  if (empty() || top() == Tag::kTemplate) doubtful_ = false;  // either way all foreign content is closed
}

}  // namespace inlens::bar
