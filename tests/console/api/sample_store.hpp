// A store filled by hand, as the views see it: every field has a value, every list an entry, every
// enumeration each of its members. With hostile texts every captured string holds bytes that are not UTF-8,
// control characters, quotes, markup and characters that turn the writing direction. For tests only.
#pragma once

#include "agent/store/snapshot.hpp"
#include "agent/store/source.hpp"

namespace inlens::console::api::test {

enum class Texts { kPlain, kHostile };

inline constexpr std::int64_t kNowMs = 1'800'000'030'000;  // 30 s into a minute
inline constexpr std::int64_t kStartMs = kNowMs - 3'600'000;

store::RequestDetail sample_request(Texts texts = Texts::kPlain);
store::Snapshot sample_snapshot(Texts texts = Texts::kPlain);
store::Totals sample_totals();
std::vector<store::InFlight> sample_in_flight(Texts texts = Texts::kPlain);
store::AgentFigures sample_figures(Texts texts = Texts::kPlain);
std::vector<store::ConnectionStats> sample_connections(Texts texts = Texts::kPlain);
std::vector<store::CollectorStats> sample_collectors(Texts texts = Texts::kPlain);

}  // namespace inlens::console::api::test
