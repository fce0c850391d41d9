#include "console/api/wording.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace inlens::console::api {
namespace {

std::string with_one_decimal(double value, const char* unit) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.1f %s", value, unit);
  return text.data();
}

}  // namespace

std::string grouped(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t end = text.size(); end > 3; end -= 3) text.insert(end - 3, 1, ',');
  return text;
}

std::string duration_words(std::uint64_t ns) {
  constexpr std::uint64_t kUs = 1'000;
  constexpr std::uint64_t kMs = 1'000'000;
  constexpr std::uint64_t kTenSeconds = 10'000'000'000;
  if (ns < kUs) return std::to_string(ns) + " ns";
  if (ns < kMs) return std::to_string(ns / kUs) + " µs";
  if (ns < 10 * kMs) return with_one_decimal(static_cast<double>(ns / (kMs / 10)) / 10, "ms");
  if (ns < kTenSeconds) return grouped(ns / kMs) + " ms";
  return with_one_decimal(static_cast<double>(ns / (kMs * 100)) / 10, "s");
}

std::string percent_words(double part, double whole) {
  if (whole <= 0 || part <= 0) return "0 %";
  const double percent = part / whole * 100;
  if (percent < 1) return "<1 %";
  return std::to_string(std::lround(percent)) + " %";
}

std::string bytes_words(std::uint64_t bytes) {
  if (bytes < 10'000) return grouped(bytes) + " bytes";
  if (bytes < 1'000'000) return with_one_decimal(static_cast<double>(bytes) / 1e3, "KB");
  return with_one_decimal(static_cast<double>(bytes) / 1e6, "MB");
}

std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural) {
  std::string text = grouped(count) + " ";
  if (count == 1) return text.append(singular);
  return plural.empty() ? text.append(singular) + "s" : text.append(plural);
}

std::string excerpt(std::string_view text, std::size_t limit) {
  std::string folded;
  for (const char c : text) {
    if (folded.size() > limit) break;
    const bool blank = static_cast<unsigned char>(c) <= ' ' || c == 0x7F;
    if (!blank) {
      folded += c;
    } else if (!folded.empty() && folded.back() != ' ') {
      folded += ' ';
    }
  }
  if (folded.size() > limit) {
    std::size_t end = limit;
    while (end > 0 && (static_cast<unsigned char>(folded[end]) & 0xC0) == 0x80) --end;
    folded.resize(end);
    folded += "…";
  } else if (!folded.empty() && folded.back() == ' ') {
    folded.pop_back();
  }
  return folded;
}

}  // namespace inlens::console::api
