#include "console/api/refusals.hpp"

#include "console/api/json.hpp"
#include "console/api/wording.hpp"
#include "console/server/answers.hpp"

namespace inlens::console::api {
namespace {

std::string recycled_words(std::uint64_t history_cap) {
  return "recycled from the history of " + counted(history_cap, "request") + ", or never existed";
}

}  // namespace

Answer refusal(int status, const char* code, const std::string& message) {
  const Json error = Json::object({{"code", code}, {"message", message}});
  return json_answer(status, to_text(Json::object({{"error", error}})));
}

Answer bad_parameter(const std::string& problem) {
  return refusal(400, "badRequest", problem);
}

Answer no_such_id(const char* thing) {
  return refusal(404, "notFound", std::string("This is not an id of ") + thing + ".");
}

Answer recycled_request(std::uint64_t history_cap) {
  return refusal(404, "recycled", "This request was " + recycled_words(history_cap) + ".");
}

Answer still_running() {
  return refusal(404, "notYet", "This request is still running; it enters the history when it ends.");
}

Answer not_yet(std::uint64_t history_cap) {
  return refusal(
      404, "notYet",
      "This request is on its way into the history, or it was " + recycled_words(history_cap) + ".");
}

Answer recycled_issue() {
  return refusal(
      404, "recycled",
      "This issue was resolved, was not seen for a long time and left the list, or never existed.");
}

}  // namespace inlens::console::api
