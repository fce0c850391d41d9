// One-time sign-in links and the sessions that they open. Links and cookies are 256 random bits and are kept
// as digests only. Called by the gate on console and mounted threads, and by the host when it asks for a
// link; the time is passed in. Owns both lists, under one mutex. Call only when secrets_ready().
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "console/server/secrets.hpp"

namespace inlens::console {

struct SessionLimits {
  std::int64_t link_ms = 10 * 60 * 1000;
  std::int64_t idle_ms = 60 * 60 * 1000;
  std::int64_t absolute_ms = 12 * 60 * 60 * 1000;
  std::size_t links = 16;      // unspent links; the oldest falls off
  std::size_t sessions = 200;  // the oldest falls off
};

struct SessionView {
  std::string csrf;
  std::int64_t ends_steady_ms = 0;  // the absolute end
};

struct NewSession {
  std::string cookie;
  std::string bar_cookie;  // sent to the host's own pages, and good for nothing but seeing the bar there
  SessionView view;
};

class Sessions {
 public:
  explicit Sessions(SessionLimits limits = {}) : limits_(limits) {}

  std::string make_link(std::int64_t now_ms);
  // True once per link, within its time.
  bool spend_link(std::string_view secret, std::int64_t now_ms);

  NewSession open(std::int64_t now_ms);
  // The session of that cookie, if it lives; this use begins its idle time anew.
  std::optional<SessionView> use(std::string_view cookie, std::int64_t now_ms);
  // Whether a session lives whose bar cookie this is; no use, so its idle time goes on.
  bool shows_bar(std::string_view bar_cookie, std::int64_t now_ms);
  void close(std::string_view cookie);

  const SessionLimits& limits() const { return limits_; }

 private:
  struct Link {
    Digest digest;
    std::int64_t ends_ms;
  };
  struct Session {
    Digest digest;
    Digest bar_digest;
    std::string csrf;
    std::int64_t ends_ms;
    std::int64_t used_ms;
  };

  void forget_ended(std::int64_t now_ms);

  const SessionLimits limits_;
  std::mutex mutex_;
  std::vector<Link> links_;        // oldest first
  std::vector<Session> sessions_;  // oldest first
};

}  // namespace inlens::console
