// The answers that every part of the console gives in the same shape: JSON, an error, a redirect; and the
// headers that no answer may lack. Pure.
#pragma once

#include <string>
#include <string_view>

#include "console/server/http.hpp"

namespace inlens::console {

Answer json_answer(int status, std::string body);

// {"error":{"code","message"}}. Both texts are ours, never a caller's: they are not escaped.
Answer error_answer(int status, std::string_view code, std::string_view message);

Answer bad_request(std::string_view message);
Answer not_found();
Answer method_not_allowed(std::string_view allowed);
Answer redirect(std::string_view location);

// Adds the security headers, `Cache-Control: no-store` unless the answer says otherwise, and the length;
// takes the body away where there must be none (HEAD, 204, 304).
void complete(Answer& answer, std::string_view method);

}  // namespace inlens::console
