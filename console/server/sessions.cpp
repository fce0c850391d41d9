#include "console/server/sessions.hpp"

#include <algorithm>

namespace inlens::console {
namespace {

template <class Items>
auto find_digest(Items& items, const Digest& digest) {
  return std::find_if(items.begin(), items.end(),
                      [&](const auto& item) { return same_digest(item.digest, digest); });
}

// Makes room for one more.
template <class Items>
void shed_oldest(Items& items, std::size_t limit) {
  if (items.size() >= limit) items.erase(items.begin());
}

}  // namespace

std::string Sessions::make_link(std::int64_t now_ms) {
  std::string secret = random_secret();
  const std::lock_guard lock(mutex_);
  forget_ended(now_ms);
  shed_oldest(links_, limits_.links);
  links_.push_back({digest_of(secret), now_ms + limits_.link_ms});
  return secret;
}

bool Sessions::spend_link(std::string_view secret, std::int64_t now_ms) {
  const Digest digest = digest_of(secret);
  const std::lock_guard lock(mutex_);
  forget_ended(now_ms);
  const auto link = find_digest(links_, digest);
  if (link == links_.end()) return false;
  links_.erase(link);
  return true;
}

NewSession Sessions::open(std::int64_t now_ms) {
  NewSession created{random_secret(), random_secret(), {random_secret(), now_ms + limits_.absolute_ms}};
  const std::lock_guard lock(mutex_);
  forget_ended(now_ms);
  shed_oldest(sessions_, limits_.sessions);
  sessions_.push_back({digest_of(created.cookie), digest_of(created.bar_cookie), created.view.csrf,
                       created.view.ends_steady_ms, now_ms});
  return created;
}

std::optional<SessionView> Sessions::use(std::string_view cookie, std::int64_t now_ms) {
  const Digest digest = digest_of(cookie);
  const std::lock_guard lock(mutex_);
  forget_ended(now_ms);
  const auto session = find_digest(sessions_, digest);
  if (session == sessions_.end()) return std::nullopt;
  session->used_ms = now_ms;
  return SessionView{session->csrf, session->ends_ms};
}

bool Sessions::shows_bar(std::string_view bar_cookie, std::int64_t now_ms) {
  const Digest digest = digest_of(bar_cookie);
  const std::lock_guard lock(mutex_);
  forget_ended(now_ms);
  return std::any_of(sessions_.begin(), sessions_.end(),
                     [&](const Session& session) { return same_digest(session.bar_digest, digest); });
}

void Sessions::close(std::string_view cookie) {
  const Digest digest = digest_of(cookie);
  const std::lock_guard lock(mutex_);
  const auto session = find_digest(sessions_, digest);
  if (session != sessions_.end()) sessions_.erase(session);
}

void Sessions::forget_ended(std::int64_t now_ms) {
  std::erase_if(links_, [&](const Link& link) { return now_ms >= link.ends_ms; });
  std::erase_if(sessions_, [&](const Session& session) {
    return now_ms >= session.ends_ms || now_ms >= session.used_ms + limits_.idle_ms;
  });
}

}  // namespace inlens::console
