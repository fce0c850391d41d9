#include "console/server/session_api.hpp"

#include "agent/config/json.hpp"
#include "console/server/answers.hpp"

namespace inlens::console {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxSignInBytes = 4096;

Json session_json(const char* via, std::string_view csrf, Json expires_at_ms) {
  return {{"name", "admin"},
          {"role", "admin"},
          {"via", via},
          {"csrf", csrf},
          {"expiresAtMs", std::move(expires_at_ms)}};
}

Answer describe(Gate& gate, const Identity& who) {
  if (who.credential == Credential::kBearer)
    return json_answer(200, session_json("token", "", nullptr).dump());
  const auto ends_ms = gate.unix_ms_of(who.session.ends_steady_ms);
  return json_answer(200, session_json("cookie", who.session.csrf, ends_ms).dump());
}

// The one member that is allowed, or nothing.
std::optional<std::pair<std::string, std::string>> parse_sign_in(std::string_view body) {
  const Json json = Json::parse(body, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || json.size() != 1) return std::nullopt;
  const auto member = json.begin();
  if ((member.key() != "once" && member.key() != "token") || !member.value().is_string()) return std::nullopt;
  return std::pair{member.key(), member.value().get<std::string>()};
}

Answer sign_in(Gate& gate, const Request& request, const LogSink& log) {
  if (auto refusal = gate.refuse_sign_in(request)) return *std::move(refusal);
  if (request.body.size() > kMaxSignInBytes)
    return error_answer(413, "tooLarge", "A sign-in has at most 4,096 bytes.");
  const auto secret = parse_sign_in(request.body);
  if (!secret) return bad_request("Send JSON with one member, once or token, that is a text.");
  const bool by_link = secret->first == "once";
  auto outcome = by_link ? gate.sign_in_by_link(request, secret->second)
                         : gate.sign_in_by_token(request, secret->second);
  if (auto* refusal = std::get_if<Answer>(&outcome)) {
    log(LogLevel::kWarning, "console: a sign-in from " + request.peer_address + " was refused");
    return std::move(*refusal);
  }
  const NewSession& created = std::get<NewSession>(outcome);
  log(LogLevel::kInfo, "console: signed in from " + request.peer_address);
  const auto ends_ms = gate.unix_ms_of(created.view.ends_steady_ms);
  Answer answer =
      json_answer(200, session_json(by_link ? "link" : "token", created.view.csrf, ends_ms).dump());
  for (const std::string& field : gate.cookie_fields(created, request.tls))
    answer.headers.add("Set-Cookie", field);
  return answer;
}

}  // namespace

Answer answer_session(Gate& gate, const Request& request, const LogSink& log) {
  if (request.method == "POST") return sign_in(gate, request, log);
  Admission admission = gate.admit(request);
  if (auto* refusal = std::get_if<Answer>(&admission)) return std::move(*refusal);
  if (is_read(request.method)) return describe(gate, std::get<Identity>(admission));
  if (request.method != "DELETE") return method_not_allowed("GET, HEAD, POST, DELETE");
  gate.sign_out(request);
  Answer answer;
  answer.status = 204;
  for (const std::string& field : gate.cookie_fields({}, request.tls))
    answer.headers.add("Set-Cookie", field);
  return answer;
}

}  // namespace inlens::console
