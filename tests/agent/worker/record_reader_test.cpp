#include "agent/worker/record_reader.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "agent/worker/aggregate.hpp"
#include "tests/agent/worker/record_builder.hpp"

using namespace inlens;
using namespace inlens::worker;
using hooks::BlockUse;
using hooks::EntryKind;

namespace {

std::vector<char> log_of(TestCore& core, std::uint32_t first, bool& sound) {
  std::vector<char> log;
  sound = copy_log(core->pool(), first, log);
  return log;
}

// A record with an entry of each kind, over several blocks.
void fill(RecordBuilder& record) {
  record.id(1).times(100, 900).request("POST", "/orders/17?" + std::string(200, 'q'), 500).begin();
  record.route("/orders/{id}");
  const std::uint32_t stage = record.span(1, "handler", 110, 800);
  for (int i = 0; i < 12; ++i) {
    record.statement(
        {.text = "select * from t" + std::to_string(i) + " where note = '" + std::string(150, 'x') + "'",
         .from = 120,
         .to = 130,
         .parent = stage});
  }
  record.statement({.text = "insert into t values (1)",
                    .from = 1,
                    .to = 2,
                    .failed = true,
                    .code = "23505",
                    .message = "no"});
  record.call("GET", "http://other.test/x", 200, 300, 200, stage);
  record.error({.message = std::string(500, 'm'), .frames = {1, 2, 3}});
  record.text(EntryKind::kMessage, "hello", 2).text(EntryKind::kContentType, "text/html");
  record.panel(2, "panel", 2, {"a", "b", "c", "d"});
  record.header(0, "Accept", "*/*").header(1, "Server", "shop");
}

std::vector<EntryKind> kinds_of(const std::vector<char>& log) {
  std::vector<EntryKind> kinds;
  for_each_entry(log, [&](const hooks::Entry& entry) { kinds.push_back(entry.kind); });
  return kinds;
}

// Turns every string of every entry into a sum, so that a checked read touches all that the walk says is
// there.
std::uint64_t read_everything(const std::vector<char>& log) {
  std::uint64_t sum = 0;
  for_each_entry(log, [&](const hooks::Entry& entry) {
    const char* bytes = reinterpret_cast<const char*>(&entry);
    for (std::size_t i = 0; i < entry.size; ++i) sum += static_cast<unsigned char>(bytes[i]);
    if (entry.kind != EntryKind::kError) return;
    const ErrorView error = view(as<hooks::ErrorEntry>(entry));
    sum += error.type.size() + error.message.size() + error.code.size();
    for (std::uint32_t i = 0; i < error.frame_count; ++i) sum += error.frame(i);
  });
  return sum;
}

}  // namespace

TEST_CASE("A record over several blocks is read as one log, in the order of its entries") {
  TestCore core;
  RecordBuilder record(core);
  fill(record);
  REQUIRE(record.head().blocks > 1);
  bool sound = false;
  const std::vector<char> log = log_of(core, record.index(), sound);
  CHECK(sound);
  std::vector<EntryKind> wanted{EntryKind::kBegin, EntryKind::kRoute, EntryKind::kSpan};
  for (int i = 0; i < 13; ++i) wanted.push_back(EntryKind::kStatement);
  wanted.push_back(EntryKind::kStatementError);
  for (const EntryKind kind :
       {EntryKind::kCall, EntryKind::kError, EntryKind::kMessage, EntryKind::kContentType, EntryKind::kPanel,
        EntryKind::kPanelCell, EntryKind::kPanelCell, EntryKind::kPanelCell, EntryKind::kPanelCell,
        EntryKind::kHeader, EntryKind::kHeader}) {
    wanted.push_back(kind);
  }
  CHECK(kinds_of(log) == wanted);
}

TEST_CASE("An entry whose size, kind or strings make no sense ends the walk") {
  TestCore core;
  RecordBuilder record(core);
  record.text(EntryKind::kMessage, "one").text(EntryKind::kMessage, "two").text(EntryKind::kMessage, "three");
  bool sound = false;
  const std::vector<char> log = log_of(core, record.index(), sound);
  REQUIRE(kinds_of(log).size() == 4);
  const std::size_t first = reinterpret_cast<const hooks::Entry*>(log.data())->size;
  const std::size_t second = first + reinterpret_cast<const hooks::Entry*>(log.data() + first)->size;

  const auto entries_with = [&](auto change) {
    std::vector<char> damaged = log;
    change(*reinterpret_cast<hooks::TextEntry*>(damaged.data() + second));
    bool walked = for_each_entry(damaged, [](const hooks::Entry&) {});
    return walked ? std::size_t{99} : kinds_of(damaged).size();
  };
  CHECK(entries_with([](auto& entry) { entry.size = 0; }) == 2);
  CHECK(entries_with([](auto& entry) { entry.size = 16; }) == 2);
  CHECK(entries_with([](auto& entry) { entry.size = 33; }) == 2);
  CHECK(entries_with([](auto& entry) { entry.size = 0xFFF0; }) == 2);
  CHECK(entries_with([](auto& entry) { entry.text_size = 500; }) == 2);
  CHECK(entries_with([](auto& entry) { entry.kind = EntryKind::kNone; }) == 2);
  CHECK(entries_with([](auto& entry) { entry.kind = static_cast<EntryKind>(200); }) == 2);
  CHECK(entries_with([](auto& entry) { entry.kind = EntryKind::kStatement; }) == 2);
}

TEST_CASE("A damaged chain of blocks is noticed and what was sound is kept") {
  TestCore core;
  RecordBuilder record(core);
  fill(record);
  hooks::BlockHead& head = record.head().block;
  const std::uint32_t next = head.next;
  bool sound = true;

  head.next = 0xFFFFFF;
  CHECK_FALSE((log_of(core, record.index(), sound), sound));
  head.next = record.index();  // a loop
  CHECK_FALSE((log_of(core, record.index(), sound), sound));
  head.next = RecordBuilder(core).index();  // another record's
  CHECK_FALSE((log_of(core, record.index(), sound), sound));
  head.next = next;
  head.used = 5;
  CHECK(log_of(core, record.index(), sound).empty());
  CHECK_FALSE(sound);
  head.used = 0xFFFF;
  CHECK_FALSE((log_of(core, record.index(), sound), sound));
  CHECK_FALSE((log_of(core, 0xFFFFFFF0, sound), sound));
}

TEST_CASE("The copy of a record holds its target with the secrets masked, whether it grows or shrinks") {
  const std::pair<std::string, std::string> targets[] = {
      {"/login?user=ann&password=x&page=2", "/login?user=ann&password=***&page=2"},
      {"/login?password=" + std::string(300, 'x') + "&page=2", "/login?password=***&page=2"},
      {"/plain?page=2", "/plain?page=2"}};
  for (const auto& [given, kept] : targets) {
    TestCore core;
    RecordBuilder record(core);
    record.request("POST", given).begin("shop.test", "10.0.0.9", "HTTP/2").route("/login");
    bool sound = false;
    const std::vector<char> log = log_of(core, record.index(), sound);
    CHECK(sound);
    CHECK(kinds_of(log) == std::vector{EntryKind::kBegin, EntryKind::kRoute});
    const BeginView begin = view(*reinterpret_cast<const hooks::BeginEntry*>(log.data()));
    CHECK(begin.method == "POST");
    CHECK(begin.target == kept);
    CHECK(begin.host == "shop.test");
    CHECK(begin.peer == "10.0.0.9");
    CHECK(begin.protocol == "HTTP/2");
    CHECK(std::string_view(log.data(), log.size()).find(std::string(100, 'x')) == std::string_view::npos);
  }
}

TEST_CASE("Random damage to the bytes of a record is never read past and never thrown for") {
  std::mt19937 random(11);
  TestCore core;
  Aggregate aggregate(*core, Settings{}, nullptr);
  std::uint64_t sum = 0;
  for (int round = 0; round < 400; ++round) {
    RecordBuilder record(core, round % 3 == 1   ? BlockUse::kTask
                               : round % 3 == 2 ? BlockUse::kEvent
                                                : BlockUse::kRequest);
    fill(record);
    record.parent(static_cast<std::uint64_t>(random() % 3), 50);
    for (std::uint32_t index = record.index(); index != hooks::kNoBlock;
         index = core->pool()[index].head.block.next) {
      auto* bytes = reinterpret_cast<unsigned char*>(&core->pool()[index]);
      const std::size_t begin =
          index == record.index() ? sizeof(hooks::BlockHead) : hooks::kContinuationStart;
      for (std::size_t flips = random() % 12; flips > 0; --flips) {
        bytes[begin + random() % (hooks::kBlockBytes - begin)] ^=
            static_cast<unsigned char>(1U << (random() % 8));
      }
    }
    bool sound = false;
    sum += read_everything(log_of(core, record.index(), sound));
    aggregate.take(record.block(), moment(1000));
    for (const auto& detail : aggregate.history().list()) sum += detail->spans.size();
    hooks::give_record(*core, record.index());
    core->known_texts.clear();
  }
  CHECK(sum > 0);
  CHECK(aggregate.shortfalls().damaged > 0);
}
