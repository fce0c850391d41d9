#include "console/api/checks.hpp"

#include <string>
#include <string_view>

#include "console/api/wording.hpp"

namespace inlens::console::api {
namespace {

enum class State { kOk, kWarning, kFailed, kOff };

Json check(std::string_view name, State state, const std::string& sentence, Json fix = nullptr) {
  constexpr const char* kStates[] = {"ok", "warning", "failed", "off"};
  return Json::object({{"name", name},
                       {"state", kStates[static_cast<int>(state)]},
                       {"sentence", sentence},
                       {"fix", std::move(fix)}});
}

Json level(const AgentFacts& facts) {
  const Level now = facts.figures.level;
  if (now == Level::kOff)
    return check("Level", State::kOff, "The level is off: nothing is recorded.",
                 "Set `collect.level` to light, standard or full.");
  return check("Level", State::kOk, "The level is " + std::string(name_of(now)) + ".");
}

Json settings(const AgentFacts& facts) {
  const std::size_t wrong = facts.settings.problems.size();
  if (wrong == 0) return check("Settings", State::kOk, "All settings that were given are valid.");
  return check("Settings", State::kWarning, counted(wrong, "problem") + " in the settings.",
               "Correct what is listed under Configuration.");
}

Json losses(const AgentFacts& facts) {
  const store::Lost& lost = facts.figures.lost;
  if (lost.total() == 0) return check("Losses", State::kOk, "No detail was lost.");
  const std::string sentence = counted(lost.total(), "detail") + " lost; totals are exact all the same.";
  Json fix = nullptr;
  if (lost.pool_empty + lost.queue_full > 0)
    fix = "Raise `limits.poolMegabytes`.";
  else if (lost.limit > 0)
    fix = "Raise the cap per request, such as `limits.statementsPerRequest`.";
  return check("Losses", State::kWarning, sentence, std::move(fix));
}

Json order_of_calls(const AgentFacts& facts) {
  const std::uint64_t unpaired = facts.figures.lost.unpaired;
  if (unpaired == 0) return check("Order of calls", State::kOk, "Every end had its begin.");
  return check(
      "Order of calls", State::kWarning,
      counted(unpaired, "call") + " without a partner: an end without begin, or a handle that was over.",
      "Look at the host's calls of Inlens: each begin wants one end.");
}

Json errors(const AgentFacts& facts) {
  const store::GuardFigures& guard = facts.snapshot.guard;
  if (!identity_holds(facts.snapshot))
    return check("Error counts", State::kFailed,
                 "The counts of errors do not add up; this is a fault of Inlens.");
  if (guard.dropped + guard.overflowed == 0)
    return check("Error counts", State::kOk,
                 counted(guard.seen, "error") + " seen, all counted into their issues.");
  return check("Error counts", State::kWarning,
               "Of " + counted(guard.seen, "error") + " seen, " + grouped(guard.overflowed) +
                   " went to the overflow issue and " + grouped(guard.dropped) +
                   " came above the limit per second and were only counted as dropped.");
}

Json hooks(const AgentFacts& facts) {
  const std::uint64_t caught = facts.figures.guarded_exceptions;
  if (caught == 0) return check("Hooks", State::kOk, "No call of Inlens failed inside.");
  return check("Hooks", State::kWarning,
               counted(caught, "exception") + " of Inlens's own stopped before they could reach the host.");
}

Json clock(const AgentFacts& facts) {
  if (facts.figures.clock == "tsc")
    return check("Clock", State::kOk, "The processor's time stamp counter times the hooks.");
  return check("Clock", State::kWarning, "The hooks ask the kernel for the time, which costs more per call.");
}

Json bar(const AgentFacts& facts) {
  if (!facts.settings.config.bar.enabled)
    return check("Bar", State::kOff, "The bar is switched off.", "Set `bar.enabled` to true.");
  std::uint64_t skipped = 0;
  for (const auto& [reason, count] : facts.figures.pages_skipped) skipped += count;
  return check("Bar", State::kOk,
               counted(facts.figures.bars_inserted, "page") + " got the bar, " + grouped(skipped) +
                   " responses were left alone for the reasons listed.");
}

}  // namespace

Json checks(const AgentFacts& facts) {
  return Json::array({level(facts), settings(facts), losses(facts), order_of_calls(facts), errors(facts),
                      hooks(facts), clock(facts), bar(facts)});
}

}  // namespace inlens::console::api
