#include "console/server/sessions.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <set>
#include <thread>
#include <vector>

#include "console/server/attempt_limit.hpp"

using namespace inlens::console;

namespace {

constexpr std::int64_t kMinuteMs = 60 * 1000;
constexpr std::int64_t kHourMs = 60 * kMinuteMs;

}  // namespace

TEST_CASE("Secrets are 256 bits in a text that fits into links and cookies") {
  REQUIRE(secrets_ready());
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    const std::string secret = random_secret();
    CHECK(secret.size() == 43);
    CHECK(secret.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") ==
          std::string::npos);
    CHECK(seen.insert(secret).second);
  }
}

TEST_CASE("A link signs in once") {
  Sessions sessions;
  const std::string link = sessions.make_link(0);
  CHECK(sessions.spend_link(link, 1));
  CHECK_FALSE(sessions.spend_link(link, 2));
}

TEST_CASE("A link ends after ten minutes") {
  Sessions sessions;
  const std::string early = sessions.make_link(0);
  const std::string late = sessions.make_link(0);
  CHECK(sessions.spend_link(early, 10 * kMinuteMs - 1));
  CHECK_FALSE(sessions.spend_link(late, 10 * kMinuteMs));
}

TEST_CASE("The seventeenth unspent link takes the place of the oldest") {
  Sessions sessions;
  const std::string oldest = sessions.make_link(0);
  const std::string second = sessions.make_link(0);
  for (int i = 0; i < 15; ++i) sessions.make_link(0);
  CHECK_FALSE(sessions.spend_link(oldest, 1));
  CHECK(sessions.spend_link(second, 1));
}

TEST_CASE("A wrong link and an empty one sign nobody in, and spend nothing") {
  Sessions sessions;
  const std::string link = sessions.make_link(0);
  CHECK_FALSE(sessions.spend_link("", 1));
  CHECK_FALSE(sessions.spend_link(link + "x", 1));
  CHECK(sessions.spend_link(link, 1));
}

TEST_CASE("A session ends an hour after its last use") {
  Sessions sessions;
  const NewSession session = sessions.open(0);
  CHECK(sessions.use(session.cookie, kHourMs - 1));
  CHECK(sessions.use(session.cookie, 2 * kHourMs - 2));
  CHECK_FALSE(sessions.use(session.cookie, 3 * kHourMs - 2));
}

TEST_CASE("A session in steady use ends after twelve hours") {
  Sessions sessions;
  const NewSession session = sessions.open(0);
  for (std::int64_t now_ms = 0; now_ms < 12 * kHourMs; now_ms += 30 * kMinuteMs)
    REQUIRE(sessions.use(session.cookie, now_ms));
  CHECK_FALSE(sessions.use(session.cookie, 12 * kHourMs));
}

TEST_CASE("A session shows its CSRF token and its end, and neither is the cookie") {
  Sessions sessions;
  const NewSession session = sessions.open(5);
  const auto view = sessions.use(session.cookie, 6);
  REQUIRE(view);
  CHECK(view->csrf == session.view.csrf);
  CHECK(view->csrf != session.cookie);
  CHECK(view->ends_steady_ms == 12 * kHourMs + 5);
  CHECK_FALSE(sessions.use(session.view.csrf, 6));
}

TEST_CASE("A closed session is gone and leaves the others") {
  Sessions sessions;
  const NewSession one = sessions.open(0);
  const NewSession other = sessions.open(0);
  sessions.close(one.cookie);
  CHECK_FALSE(sessions.use(one.cookie, 1));
  CHECK(sessions.use(other.cookie, 1));
}

TEST_CASE("The two hundred and first session takes the place of the oldest") {
  Sessions sessions;
  const NewSession oldest = sessions.open(0);
  const NewSession second = sessions.open(0);
  for (int i = 0; i < 199; ++i) sessions.open(0);
  CHECK_FALSE(sessions.use(oldest.cookie, 1));
  CHECK(sessions.use(second.cookie, 1));
}

TEST_CASE("Of many threads with the same link one signs in") {
  Sessions sessions;
  const std::string link = sessions.make_link(0);
  std::atomic<int> signed_in{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      if (!sessions.spend_link(link, 1)) return;
      sessions.open(1);
      ++signed_in;
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(signed_in == 1);
}

TEST_CASE("After the allowed failures an address is locked out for the rest of the minute") {
  AttemptLimit limit(3);
  for (std::int64_t now_ms : {0, 10, 20}) {
    CHECK_FALSE(limit.locked_out("10.0.0.1", now_ms));
    limit.count_failure("10.0.0.1", now_ms);
  }
  CHECK(limit.locked_out("10.0.0.1", 21));
  CHECK_FALSE(limit.locked_out("10.0.0.2", 21));
  CHECK(limit.locked_out("10.0.0.1", kMinuteMs - 1));
  CHECK_FALSE(limit.locked_out("10.0.0.1", kMinuteMs));
}

TEST_CASE("Failures of ever new addresses do not lift the lock of a busy one") {
  AttemptLimit limit(2);
  limit.count_failure("busy", 0);
  limit.count_failure("busy", 1000);
  for (int i = 0; i < 1000; ++i) limit.count_failure("other " + std::to_string(i), 1);
  CHECK(limit.locked_out("busy", 1001));
}
