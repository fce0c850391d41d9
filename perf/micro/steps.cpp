// inlens-steps <scenario> <count>: runs a scenario `count` times for a tool that counts instructions. Two
// runs with different counts give the cost of one by their difference; see perf/micro/instructions.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "collectors/sql/normalise.hpp"
#include "flood_guard/flood_guard.hpp"
#include "perf/micro/load.hpp"

namespace {

using namespace inlens;

// The worker sleeps while requests are made, so that only the host thread's way is counted there and only the
// worker's way in the drain that ends the run.
constexpr unsigned kSleepyPollMs = 1000;

int requests(inlens_level level, int statements, int count) {
  if (!micro::start_agent(INLENS_LEVEL_LIGHT, kSleepyPollMs)) return 1;
  micro::one_request(statements);
  if (!micro::drain_now()) return 1;  // from here on the worker knows the statements' texts
  inlens_level_set(level);
  for (int i = 0; i < count; ++i) micro::one_request(statements);
  inlens_level_set(INLENS_LEVEL_LIGHT);
  const bool drained = micro::drain_now();
  inlens_stop();
  return drained ? 0 : 1;
}

int guard_events(bool known, int count) {
  guard::FloodGuard guard;
  std::uint64_t counted = 0;
  for (int i = 0; i < count; ++i) {
    const auto time = static_cast<std::uint64_t>(i) * 2'000'000;
    counted += guard.decide(known ? 7 : static_cast<std::uint64_t>(i), "E", time).issue;
  }
  return counted == 1 ? 1 : 0;
}

int scan(std::string_view text, int count) {
  sql::Normalised out;
  std::uint64_t sum = 0;
  for (int i = 0; i < count; ++i) {
    sql::normalise(text, sql::Dialect::kSqlite, out);
    sum += out.fingerprint;
  }
  return sum == 1 ? 1 : 0;
}

int run(const std::string& scenario, int count) {
  const struct {
    const char* name;
    inlens_level level;
  } levels[] = {{"off", INLENS_LEVEL_OFF},
                {"light", INLENS_LEVEL_LIGHT},
                {"standard", INLENS_LEVEL_STANDARD},
                {"full", INLENS_LEVEL_FULL}};
  for (const auto& level : levels) {
    if (scenario == std::string("request/") + level.name + "/0") return requests(level.level, 0, count);
    if (scenario == std::string("request/") + level.name + "/5") return requests(level.level, 5, count);
  }
  if (scenario == "guard/known") return guard_events(true, count);
  if (scenario == "guard/unique") return guard_events(false, count);
  if (scenario == "scanner/80-literals") return scan(micro::kSqlLiterals, count);
  if (scenario == "scanner/80-placeholders") return scan(micro::kSqlPlaceholders, count);
  if (scenario == "scanner/500") return scan(micro::kSqlLong, count);
  std::fprintf(stderr, "inlens-steps: unknown scenario %s\n", scenario.c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: inlens-steps <scenario> <count>\n", stderr);
    return 2;
  }
  return run(argv[1], std::atoi(argv[2]));
}
