// The query parameters of one request, checked while they are read: the first wrong one is kept as a sentence
// that names it and what is allowed. A view reads what it knows, then asks for problem(); names it did not
// read are wrong too, so a misspelt filter never passes for "no filter". Pure, made and used for one request.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inlens::console::api {

class Parameters {
 public:
  explicit Parameters(std::string_view query) : query_(query) {}  // not decoded; borrowed

  std::optional<std::string> text(std::string_view name, std::size_t max_bytes);
  std::optional<std::string> choice(std::string_view name, std::initializer_list<std::string_view> allowed);
  std::uint64_t integer(std::string_view name, std::uint64_t fallback, std::uint64_t minimum,
                        std::uint64_t maximum);

  std::optional<std::string> problem();

 private:
  std::optional<std::string> value(std::string_view name);
  void refuse(std::string_view name, const std::string& allowed);
  bool knows(std::string_view name) const;

  std::string_view query_;
  std::vector<std::string_view> names_;
  std::optional<std::string> problem_;
};

}  // namespace inlens::console::api
