#include "console/api/parameters.hpp"

#include <algorithm>
#include <charconv>

#include "console/server/http.hpp"

namespace inlens::console::api {
namespace {

std::string join(const auto& words, std::string_view between) {
  std::string text;
  for (const std::string_view word : words) {
    if (!text.empty()) text.append(between);
    text.append(word);
  }
  return text;
}

}  // namespace

std::optional<std::string> Parameters::value(std::string_view name) {
  names_.push_back(name);
  return query_value(query_, name);
}

void Parameters::refuse(std::string_view name, const std::string& allowed) {
  if (!problem_) problem_ = "Parameter `" + std::string(name) + "` must be " + allowed + ".";
}

std::optional<std::string> Parameters::text(std::string_view name, std::size_t max_bytes) {
  auto found = value(name);
  if (found && found->size() > max_bytes) {
    refuse(name, "at most " + std::to_string(max_bytes) + " bytes long");
    return std::nullopt;
  }
  return found;
}

std::optional<std::string> Parameters::choice(std::string_view name,
                                              std::initializer_list<std::string_view> allowed) {
  auto found = value(name);
  if (found && std::find(allowed.begin(), allowed.end(), *found) == allowed.end()) {
    refuse(name, (allowed.size() == 1 ? "" : "one of ") + join(allowed, ", "));
    return std::nullopt;
  }
  return found;
}

std::uint64_t Parameters::integer(std::string_view name, std::uint64_t fallback, std::uint64_t minimum,
                                  std::uint64_t maximum) {
  const auto found = value(name);
  if (!found) return fallback;
  std::uint64_t number = 0;
  const char* end = found->data() + found->size();
  const auto [stop, error] = std::from_chars(found->data(), end, number);
  if (error != std::errc() || stop != end || number < minimum || number > maximum) {
    refuse(name, "a whole number from " + std::to_string(minimum) + " to " + std::to_string(maximum));
    return fallback;
  }
  return number;
}

bool Parameters::knows(std::string_view name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

std::optional<std::string> Parameters::problem() {
  for (std::string_view rest = query_; !rest.empty();) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(pair.size() + 1, rest.size()));
    if (problem_ || pair.empty() || knows(pair.substr(0, pair.find('=')))) continue;
    problem_ = names_.empty() ? "This address takes no parameters."
                              : "Unknown parameter; known here: " + join(names_, ", ") + ".";
  }
  return problem_;
}

}  // namespace inlens::console::api
