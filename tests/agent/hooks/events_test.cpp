#include <catch2/catch.hpp>

#include "tests/agent/hooks/fixture.hpp"

using namespace inlens;
using namespace inlens::hooks;

TEST_CASE("An error inside a request is part of its record") {
  Fixture f;
  const auto request = begin_request(f.core(), kLight, get("/"));
  const void* frames[] = {&f, request ? &frames : nullptr};
  report_error(f.core(), request, {"std::runtime_error", "no stock for token=abc", "E7", true, frames});
  end_request(f.core(), request, ok());
  const auto record = f.drain().at(0);
  const auto* error = f.entries<ErrorEntry>(record, EntryKind::kError).at(0);
  CHECK(Fixture::text(error, 0, error->type_size) == "std::runtime_error");
  CHECK(Fixture::text(error, error->type_size, error->message_size) == "no stock for token=***");
  CHECK((error->flags & kEntryHandled) != 0);
  CHECK(error->frame_count == 2);
  CHECK(f.totals().errors.get() == 1);
}

TEST_CASE("An error without a request travels alone and is counted") {
  Fixture f;
  report_error(f.core(), 0, {"TimeoutError", "job gave up", {}, false, {}});
  const auto records = f.drain();
  REQUIRE(records.size() == 1);
  CHECK(f.core().pool()[records[0]].head.block.use.load() == BlockUse::kEvent);
  CHECK(f.entries<ErrorEntry>(records[0], EntryKind::kError).size() == 1);
  CHECK(f.totals().errors.get() == 1);
}

TEST_CASE("Errors and messages past their caps are counted") {
  Fixture f;
  const auto request = begin_request(f.core(), kLight, get("/"));
  for (int i = 0; i < 60; ++i) report_error(f.core(), request, {"E", "x", {}, false, {}});
  for (int i = 0; i < 250; ++i) add_message(f.core(), request, 1, "line");
  end_request(f.core(), request, ok());
  const Counters& counters = f.core().pool()[f.drain().at(0)].head.counters;
  CHECK(counters.errors.get() == 60);
  CHECK(counters.errors_cut == 10);
  CHECK(counters.messages == 250);
  CHECK(counters.messages_cut == 50);
}

TEST_CASE("Headers are kept at standard, masked by name, and not at light") {
  Fixture f;
  const auto light = begin_request(f.core(), kLight, get("/"));
  add_header(f.core(), light, 0, "Accept", "text/html");
  end_request(f.core(), light, ok());
  CHECK(f.entries<HeaderEntry>(f.drain().at(0), EntryKind::kHeader).empty());

  const auto standard = begin_request(f.core(), kStandardLevel, get("/"));
  add_header(f.core(), standard, 0, "Cookie", "sid=secret");
  add_header(f.core(), standard, 0, "Authorization", "Bearer abcdefghijklmnop");
  add_header(f.core(), standard, 0, "Referer", "/cart?token=abc");
  end_request(f.core(), standard, ok());
  const auto headers = f.entries<HeaderEntry>(f.drain().at(0), EntryKind::kHeader);
  REQUIRE(headers.size() == 3);
  CHECK(Fixture::text(headers[0], headers[0]->name_size, headers[0]->value_size) == "***");
  CHECK(Fixture::text(headers[1], headers[1]->name_size, headers[1]->value_size) == "***");
  CHECK(Fixture::text(headers[2], headers[2]->name_size, headers[2]->value_size) == "/cart?token=***");
}

TEST_CASE("A panel keeps its cells in order and masks the value beside a secret key") {
  Fixture f;
  const auto request = begin_request(f.core(), kLight, get("/"));
  static constexpr std::string_view cells[2][2] = {{"region", "eu"}, {"db_password", "hunter2"}};
  PanelInfo panel;
  panel.kind = 1;
  panel.title = "Deployment";
  panel.columns = 2;
  panel.rows = 2;
  panel.cell = [](const void*, std::uint32_t row, std::uint32_t column) { return cells[row][column]; };
  add_panel(f.core(), request, panel);
  end_request(f.core(), request, ok());
  const auto record = f.drain().at(0);
  CHECK(f.entries<PanelEntry>(record, EntryKind::kPanel).at(0)->cells == 4);
  const auto kept = f.entries<TextEntry>(record, EntryKind::kPanelCell);
  REQUIRE(kept.size() == 4);
  CHECK(Fixture::text(kept[1], 0, kept[1]->text_size) == "eu");
  CHECK(Fixture::text(kept[3], 0, kept[3]->text_size) == "***");
}

TEST_CASE("A million messages keep the record within its bound") {
  Fixture f;
  const auto request = begin_request(f.core(), kLight, get("/"));
  for (int i = 0; i < 1'000'000; ++i) add_message(f.core(), request, 1, "line");
  end_request(f.core(), request, ok());
  const RecordHead& head = f.core().pool()[f.drain().at(0)].head;
  CHECK(head.counters.messages == 1'000'000);
  CHECK(head.blocks <= 8);
}
