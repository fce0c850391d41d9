#include "perf/shop/pages/pages.hpp"

namespace shop::pages {
namespace {

// Shown anywhere as markup instead of text, it would set window.inlensCanary.
const std::string kCanary = R"(</script><img src=x onerror="window.inlensCanary=1">)";

void statements(Db& db) {
  db.query("SELECT ? AS \"" + kCanary.substr(0, 9) + "\" -- " + kCanary, {std::string_view(kCanary)},
           [](const Row&) {});
  try {
    db.execute("SELECT '" + kCanary + "' FROM \"<img src=x onerror=window.inlensCanary=1>\"");
  } catch (const DbError& error) {
    inlens::error("shop::DbError" + kCanary, error.what() + kCanary, kCanary, inlens::Handled::kYes);
  }
}

void call() {
  inlens::Call call("GET" + kCanary, "http://127.0.0.1/" + kCanary + "?q=" + kCanary);
  call.failed("not asked: " + kCanary);
}

void panels() {
  inlens::Panel::table(kCanary, {kCanary, "plain"}).row({kCanary, kCanary}).show();
  inlens::Panel::key_value(kCanary).pair(kCanary, kCanary).show();
  inlens::Panel::tree(kCanary).node(0, kCanary, kCanary).node(1, kCanary, kCanary).show();
  inlens::Panel::text(kCanary, kCanary).show();
}

}  // namespace

Response markup(const Context& context) {
  context.lens.route("/markup/" + kCanary);
  context.lens.header(inlens::Direction::kRequest, "X-Canary" + kCanary, kCanary);
  {
    const inlens::Span stage("stage " + kCanary, inlens::SpanKind::kStage);
    const inlens::Span scope("scope " + kCanary);
    statements(context.db());
    call();
  }
  inlens::add_span("cache " + kCanary, inlens::SpanKind::kCache, std::chrono::microseconds(3));
  inlens::add_span("wait " + kCanary, inlens::SpanKind::kWait, std::chrono::microseconds(3));
  inlens::timer(kCanary, std::chrono::milliseconds(7));
  for (const auto severity : {inlens::Severity::kDebug, inlens::Severity::kInfo, inlens::Severity::kWarning,
                              inlens::Severity::kError})
    inlens::message(kCanary, severity);
  inlens::Task("task " + kCanary).end();
  panels();

  Html html;
  html.markup("<p>Every field that Inlens was given for this page holds this text:</p>\n")
      .element("pre", kCanary);
  Response response = page("Markup", std::move(html));
  response.headers.emplace_back("X-Canary", kCanary);
  return response;
}

}  // namespace shop::pages
