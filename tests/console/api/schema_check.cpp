#include "tests/console/api/schema_check.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <stdexcept>

namespace inlens::console::api::test {
namespace {

using nlohmann::json;
using Problems = std::vector<std::string>;

constexpr std::string_view kServerBase = "/~inlens";

bool has_type(const json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  throw std::invalid_argument("unknown type in a schema: " + type);
}

bool has_one_type(const json& value, const json& types) {
  if (types.is_string()) return has_type(value, types);
  return std::any_of(types.begin(), types.end(), [&](const json& type) { return has_type(value, type); });
}

class Checker {
 public:
  explicit Checker(const json& document) : document_(document) {}

  void check(const json& value, const json& schema, const std::string& at) {
    for (const auto& [keyword, rule] : schema.items()) {
      const auto known = rules().find(keyword);
      if (known == rules().end()) {
        problems.push_back(at + ": the schema uses `" + keyword + "`, which this check does not know");
      } else {
        known->second(*this, value, rule, schema, at);
      }
    }
  }

  Problems problems;

 private:
  using Rule = std::function<void(Checker&, const json& value, const json& rule, const json& schema,
                                  const std::string& at)>;

  static const std::map<std::string, Rule>& rules();

  void expect(bool holds, const std::string& at, const std::string& what) {
    if (!holds) problems.push_back(at + ": " + what);
  }

  std::size_t matching(const json& value, const json& schemas, const std::string& at) const {
    return static_cast<std::size_t>(std::count_if(schemas.begin(), schemas.end(), [&](const json& schema) {
      Checker attempt(document_);
      attempt.check(value, schema, at);
      return attempt.problems.empty();
    }));
  }

  void check_properties(const json& value, const json& properties, const std::string& at) {
    if (!value.is_object()) return;
    for (const auto& [name, schema] : properties.items())
      if (value.contains(name)) check(value[name], schema, at + "/" + name);
  }

  void check_additional(const json& value, const json& rule, const json& schema, const std::string& at) {
    expect(rule == false, at, "only `additionalProperties: false` is known here");
    if (!value.is_object()) return;
    for (const auto& [name, member] : value.items())
      expect(schema.contains("properties") && schema["properties"].contains(name), at,
             "`" + name + "` is not described");
  }

  void check_required(const json& value, const json& names, const std::string& at) {
    if (!value.is_object()) return;
    for (const auto& name : names)
      expect(value.contains(name), at, "`" + name.get<std::string>() + "` is missing");
  }

  void check_items(const json& value, const json& schema, const std::string& at) {
    if (!value.is_array()) return;
    for (std::size_t i = 0; i < value.size(); ++i) check(value[i], schema, at + "/" + std::to_string(i));
  }

  void check_pattern(const json& value, const json& pattern, const std::string& at) {
    if (!value.is_string()) return;
    const bool found = std::regex_search(value.get<std::string>(), std::regex(pattern.get<std::string>()));
    expect(found, at, value.dump() + " does not match " + pattern.dump());
  }

  const json& document_;
};

const std::map<std::string, Checker::Rule>& Checker::rules() {
  using C = Checker&;
  using J = const json&;
  using S = const std::string&;
  static const auto ignore = [](C, J, J, J, S) {};
  static const std::map<std::string, Rule> kRules{
      {"description", ignore},
      {"$ref",
       [](C self, J value, J ref, J, S at) {
         self.check(value, self.document_.at(json::json_pointer(ref.get<std::string>().substr(1))), at);
       }},
      {"type",
       [](C self, J value, J rule, J, S at) {
         self.expect(has_one_type(value, rule), at,
                     "is " + std::string(value.type_name()) + ", not " + rule.dump());
       }},
      {"enum",
       [](C self, J value, J rule, J, S at) {
         const bool listed = std::find(rule.begin(), rule.end(), value) != rule.end();
         self.expect(listed, at, value.dump() + " is none of " + rule.dump());
       }},
      {"const",
       [](C self, J value, J rule, J, S at) { self.expect(value == rule, at, "is not " + rule.dump()); }},
      {"minimum",
       [](C self, J value, J rule, J, S at) {
         self.expect(!value.is_number() || value >= rule, at, value.dump() + " is too small");
       }},
      {"maximum",
       [](C self, J value, J rule, J, S at) {
         self.expect(!value.is_number() || value <= rule, at, value.dump() + " is too large");
       }},
      {"minItems",
       [](C self, J value, J rule, J, S at) {
         self.expect(!value.is_array() || value.size() >= rule, at, "has too few items");
       }},
      {"maxItems",
       [](C self, J value, J rule, J, S at) {
         self.expect(!value.is_array() || value.size() <= rule, at, "has too many items");
       }},
      {"minProperties",
       [](C self, J value, J rule, J, S at) {
         self.expect(!value.is_object() || value.size() >= rule, at, "has too few members");
       }},
      {"maxProperties",
       [](C self, J value, J rule, J, S at) {
         self.expect(!value.is_object() || value.size() <= rule, at, "has too many members");
       }},
      {"maxLength",
       [](C self, J value, J rule, J, S at) {
         self.expect(!value.is_string() || value.get<std::string>().size() <= rule, at, "is too long");
       }},
      {"properties", [](C self, J value, J rule, J, S at) { self.check_properties(value, rule, at); }},
      {"required", [](C self, J value, J rule, J, S at) { self.check_required(value, rule, at); }},
      {"additionalProperties",
       [](C self, J value, J rule, J schema, S at) { self.check_additional(value, rule, schema, at); }},
      {"items", [](C self, J value, J rule, J, S at) { self.check_items(value, rule, at); }},
      {"pattern", [](C self, J value, J rule, J, S at) { self.check_pattern(value, rule, at); }},
      {"anyOf",
       [](C self, J value, J rule, J, S at) {
         self.expect(self.matching(value, rule, at) >= 1, at,
                     value.dump().substr(0, 80) + " is like none of the alternatives");
       }},
      {"oneOf",
       [](C self, J value, J rule, J, S at) {
         self.expect(self.matching(value, rule, at) == 1, at,
                     value.dump().substr(0, 80) + " is not like exactly one of the alternatives");
       }},
  };
  return kRules;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return text;
}

// A path may stand under a base of its own.
std::string base_of(const json& document, const json& path) {
  const json& servers = path.contains("servers") ? path["servers"] : document.at("servers");
  return servers.at(0).at("url").get<std::string>().substr(kServerBase.size());
}

constexpr std::array<const char*, 4> kMethods{"get", "put", "post", "delete"};

}  // namespace

ApiDescription ApiDescription::from_file(const std::string& path) {
  std::ifstream file(path);
  return ApiDescription(json::parse(file));
}

std::vector<Operation> ApiDescription::operations() const {
  std::vector<Operation> all;
  for (const auto& [path, item] : document_.at("paths").items())
    for (const char* method : kMethods)
      if (item.contains(method)) all.push_back({upper(method), base_of(document_, item) + path});
  return all;
}

Problems ApiDescription::problems(const json& value, const json& schema) const {
  Checker checker(document_);
  checker.check(value, schema, "");
  return checker.problems;
}

Problems ApiDescription::problems_of_answer(const Operation& operation, int status, const json& body) const {
  for (const auto& [path, item] : document_.at("paths").items()) {
    if (base_of(document_, item) + path != operation.path) continue;
    for (const char* method : kMethods) {
      if (!item.contains(method) || upper(method) != operation.method) continue;
      const json& responses = item[method].at("responses");
      if (!responses.contains(std::to_string(status)))
        return {"status " + std::to_string(status) + " is not described"};
      json response = responses[std::to_string(status)];
      if (response.contains("$ref"))
        response = document_.at(json::json_pointer(response["$ref"].get<std::string>().substr(1)));
      return problems(body, response.at("content").at("application/json").at("schema"));
    }
  }
  return {operation.method + " " + operation.path + " is not described"};
}

}  // namespace inlens::console::api::test
