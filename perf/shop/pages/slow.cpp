#include <ctime>

#include "perf/shop/pages/pages.hpp"

namespace shop::pages {
namespace {

constexpr std::int64_t kRoundsFor300ms = 1'500'000;
constexpr std::int64_t kCpu_ns = 50'000'000;

std::int64_t thread_cpu_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

}  // namespace

Response slow_sql(const Context& context) {
  const std::int64_t rounds = context.request.number("rounds", kRoundsFor300ms, 1, 20'000'000);
  const std::int64_t sum = context.db().number(
      "WITH RECURSIVE counter(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < ?)"
      " SELECT sum(n % 7) FROM counter",
      {rounds});
  Html html;
  html.markup("<p>")
      .number(rounds)
      .markup(" rounds inside the database, ?rounds= sets them. Sum: ")
      .number(sum);
  return page("Slow SQL", std::move(html.markup("</p>")));
}

Response cpu(const Context&) {
  const std::int64_t begin_ns = thread_cpu_ns();
  std::uint64_t state = 1;
  std::int64_t spent_ns = 0;
  while (spent_ns < kCpu_ns) {
    for (int i = 0; i < 10'000; ++i) state = state * 6364136223846793005ULL + 1;
    spent_ns = thread_cpu_ns() - begin_ns;
  }
  inlens::timer("computing", std::chrono::nanoseconds(spent_ns));
  Html html;
  html.markup("<p>")
      .number(spent_ns / 1'000'000)
      .markup(" ms of CPU led to ")
      .number(static_cast<std::int64_t>(state >> 1));
  return page("CPU", std::move(html.markup(".</p>")));
}

Response stall(const Context& context) {
  const std::int64_t seconds = context.request.number("s", 5, 0, 30);
  {
    const inlens::Span span("the time to pass", inlens::SpanKind::kWait);
    context.shop().shutdown.wait_for(std::chrono::seconds(seconds));
  }
  Html html;
  html.markup("<p>This page held its worker for ").number(seconds).markup(" s.</p>");
  return page("Stall", std::move(html));
}

Response empty(const Context&) {
  Response response;
  response.content_type = "text/plain; charset=utf-8";
  response.body = "ok\n";
  return response;
}

}  // namespace shop::pages
