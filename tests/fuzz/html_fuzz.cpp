// The HTML injector under any bytes in any pieces. The input's first two bytes seed the sizes of the writes,
// the rest is the page. Always true: the output without the fragment is the input; the fragment appears once
// or not at all, as the outcome says; the split changes neither output nor outcome; never more than the bound
// is held back.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "console/bar/injector.hpp"

namespace {

using namespace inlens::bar;

constexpr std::string_view kFragment =
    "\x01"
    "fragment\x02";

struct Run {
  std::string output;
  std::string inserted;
  std::size_t insert_at = 0;
  std::string_view write_under_way;

  static void take(void* user, const char* data, std::size_t size, Piece origin) {
    Run& run = *static_cast<Run*>(user);
    if (size == 0) std::abort();
    if (origin == Piece::kInserted) {
      run.insert_at = run.output.size();
      run.inserted.append(data, size);
      return;
    }
    const bool inside = data >= run.write_under_way.data() &&
                        data + size <= run.write_under_way.data() + run.write_under_way.size();
    if (inside != (origin == Piece::kInput)) std::abort();
    run.output.append(data, size);
  }
};

void check(const Run& run, const Injector& injector, std::string_view page) {
  if (run.output != page) std::abort();
  if (injector.outcome() == Outcome::kPending) std::abort();
  const bool inserted = injector.outcome() == Outcome::kInserted;
  if (run.inserted != (inserted ? kFragment : std::string_view{})) std::abort();
  if (inserted != (injector.skip() == Skip::kNone)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  uint32_t seed = data[0] | static_cast<uint32_t>(data[1]) << 8;
  const std::string_view page(reinterpret_cast<const char*>(data) + 2, size - 2);

  Run whole;
  Injector one(kFragment);
  whole.write_under_way = page;
  one.write(page, &Run::take, &whole);
  whole.write_under_way = {};
  one.finish(&Run::take, &whole);
  check(whole, one, page);

  Run parts;
  Injector many(kFragment);
  for (std::size_t at = 0; at < page.size();) {
    seed = seed * 1664525 + 1013904223;
    const std::size_t longest = (seed >> 30) == 0 ? 600 : 8;
    const std::string part(page.substr(at, 1 + (seed >> 8) % longest));
    parts.write_under_way = part;
    many.write(part, &Run::take, &parts);
    at += part.size();
    if (at - parts.output.size() > Injector::kMaxHeldBytes) std::abort();
  }
  parts.write_under_way = {};
  many.finish(&Run::take, &parts);
  check(parts, many, page);

  if (whole.insert_at != parts.insert_at || one.skip() != many.skip()) std::abort();
  return 0;
}
