#include "console/api/self_time.hpp"

#include <algorithm>

namespace inlens::console::api {
namespace {

constexpr std::int64_t kLongestNs = std::int64_t{1} << 61;  // two of them still add up

Stretch clipped(std::int64_t start_ns, std::int64_t duration_ns, std::int64_t limit_ns) {
  const std::int64_t start = std::clamp(start_ns, -kLongestNs, kLongestNs);
  const std::int64_t end = start + std::clamp<std::int64_t>(duration_ns, 0, kLongestNs);
  return {std::clamp<std::int64_t>(start, 0, limit_ns), std::clamp<std::int64_t>(end, 0, limit_ns)};
}

}  // namespace

Stretches united(Stretches stretches) {
  std::sort(stretches.begin(), stretches.end(),
            [](const Stretch& a, const Stretch& b) { return a.begin_ns < b.begin_ns; });
  Stretches out;
  for (const Stretch& next : stretches) {
    if (next.end_ns <= next.begin_ns) continue;
    if (!out.empty() && next.begin_ns <= out.back().end_ns) {
      out.back().end_ns = std::max(out.back().end_ns, next.end_ns);
    } else {
      out.push_back(next);
    }
  }
  return out;
}

std::int64_t length_ns(const Stretches& united_stretches) {
  std::int64_t sum = 0;
  for (const Stretch& stretch : united_stretches) sum += stretch.end_ns - stretch.begin_ns;
  return sum;
}

Stretches remaining(Stretch whole, const Stretches& united_stretches) {
  Stretches out;
  std::int64_t from = whole.begin_ns;
  for (const Stretch& covered : united_stretches) {
    if (covered.begin_ns >= whole.end_ns) break;
    if (covered.begin_ns > from) out.push_back({from, covered.begin_ns});
    from = std::max(from, covered.end_ns);
  }
  if (from < whole.end_ns) out.push_back({from, whole.end_ns});
  return out;
}

SelfTimes self_times(const store::RequestDetail& request) {
  const auto limit = static_cast<std::int64_t>(std::min<std::uint64_t>(request.duration_ns, kLongestNs));
  const std::size_t spans = request.spans.size();
  const std::size_t tasks = request.tasks.size();
  std::vector<Stretch> whole;
  std::vector<Stretches> inside(spans);
  std::vector<Stretches> in_task(tasks);
  for (std::size_t i = 0; i < spans; ++i) {
    const store::Span& span = request.spans[i];
    whole.push_back(clipped(span.start_ns, span.duration_ns, limit));
    if (span.parent >= 0 && static_cast<std::size_t>(span.parent) < i)
      inside[static_cast<std::size_t>(span.parent)].push_back(whole.back());
    if (span.task >= 0 && static_cast<std::size_t>(span.task) < tasks)
      in_task[static_cast<std::size_t>(span.task)].push_back(whole.back());
  }
  SelfTimes self;
  for (std::size_t i = 0; i < spans; ++i)
    self.of_span.push_back(remaining(whole[i], united(std::move(inside[i]))));
  for (std::size_t i = 0; i < tasks; ++i) {
    const store::TaskDetail& task = request.tasks[i];
    const Stretch open = clipped(task.start_ns, task.duration_ns, limit);
    self.of_task.push_back(remaining(open, united(std::move(in_task[i]))));
  }
  return self;
}

}  // namespace inlens::console::api
