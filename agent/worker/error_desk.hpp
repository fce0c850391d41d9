// Where errors go: past the flood guard, which decides, into the book of issues, which shows. Called by the
// worker, on the worker thread only; owns both.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/store/issues.hpp"
#include "agent/store/snapshot.hpp"
#include "agent/worker/fingerprint.hpp"
#include "agent/worker/record_reader.hpp"
#include "flood_guard/flood_guard.hpp"
#include "flood_guard/guard_clock.hpp"
#include "flood_guard/sliding_count.hpp"

namespace inlens::worker {

// Where an error happened.
struct ErrorPlace {
  std::optional<store::RequestId> request;
  std::string_view route;        // as shown; "" outside of requests
  std::string_view group_route;  // for the fingerprint
  std::string_view target;
};

class ErrorDesk {
 public:
  ErrorDesk(guard::Limits limits, Fingerprints& fingerprints);

  // Decides about one error and books it. Returns the issue's number, or 0 when it was dropped. Never refuses
  // the decision; std::bad_alloc may leave its sample out.
  std::uint32_t take(const ErrorView& error, const ErrorPlace& place, std::uint64_t now_ns,
                     std::int64_t unix_ms);

  // What an event would meet now; hooks skip expensive capture by it.
  bool closed(std::uint64_t now_ns) const { return guard_.closed(now_ns); }

  void set_limits(guard::Limits limits);
  void expire(std::uint64_t now_ns);
  bool resolve(std::uint32_t id);

  std::vector<store::Issue> list() const { return issues_.list(guard_); }
  store::GuardFigures figures() const;

 private:
  std::uint32_t book(const guard::Decision& decision, const ErrorIdentity& identity,
                     const store::IssueEvent& event);
  void note_counted(std::uint64_t now_ns);

  guard::FloodGuard guard_;
  Fingerprints& fingerprints_;
  store::Issues issues_;
  std::string why_overflow_;
  std::string why_grouped_;
  // The busiest second, in steps of 100 ms, on the same clock as the guard's.
  guard::GuardClock clock_;
  guard::SlidingCount<100'000'000, 10> counted_;
  std::uint64_t max_in_one_second_ = 0;
};

}  // namespace inlens::worker
