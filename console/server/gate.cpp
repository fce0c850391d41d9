#include "console/server/gate.hpp"

#include "console/server/answers.hpp"

namespace inlens::console {
namespace {

constexpr std::string_view kCsrfHeader = "X-Inlens-Csrf";

Answer unauthorized(std::string_view message) {
  Answer answer = error_answer(401, "unauthorized", message);
  answer.headers.add("WWW-Authenticate", "Bearer");
  return answer;
}

Answer forbidden(std::string_view message) {
  return error_answer(403, "forbidden", message);
}

Answer locked_out() {
  Answer answer = error_answer(429, "lockedOut", "Too many failed attempts; try again in a minute.");
  answer.headers.add("Retry-After", "60");
  return answer;
}

Answer no_random() {
  return error_answer(503, "unavailable", "This system gives no random bytes to sign in with.");
}

std::optional<Answer> refusal_of(Denial denial) {
  switch (denial) {
    case Denial::kNone:
      return std::nullopt;
    case Denial::kNoHost:
      return bad_request("The request must name one Host.");
    case Denial::kForeignHost:
      return forbidden("This Host is not known here; console.hosts lists the names that are.");
    case Denial::kForeignOrigin:
      break;
  }
  return forbidden("Only the console's own pages may ask this.");
}

bool is_bearer(std::string_view authorization) {
  return authorization.size() > 7 && equal_ignoring_case(authorization.substr(0, 7), "Bearer ");
}

// The values of a cookie of that name, four at most.
std::vector<std::string_view> cookies_of(const Request& request, std::string_view name) {
  std::vector<std::string_view> found;
  for (const Header& header : request.headers) {
    if (!equal_ignoring_case(header.name, "Cookie")) continue;
    std::string_view rest = header.value;
    while (!rest.empty() && found.size() < 4) {
      const auto pair = trimmed(rest.substr(0, rest.find(';')));
      rest.remove_prefix(std::min(rest.find(';'), rest.size() - 1) + 1);
      if (pair.starts_with(name) && pair.substr(name.size()).starts_with('='))
        found.push_back(pair.substr(name.size() + 1));
    }
  }
  return found;
}

}  // namespace

Gate::Gate(GateOptions options, Clock clock)
    : options_(std::move(options)),
      bar_allow_(options_.bar_allow),
      clock_(std::move(clock)),
      policy_(options_.bound_address, options_.hosts),
      cookie_name_("inlens_" + std::to_string(options_.port)),
      bar_cookie_name_("inlens_bar_" + std::to_string(options_.port)),
      sessions_(options_.sessions),
      failed_sign_ins_(options_.sign_in_failures),
      failed_bearers_(options_.bearer_failures) {
  if (!options_.token.empty() && secrets_ready()) token_digest_ = digest_of(options_.token);
}

std::optional<Answer> Gate::refuse_host(const Request& request) const {
  return refusal_of(policy_.check_host(request));
}

Admission Gate::admit(const Request& request) {
  if (!secrets_ready()) return no_random();
  if (const std::string* authorization = request.headers.find("Authorization"))
    return admit_bearer(request, *authorization);
  return admit_session(request);
}

Admission Gate::admit_bar(const Request& request) {
  const bool to_neighbours =
      bar_allow_.load(std::memory_order_relaxed) == BarAllow::kLoopback && is_read(request.method);
  if (to_neighbours && AccessPolicy::is_local_caller(request) && policy_.check_read(request) == Denial::kNone)
    return Identity{Credential::kLocalBar, {}};
  return admit(request);
}

// A token given here and wrong is refused even when a good cookie came along.
Admission Gate::admit_bearer(const Request& request, std::string_view authorization) {
  const std::int64_t now_ms = clock_().steady_ms;
  if (failed_bearers_.locked_out(request.peer_address, now_ms)) return locked_out();
  const bool good = request.headers.count("Authorization") == 1 && is_bearer(authorization) &&
                    is_token(trimmed(authorization.substr(7)));
  if (!good) {
    failed_bearers_.count_failure(request.peer_address, now_ms);
    return unauthorized("The token is not the console's.");
  }
  const Denial denial =
      is_read(request.method) ? policy_.check_read(request) : policy_.check_change(request, false);
  if (auto refusal = refusal_of(denial)) return *std::move(refusal);
  return Identity{Credential::kBearer, {}};
}

Admission Gate::admit_session(const Request& request) {
  const std::optional<SessionView> session = session_of(request);
  if (!session) return unauthorized("Sign in first, or send the console's token.");
  const bool read = is_read(request.method);
  const Denial denial = read ? policy_.check_read(request) : policy_.check_change(request, true);
  if (auto refusal = refusal_of(denial)) return *std::move(refusal);
  if (!read && !same_digest(digest_of(request.headers.get(kCsrfHeader)), digest_of(session->csrf)))
    return forbidden("A change needs the session's X-Inlens-Csrf.");
  return Identity{Credential::kSession, *session};
}

bool Gate::shows_bar(const Request& request) {
  if (!secrets_ready()) return false;
  const std::vector<std::string_view> cookies = cookies_of(request, bar_cookie_name_);
  return std::any_of(cookies.begin(), cookies.end(), [this](std::string_view cookie) {
    return sessions_.shows_bar(cookie, clock_().steady_ms);
  });
}

std::optional<SessionView> Gate::session_of(const Request& request) {
  for (const std::string_view cookie : cookies_of(request, cookie_name_))
    if (auto session = sessions_.use(cookie, clock_().steady_ms)) return session;
  return std::nullopt;
}

std::optional<Answer> Gate::refuse_sign_in(const Request& request) const {
  if (!secrets_ready()) return no_random();
  return refusal_of(policy_.check_change(request, false));
}

std::variant<NewSession, Answer> Gate::sign_in_by_link(const Request& request, std::string_view secret) {
  return sign_in(request, true, secret);
}

std::variant<NewSession, Answer> Gate::sign_in_by_token(const Request& request, std::string_view token) {
  return sign_in(request, false, token);
}

std::variant<NewSession, Answer> Gate::sign_in(const Request& request, bool by_link,
                                               std::string_view secret) {
  const std::int64_t now_ms = clock_().steady_ms;
  if (failed_sign_ins_.locked_out(request.peer_address, now_ms)) return locked_out();
  if (by_link ? sessions_.spend_link(secret, now_ms) : is_token(secret)) return sessions_.open(now_ms);
  failed_sign_ins_.count_failure(request.peer_address, now_ms);
  return unauthorized(by_link ? "This link was used before or is too old; ask the server for a new one."
                              : "The token is not the console's.");
}

void Gate::sign_out(const Request& request) {
  for (const std::string_view cookie : cookies_of(request, cookie_name_)) sessions_.close(cookie);
}

std::optional<std::string> Gate::make_link() {
  if (!secrets_ready()) return std::nullopt;
  return sessions_.make_link(clock_().steady_ms);
}

std::string Gate::cookie_field(std::string_view name, std::string_view secret, std::string_view path,
                               bool tls) const {
  const std::int64_t age_s = secret.empty() ? 0 : sessions_.limits().absolute_ms / 1000;
  std::string field(name);
  field.append("=").append(secret).append("; Path=").append(path);
  field.append("; HttpOnly; SameSite=Strict; Max-Age=").append(std::to_string(age_s));
  if (tls) field += "; Secure";
  return field;
}

std::array<std::string, 2> Gate::cookie_fields(const NewSession& session, bool tls) const {
  return {cookie_field(cookie_name_, session.cookie, "/~inlens/", tls),
          cookie_field(bar_cookie_name_, session.bar_cookie, "/", tls)};
}

std::int64_t Gate::unix_ms_of(std::int64_t steady_ms) const {
  const Moment now = clock_();
  return now.unix_ms + (steady_ms - now.steady_ms);
}

bool Gate::is_token(std::string_view candidate) const {
  return token_digest_ && same_digest(digest_of(candidate), *token_digest_);
}

}  // namespace inlens::console
