// Holds JSON answers against the schemas of an OpenAPI file: just the keywords that the file promises to use.
// A keyword that is not known here is a problem too, so no rule of the file is ever passed over in silence.
// For tests only.
#pragma once

#include <string>
#include <vector>

#include "agent/config/json.hpp"

namespace inlens::console::api::test {

struct Operation {
  std::string method;  // "GET"
  std::string path;    // below `/~inlens`: "/api/requests/{id}"
};

class ApiDescription {
 public:
  explicit ApiDescription(nlohmann::json document) : document_(std::move(document)) {}
  static ApiDescription from_file(const std::string& path);

  std::vector<Operation> operations() const;

  // What is wrong with an answer, one line each with the place in it; nothing when it is as described.
  std::vector<std::string> problems_of_answer(const Operation& operation, int status,
                                              const nlohmann::json& body) const;

  std::vector<std::string> problems(const nlohmann::json& value, const nlohmann::json& schema) const;

  const nlohmann::json& document() const { return document_; }

 private:
  nlohmann::json document_;
};

}  // namespace inlens::console::api::test
