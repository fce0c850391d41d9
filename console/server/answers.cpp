#include "console/server/answers.hpp"

namespace inlens::console {
namespace {

constexpr std::string_view kContentSecurityPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

}  // namespace

Answer json_answer(int status, std::string body) {
  Answer answer;
  answer.status = status;
  answer.headers.add("Content-Type", "application/json");
  answer.body = std::move(body);
  return answer;
}

Answer error_answer(int status, std::string_view code, std::string_view message) {
  std::string body = R"({"error":{"code":")";
  body.append(code).append(R"(","message":")").append(message).append(R"("}})");
  return json_answer(status, std::move(body));
}

Answer bad_request(std::string_view message) {
  return error_answer(400, "badRequest", message);
}

Answer not_found() {
  return error_answer(404, "notFound", "There is nothing at this address.");
}

Answer method_not_allowed(std::string_view allowed) {
  Answer answer = error_answer(405, "methodNotAllowed", "This method is not for this address.");
  answer.headers.set("Allow", allowed);
  return answer;
}

Answer redirect(std::string_view location) {
  Answer answer;
  answer.status = 302;
  answer.headers.add("Location", location);
  return answer;
}

void complete(Answer& answer, std::string_view method) {
  Headers& headers = answer.headers;
  headers.set("Content-Security-Policy", kContentSecurityPolicy);
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("Referrer-Policy", "no-referrer");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  if (!headers.find("Cache-Control")) headers.add("Cache-Control", "no-store");
  const bool has_length = answer.status != 204 && answer.status != 304;
  if (has_length) headers.set("Content-Length", std::to_string(answer.body_view().size()));
  if (!has_length || method == "HEAD") answer.body = std::string_view();
}

}  // namespace inlens::console
