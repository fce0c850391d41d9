#include "agent/config/value.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>

#include "agent/config/json.hpp"
#include "agent/config/text.hpp"

namespace inlens::config {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kHostBytes = 253;
constexpr std::size_t kKeyNameBytes = 64;

bool is_alnum(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

bool only(std::string_view text, std::string_view further) {
  return std::all_of(text.begin(), text.end(),
                     [&](char c) { return is_alnum(c) || further.find(c) != std::string_view::npos; });
}

bool is_address(const std::string& text) {
  unsigned char bytes[sizeof(in6_addr)];
  if (text.find('\0') != std::string::npos) return false;
  return text == "localhost" || inet_pton(AF_INET, text.c_str(), bytes) == 1 ||
         inet_pton(AF_INET6, text.c_str(), bytes) == 1;
}

bool has_form(Form form, const std::string& text) {
  switch (form) {
    case Form::kText:
      return is_printable(text);
    case Form::kToken:
      return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7F; });
    case Form::kAddress:
      return is_address(text);
    case Form::kHost:
      return !text.empty() && text.size() <= kHostBytes && only(text, ".-_:[]");
    case Form::kKeyName:
      return !text.empty() && text.size() <= kKeyNameBytes && only(text, ".-_");
  }
  return false;
}

bool fits(const Setting& setting, std::int64_t number) {
  return (number >= setting.minimum && number <= setting.maximum) || (number == 0 && !setting.zero.empty());
}

bool fits(const Setting& setting, const std::string& text) {
  return text.size() <= static_cast<std::size_t>(setting.maximum) && has_form(setting.form, text);
}

bool fits(const Setting& setting, const std::vector<std::string>& list) {
  return list.size() <= static_cast<std::size_t>(setting.maximum) &&
         std::all_of(list.begin(), list.end(),
                     [&](const auto& item) { return has_form(setting.form, item); });
}

template <typename T>
std::optional<Value> if_fits(const Setting& setting, T value) {
  if (!fits(setting, value)) return std::nullopt;
  return Value(std::move(value));
}

std::optional<Value> choice_named(const Setting& setting, std::string_view name) {
  const auto at = std::find(setting.choices.begin(), setting.choices.end(), name);
  if (at == setting.choices.end()) return std::nullopt;
  return Value(static_cast<std::int64_t>(at - setting.choices.begin()));
}

std::optional<Value> list_of(const Setting& setting, const Json& json) {
  std::vector<std::string> list;
  for (const Json& item : json) {
    if (!item.is_string()) return std::nullopt;
    list.push_back(item.get<std::string>());
  }
  return if_fits(setting, std::move(list));
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    if (const std::string_view part = trimmed(text.substr(0, comma)); !part.empty()) parts.emplace_back(part);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return parts;
}

std::optional<Value> boolean_named(std::string_view name) {
  for (const std::string_view yes : {"true", "1", "yes", "on"}) {
    if (name == yes) return true;
  }
  for (const std::string_view no : {"false", "0", "no", "off"}) {
    if (name == no) return false;
  }
  return std::nullopt;
}

std::optional<Value> integer_of(const Setting& setting, std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return if_fits(setting, number);
}

std::optional<Value> integer_of(const Setting& setting, const Json& json) {
  if (!json.is_number_integer()) return std::nullopt;
  if (json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX) return std::nullopt;
  return if_fits(setting, json.get<std::int64_t>());
}

std::string in_quotes(std::string_view text) {
  return '"' + printable(text) + '"';
}

// Never dumps an array or object: nlohmann's dump recurses, and the text would be long.
std::string given_words(const Setting& setting, const Json& json) {
  if (setting.secret) return "the given value";
  if (json.is_string()) return in_quotes(json.get_ref<const std::string&>());
  if (json.is_array()) return setting.type == Type::kList ? "the given list" : "a list";
  if (json.is_object()) return "an object";
  return json.dump();
}

std::string range_words(const Setting& setting) {
  std::string words = std::to_string(setting.minimum) + "–" + std::to_string(setting.maximum);
  if (!setting.unit.empty()) words.append(" ").append(setting.unit);
  if (!setting.zero.empty()) words.append(", or 0 for ").append(setting.zero);
  return words;
}

std::string choices_words(const Setting& setting) {
  std::string words;
  for (std::size_t i = 0; i < setting.choices.size(); ++i) {
    if (i != 0) words += i + 1 == setting.choices.size() ? " or " : ", ";
    words += setting.choices[i];
  }
  return words;
}

std::string text_words(const Setting& setting) {
  const std::string most = "at most " + std::to_string(setting.maximum);
  switch (setting.form) {
    case Form::kText:
      return most + " bytes of text";
    case Form::kToken:
      return most + " visible ASCII characters";
    case Form::kAddress:
      return "an IPv4 or IPv6 address, or localhost";
    case Form::kHost:
      return most + " host names";
    case Form::kKeyName:
      return most + " names of letters, digits, dots, hyphens and underscores";
  }
  return {};
}

}  // namespace

Parsed parse_json_value(const Setting& setting, const Json& json) {
  Parsed parsed{std::nullopt, given_words(setting, json)};
  switch (setting.type) {
    case Type::kBoolean:
      if (json.is_boolean()) parsed.value = json.get<bool>();
      break;
    case Type::kInteger:
      parsed.value = integer_of(setting, json);
      break;
    case Type::kString:
      if (json.is_string()) parsed.value = if_fits(setting, json.get<std::string>());
      break;
    case Type::kChoice:
      if (json.is_string()) parsed.value = choice_named(setting, json.get_ref<const std::string&>());
      break;
    case Type::kList:
      if (json.is_array()) parsed.value = list_of(setting, json);
      break;
  }
  return parsed;
}

Parsed parse_text_value(const Setting& setting, std::string_view text) {
  Parsed parsed{std::nullopt, setting.secret ? "the given value" : in_quotes(text)};
  switch (setting.type) {
    case Type::kBoolean:
      parsed.value = boolean_named(trimmed(text));
      break;
    case Type::kInteger:
      parsed.value = integer_of(setting, trimmed(text));
      break;
    case Type::kString:
      parsed.value = if_fits(setting, std::string(text));
      break;
    case Type::kChoice:
      parsed.value = choice_named(setting, trimmed(text));
      break;
    case Type::kList:
      parsed.value = if_fits(setting, split_at_commas(text));
      break;
  }
  return parsed;
}

std::string allowed_words(const Setting& setting) {
  switch (setting.type) {
    case Type::kBoolean:
      return "true or false";
    case Type::kInteger:
      return range_words(setting);
    case Type::kChoice:
      return choices_words(setting);
    case Type::kString:
    case Type::kList:
      break;
  }
  return text_words(setting);
}

std::string value_words(const Setting& setting, const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    if (setting.type == Type::kChoice) return std::string(setting.choices[static_cast<std::size_t>(*number)]);
    return std::to_string(*number);
  }
  if (const auto* text = std::get_if<std::string>(&value)) {
    if (text->empty()) return "empty";
    return setting.secret ? "the one given before" : in_quotes(*text);
  }
  std::string words;
  for (const std::string& item : std::get<std::vector<std::string>>(value)) {
    words.append(words.empty() ? "" : ", ").append(printable(item));
  }
  return words.empty() ? "empty" : words;
}

}  // namespace inlens::config
