// Decides who a request comes from and whether it may go on: Host, Origin, token, session cookie, CSRF
// header. Nothing is remembered between the requests of one connection. Called by the router on console and
// mounted threads. Owns the sessions, the links and the counts of failed attempts.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "console/server/access.hpp"
#include "console/server/attempt_limit.hpp"
#include "console/server/clock.hpp"
#include "console/server/http.hpp"
#include "console/server/sessions.hpp"

namespace inlens::console {

// Who may read one request's data for the bar without a credential.
enum class BarAllow { kNobody, kLoopback };

struct GateOptions {
  std::string token;               // for `Authorization: Bearer`; "" = nobody has one
  std::string bound_address;       // accepted as Host
  std::uint16_t port = 0;          // names the cookie: cookies do not tell ports apart
  std::vector<std::string> hosts;  // further accepted Hosts
  BarAllow bar_allow = BarAllow::kNobody;
  std::size_t sign_in_failures = 10;  // per address and minute, links and tokens in a sign-in
  std::size_t bearer_failures = 60;   // per address and minute, Authorization headers
  SessionLimits sessions;
};

enum class Credential { kSession, kBearer, kLocalBar };

struct Identity {
  Credential credential = Credential::kSession;
  SessionView session;  // of a kSession
};

using Admission = std::variant<Identity, Answer>;

class Gate {
 public:
  Gate(GateOptions options, Clock clock);

  // Threads: any.
  void set_bar_allow(BarAllow allow) { bar_allow_.store(allow, std::memory_order_relaxed); }

  // Before anything else is looked at.
  std::optional<Answer> refuse_host(const Request& request) const;

  Admission admit(const Request& request);
  Admission admit_bar(const Request& request);
  // Whether the caller of a host's page is signed in here, by the bar's cookie only: an Authorization header
  // there is the host's own, so it is neither tried nor counted.
  bool shows_bar(const Request& request);

  // Opens a session for the secret of an unspent link, or for the token. Or why not.
  std::variant<NewSession, Answer> sign_in_by_link(const Request& request, std::string_view secret);
  std::variant<NewSession, Answer> sign_in_by_token(const Request& request, std::string_view token);
  // A sign-in carries its secret in the body, so a caller that is no browser needs no Origin.
  std::optional<Answer> refuse_sign_in(const Request& request) const;
  void sign_out(const Request& request);

  std::optional<std::string> make_link();  // its secret; nullopt without a source of random bytes

  // The values of Set-Cookie for a session: the console's own cookie, and the bar's, which goes to the host's
  // pages as well. An empty session takes both away.
  std::array<std::string, 2> cookie_fields(const NewSession& session, bool tls) const;
  std::int64_t unix_ms_of(std::int64_t steady_ms) const;

 private:
  Admission admit_bearer(const Request& request, std::string_view authorization);
  Admission admit_session(const Request& request);
  std::optional<SessionView> session_of(const Request& request);
  std::string cookie_field(std::string_view name, std::string_view secret, std::string_view path,
                           bool tls) const;
  bool is_token(std::string_view candidate) const;
  std::variant<NewSession, Answer> sign_in(const Request& request, bool by_link, std::string_view secret);

  const GateOptions options_;
  std::atomic<BarAllow> bar_allow_;
  const Clock clock_;
  const AccessPolicy policy_;
  const std::string cookie_name_;
  const std::string bar_cookie_name_;
  std::optional<Digest> token_digest_;
  Sessions sessions_;
  AttemptLimit failed_sign_ins_;
  AttemptLimit failed_bearers_;
};

}  // namespace inlens::console
