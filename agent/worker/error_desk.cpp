#include "agent/worker/error_desk.hpp"

#include <algorithm>

namespace inlens::worker {

ErrorDesk::ErrorDesk(guard::Limits limits, Fingerprints& fingerprints) : fingerprints_(fingerprints) {
  set_limits(limits);
}

std::uint32_t ErrorDesk::take(const ErrorView& error, const ErrorPlace& place, std::uint64_t now_ns,
                              std::int64_t unix_ms) {
  if (guard_.closed(now_ns)) {
    guard_.decide(0, {}, now_ns);  // dropped whatever its fingerprint, so a flood costs no more than this
    return 0;
  }
  const ErrorIdentity& identity = fingerprints_.identify(error, place.group_route, now_ns);
  const guard::Decision decision = guard_.decide(identity.fingerprint, identity.type, now_ns);
  if (decision.verdict == guard::Verdict::kDropped) return 0;
  note_counted(now_ns);
  return book(decision, identity,
              {identity.type, error.message, error.code, place.route, place.target, place.request,
               identity.frames, error.handled, unix_ms});
}

std::uint32_t ErrorDesk::book(const guard::Decision& decision, const ErrorIdentity& identity,
                              const store::IssueEvent& event) {
  if (decision.verdict == guard::Verdict::kOverflowed)
    return issues_.overflow(decision.issue, why_overflow_, event);
  // A slot is missing from the book only when memory was refused as it was opened.
  if (decision.verdict == guard::Verdict::kCounted && issues_.listed(decision.issue)) {
    return issues_.count(decision.issue, event);
  }
  why_grouped_.clear();
  for (const std::string& line : identity.lines) {
    if (!why_grouped_.empty()) why_grouped_ += '\n';
    why_grouped_ += line;
  }
  return issues_.open(decision.issue, {identity.fingerprint, identity.title, why_grouped_}, event);
}

void ErrorDesk::note_counted(std::uint64_t now_ns) {
  const std::uint64_t time_ns = clock_.advance(now_ns);
  counted_.add(time_ns);
  max_in_one_second_ = std::max(max_in_one_second_, counted_.at(time_ns));
}

void ErrorDesk::set_limits(guard::Limits limits) {
  guard_.set_limits(limits);
  why_overflow_ =
      "Each is of a kind that had no issue of its own while the list was closed to new ones\nAt most " +
      std::to_string(limits.new_issues_per_minute) + " new issues a minute, " +
      std::to_string(limits.issues_total) + " in all";
}

void ErrorDesk::expire(std::uint64_t now_ns) {
  for (const std::uint32_t slot : guard_.expire(now_ns)) issues_.retire(slot);
}

bool ErrorDesk::resolve(std::uint32_t id) {
  const std::optional<std::uint32_t> slot = issues_.slot_of(id);
  if (!slot) return false;
  guard_.resolve(*slot);
  issues_.retire(*slot);
  return true;
}

store::GuardFigures ErrorDesk::figures() const {
  const guard::Figures guard = guard_.figures();
  store::GuardFigures figures;
  figures.seen = guard.seen;
  figures.counted = guard.counted;
  figures.dropped = guard.dropped;
  figures.opened = guard.opened;
  figures.overflowed = guard.overflowed;
  figures.retired = guard.retired;
  figures.listed = guard.listed;
  figures.max_in_one_second = max_in_one_second_;
  return figures;
}

}  // namespace inlens::worker
