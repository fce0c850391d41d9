#include <algorithm>
#include <atomic>
#include <vector>

#include "perf/shop/pages/pages.hpp"

namespace shop::pages {
namespace {

class CouponExpired : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::int64_t discount_cents(std::string_view coupon) {
  throw CouponExpired("coupon " + std::string(coupon) + " expired on 2024-03-31");
}

// "A", "B", …, "Z", "BA", …: letters only, so that it reads as a name.
std::string name_of(std::uint64_t number) {
  std::string name;
  for (; name.empty() || number != 0; number /= 26) name.push_back(static_cast<char>('A' + number % 26));
  std::reverse(name.begin(), name.end());
  return name;
}

}  // namespace

Response caught(const Context&) {
  std::int64_t discount = 0;
  try {
    discount = discount_cents("SPRING-7");
  } catch (const CouponExpired& error) {
    inlens::error(error, inlens::Handled::kYes);
    inlens::message("the coupon is ignored, the customer pays the full price", inlens::Severity::kWarning);
  }
  Html html;
  html.markup("<p>Your discount is ")
      .money(discount)
      .markup(". The coupon has expired, and the page lives on.</p>");
  return page("Caught", std::move(html));
}

Response bug(const Context& context) {
  const std::vector<int> shelf = {3, 1, 4};
  const auto place = static_cast<std::size_t>(context.request.number("place", 3, 3, 1000));
  Html html;
  html.markup("<p>On the shelf: ").number(shelf.at(place));
  return page("Bug", std::move(html.markup("</p>")));
}

Response unique_error(const Context&) {
  static std::atomic<std::uint64_t> number{0};
  throw ScriptError("shop::script::Fault" + name_of(number.fetch_add(1, std::memory_order_relaxed)),
                    "the script gave up");
}

}  // namespace shop::pages
