// Random sequences against the guard's invariants: the accounting identity after every step, and the two
// rates checked by brute force over every window. Seeds are fixed: a failure names the seed and repeats.
#include <catch2/catch.hpp>
#include <deque>
#include <random>
#include <unordered_map>

#include "flood_guard/flood_guard.hpp"

using namespace inlens::guard;

namespace {

constexpr uint64_t kMs = 1'000'000;
constexpr uint64_t kSecond = 1000 * kMs;

// Times of recent events. A window with too many of them can be moved so that it ends at one: looking back
// from each event is therefore looking at every window.
class Window {
 public:
  explicit Window(uint64_t length_ns) : length_ns_(length_ns) {}
  std::size_t add(uint64_t now_ns) {
    times_.push_back(now_ns);
    while (now_ns - times_.front() > length_ns_) times_.pop_front();
    return times_.size();
  }

 private:
  uint64_t length_ns_;
  std::deque<uint64_t> times_;
};

// Real time only moves forward; the reading given to the guard is real time minus a random lag that comes and
// goes.
class BadClock {
 public:
  explicit BadClock(std::mt19937_64& random) : random_(random) {}

  void step() {
    switch (random_() % 64) {
      case 0:
        real_ns_ += random_() % (90 * kSecond);
        break;
      case 1:
        real_ns_ += random_() % (2 * kSecond);
        break;
      case 2:
        real_ns_ += 100 * kMs;
        break;
      case 3:
        lag_ns_ = random_() % (2 * kSecond);
        break;
      case 4:
        lag_ns_ = random_() % (600 * kSecond);
        break;
      case 5:
        lag_ns_ = 0;
        break;
      default:
        real_ns_ += random_() % (4 * kMs);
    }
  }

  uint64_t real_ns() const { return real_ns_; }
  // Readings jump forward only by as much as they jumped back before.
  uint64_t reading_ns() const { return real_ns_ - lag_ns_; }

 private:
  std::mt19937_64& random_;
  uint64_t real_ns_ = 3600 * kSecond;
  uint64_t lag_ns_ = 0;
};

Limits random_limits(std::mt19937_64& random) {
  return {.events_per_second = static_cast<uint32_t>(random() % 120),
          .new_issues_per_minute = static_cast<uint32_t>(random() % 8),
          .issues_total = static_cast<uint32_t>(random() % 40),
          .retention_ns = random() % (300 * kSecond)};
}

uint64_t sum_of_issues(const FloodGuard& guard) {
  uint64_t sum = 0;
  for (uint32_t slot = 0; slot < 256; ++slot) sum += guard.issue_count(slot);
  return sum;
}

void require_identity(const FloodGuard& guard) {
  const Figures f = guard.figures();
  REQUIRE(f.seen == f.counted + f.dropped);
  REQUIRE(f.counted == sum_of_issues(guard) + f.retired);
}

}  // namespace

TEST_CASE("the identity holds after every step of random sequences with a clock that jumps back") {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 random(seed);
    BadClock clock(random);
    FloodGuard guard({.events_per_second = 60, .new_issues_per_minute = 5, .issues_total = 12});
    uint64_t decided = 0;
    for (int i = 0; i < 5000; ++i) {
      clock.step();
      const uint64_t action = random() % 1000;
      if (action < 4) {
        guard.set_limits(random_limits(random));
      } else if (action < 14) {
        guard.resolve(static_cast<uint32_t>(random() % 45));
      } else if (action < 24) {
        guard.expire(clock.reading_ns());
      } else {
        guard.decide(random() % 60, "type" + std::to_string(random() % 30), clock.reading_ns());
        ++decided;
      }
      require_identity(guard);
      REQUIRE(guard.figures().seen == decided);
    }
  }
}

TEST_CASE("no window of any alignment counts or opens more than its limit though the clock jumps back") {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 random(seed);
    const Limits limits{.events_per_second = 50 + static_cast<uint32_t>(seed), .new_issues_per_minute = 7};
    // Windows are judged in real time. The readings fall behind it more and more and never catch up, because
    // a leap forward cannot be told from time that passed.
    FloodGuard guard(limits);
    Window second(kSecond);
    Window minute(60 * kSecond);
    uint64_t real_ns = 7200 * kSecond;
    uint64_t lag_ns = 0;
    uint64_t counted = 0;
    for (int i = 0; i < 30000; ++i) {
      const uint64_t kind = random() % 400;
      real_ns += kind == 0 ? random() % (20 * kSecond) : kind < 8 ? random() % kSecond : random() % (3 * kMs);
      if (random() % 1500 == 0) lag_ns += random() % (random() % 2 == 0 ? kSecond / 2 : 200 * kSecond);
      const Verdict verdict = guard.decide(random() % 500, "type", real_ns - lag_ns).verdict;
      if (verdict == Verdict::kDropped) continue;
      ++counted;
      REQUIRE(second.add(real_ns) <= limits.events_per_second);
      if (verdict == Verdict::kOpened) REQUIRE(minute.add(real_ns) <= limits.new_issues_per_minute);
    }
    REQUIRE(counted > 2000);
  }
}

TEST_CASE("no second counts more than the limit in force while limits change") {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 random(seed);
    Limits limits{.events_per_second = 40};
    FloodGuard guard(limits);
    Window second(kSecond);
    uint64_t now_ns = kSecond;
    for (int i = 0; i < 20000; ++i) {
      now_ns += random() % (4 * kMs);
      if (random() % 500 == 0) guard.set_limits(limits = random_limits(random));
      if (guard.decide(random() % 100, "type", now_ns).verdict == Verdict::kDropped) continue;
      REQUIRE(second.add(now_ns) <= limits.events_per_second);
    }
  }
}

TEST_CASE("each count equals a plain model of one counter per issue") {
  std::mt19937_64 random(42);
  FloodGuard guard({.events_per_second = 1'000'000, .new_issues_per_minute = 6, .issues_total = 15});
  std::unordered_map<uint64_t, uint32_t> slot_of;
  std::unordered_map<uint32_t, uint64_t> count_of;
  uint64_t now_ns = 0;
  for (int i = 0; i < 30000; ++i) {
    now_ns += random() % (200 * kMs);
    if (random() % 300 == 0) {
      const auto slot = static_cast<uint32_t>(random() % 15);
      guard.resolve(slot);
      count_of.erase(slot);
      std::erase_if(slot_of, [&](const auto& entry) { return entry.second == slot; });
    }
    const uint64_t fingerprint = random() % 40;
    const Decision decision = guard.decide(fingerprint, "type", now_ns);
    const auto known = slot_of.find(fingerprint);
    if (known != slot_of.end()) {
      REQUIRE(decision.verdict == Verdict::kCounted);
      REQUIRE(decision.issue == known->second);
    } else if (decision.verdict == Verdict::kOpened) {
      REQUIRE(count_of.find(decision.issue) == count_of.end());
      slot_of[fingerprint] = decision.issue;
    } else {
      REQUIRE(decision.verdict == Verdict::kOverflowed);
      REQUIRE(guard.overflow_issue() == decision.issue);
    }
    REQUIRE(guard.issue_count(decision.issue) == ++count_of[decision.issue]);
    REQUIRE(guard.figures().listed == count_of.size());
    REQUIRE(count_of.size() <= 15);
  }
}

TEST_CASE("readings from all of time neither crash nor break the identity") {
  std::mt19937_64 random(9);
  FloodGuard guard(
      {.events_per_second = 5, .new_issues_per_minute = 2, .issues_total = 6, .retention_ns = 1});
  for (int i = 0; i < 20000; ++i) {
    const uint64_t shift = random() % 64;
    const uint64_t now_ns = random() % 5 == 0 ? UINT64_MAX - (random() >> shift) : random() >> shift;
    if (random() % 20 == 0) guard.expire(now_ns);
    const bool closed = guard.closed(now_ns);
    REQUIRE(closed == (guard.decide(random() % 20, "type", now_ns).verdict == Verdict::kDropped));
    require_identity(guard);
  }
}
