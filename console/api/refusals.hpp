// Answers for what cannot be answered, in the shape of schema ApiError. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "console/server/http.hpp"

namespace inlens::console::api {

Answer refusal(int status, const char* code, const std::string& message);

Answer bad_parameter(const std::string& problem);
Answer no_such_id(const char* thing);  // the text has not the form of an id
Answer not_yet(std::uint64_t history_cap);
Answer recycled_request(std::uint64_t history_cap);
Answer still_running();
Answer recycled_issue();

}  // namespace inlens::console::api
