#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <thread>

#include "agent/hooks/handle.hpp"
#include "agent/hooks/in_flight.hpp"
#include "tests/agent/hooks/fixture.hpp"

using namespace inlens;
using namespace inlens::hooks;

TEST_CASE("A request is pushed exactly once, at its end") {
  Fixture f;
  const auto request = begin_request(f.core(), kLight, get("/"));
  REQUIRE(request != 0);
  CHECK(f.drain().empty());
  end_request(f.core(), request, ok());
  CHECK(f.drain().size() == 1);
  CHECK(f.totals().ended() == 1);
  CHECK(f.totals().status_classes[2].get() == 1);
}

TEST_CASE("A second end of a request is counted as unpaired and changes no total") {
  Fixture f;
  const auto request = begin_request(f.core(), kLight, get("/"));
  end_request(f.core(), request, ok());
  end_request(f.core(), request, ok());
  CHECK(f.drain().size() == 1);
  CHECK(f.totals().ended() == 1);
  CHECK(f.lost(LossReason::kUnpaired) == 1);
}

TEST_CASE("A handle of an earlier request does not reach the record that was re-used") {
  Fixture f;
  const auto stale = begin_request(f.core(), kLight, get("/old"));
  end_request(f.core(), stale, ok());
  for (const auto record : f.drain()) give_record(f.core(), record);
  std::vector<std::uint64_t> open;
  for (int i = 0; i < 100; ++i) open.push_back(begin_request(f.core(), kLight, get("/new")));
  set_route(f.core(), stale, "/wrong");
  end_request(f.core(), stale, ok());
  for (const auto request : open) end_request(f.core(), request, ok());
  CHECK(f.lost(LossReason::kUnpaired) == 2);
  for (const auto record : f.drain()) CHECK(f.entries<TextEntry>(record, EntryKind::kRoute).empty());
}

TEST_CASE("Arbitrary numbers as handles do nothing") {
  Fixture f;
  begin_request(f.core(), kLight, get("/"));
  std::uint64_t number = 88172645463325252U;
  for (int i = 0; i < 100'000; ++i) {
    number ^= number << 13;
    number ^= number >> 7;
    number ^= number << 17;
    end_request(f.core(), number & ~(std::uint64_t{3} << 56), ok());
    end_span(f.core(), number);
    end_statement(f.core(), number, {});
    end_call(f.core(), number, {});
    end_task(f.core(), number);
    set_route(f.core(), number, "/x");
    add_message(f.core(), number, 1, "x");
  }
  CHECK(f.drain().empty());
}

TEST_CASE("When the pool is empty a request is still counted and timed, and its detail is counted as lost") {
  Fixture f(kBlockBytes * 4);
  std::vector<std::uint64_t> requests;
  for (int i = 0; i < 10; ++i) requests.push_back(begin_request(f.core(), kLight, get("/")));
  for (const auto request : requests) {
    REQUIRE(request != 0);
    end_request(f.core(), request, ok());
  }
  CHECK(f.totals().begun.get() == 10);
  CHECK(f.totals().ended() == 10);
  CHECK(f.lost(LossReason::kPoolEmpty) == 6);
  CHECK(f.drain().size() == 4);
  std::uint64_t timed = 0;
  for (const auto& bucket : f.totals().latency) timed += bucket.get();
  CHECK(timed == 10);
}

TEST_CASE("Records come back to use after the worker gave them back") {
  Fixture f(kBlockBytes * 4);
  for (int round = 0; round < 100; ++round) {
    std::vector<std::uint64_t> requests;
    for (int i = 0; i < 4; ++i) requests.push_back(begin_request(f.core(), kLight, get("/")));
    for (const auto request : requests) end_request(f.core(), request, ok());
    for (const auto record : f.drain()) give_record(f.core(), record);
  }
  CHECK(f.lost(LossReason::kPoolEmpty) == 0);
}

TEST_CASE("The current request is the attached one and nests") {
  Fixture f;
  CHECK(current(f.core()) == 0);
  const auto outer = begin_request(f.core(), kLight, get("/"));
  const auto inner = begin_request(f.core(), kLight, get("/part"));
  const auto before_outer = attach(f.core(), outer);
  CHECK(current(f.core()) == outer);
  const auto before_inner = attach(f.core(), inner);
  CHECK(current(f.core()) == inner);
  detach(f.core(), before_inner);
  CHECK(current(f.core()) == outer);
  detach(f.core(), before_outer);
  CHECK(current(f.core()) == 0);
  end_request(f.core(), inner, ok());
  end_request(f.core(), outer, ok());
}

TEST_CASE("An ended request is no longer the current one") {
  Fixture f;
  const auto request = begin_request(f.core(), kLight, get("/"));
  attach(f.core(), request);
  end_request(f.core(), request, ok());
  CHECK(current(f.core()) == 0);
}

TEST_CASE("Ids are 32 hexadecimal digits and differ") {
  Fixture f;
  std::set<std::string> ids;
  for (int i = 0; i < 1000; ++i) {
    const auto request = begin_request(f.core(), kLight, get("/"));
    char id[33];
    REQUIRE(write_id(f.core(), request, id));
    const std::string text(id);
    CHECK(text.size() == 32);
    CHECK(text.find_first_not_of("0123456789abcdef") == std::string::npos);
    ids.insert(text);
    end_request(f.core(), request, ok());
  }
  CHECK(ids.size() == 1000);
}

TEST_CASE("A request may begin on one thread and end on another") {
  Fixture f;
  std::uint64_t request = begin_request(f.core(), kLight, get("/"));
  std::thread([&] { end_request(f.core(), request, ok()); }).join();
  CHECK(f.drain().size() == 1);
  std::uint64_t ended = 0;
  for (std::uint32_t n = 1; n <= f.core().thread_count(); ++n) ended += f.core().thread(n)->totals.ended();
  CHECK(ended == 1);
}

TEST_CASE("Of two threads that end the same request one wins") {
  Fixture f;
  for (int round = 0; round < 500; ++round) {
    const auto request = begin_request(f.core(), kLight, get("/"));
    std::thread other([&] { end_request(f.core(), request, ok()); });
    end_request(f.core(), request, ok());
    other.join();
  }
  CHECK(f.drain().size() == 500);
}

TEST_CASE("Totals over many threads are exact while a worker takes the records away") {
  Fixture f(kBlockBytes * 256);
  constexpr int threads = 4;
  constexpr int per_thread = 20'000;
  std::atomic<bool> done{false};
  std::uint64_t drained = 0;
  std::thread worker([&] {
    for (bool last = false; !last;) {
      last = done.load();
      for (const auto record : f.drain()) {
        give_record(f.core(), record);
        ++drained;
      }
      reclaim_returned(f.core());
    }
  });
  std::vector<std::thread> hosts;
  for (int t = 0; t < threads; ++t) {
    hosts.emplace_back([&] {
      for (int i = 0; i < per_thread; ++i) {
        const auto request = begin_request(f.core(), kLight, get("/products/1"));
        const auto running_one = begin_statement(f.core(), kLight, request, statement("select 1"));
        end_statement(f.core(), running_one, {});
        end_request(f.core(), request, ok());
      }
    });
  }
  for (auto& host : hosts) host.join();
  done = true;
  worker.join();
  std::uint64_t ended = 0, statements = 0, lost = 0;
  for (std::uint32_t n = 1; n <= f.core().thread_count(); ++n) {
    const ThreadTotals& totals = f.core().thread(n)->totals;
    ended += totals.ended();
    statements += totals.statements.get();
    lost += totals.lost_by_kind[static_cast<std::size_t>(LossKind::kRequests)].get();
  }
  CHECK(ended == threads * per_thread);
  CHECK(statements == threads * per_thread);
  CHECK(drained + lost == threads * per_thread);
}

TEST_CASE("States of ended threads are taken over by new ones") {
  Fixture f;
  for (int i = 0; i < 200; ++i) {
    std::thread([&] { end_request(f.core(), begin_request(f.core(), kLight, get("/")), ok()); }).join();
  }
  CHECK(f.core().thread_count() <= 2);
  CHECK(f.drain().size() == 200);
}

TEST_CASE("Secrets in the target of a running request are masked") {
  Fixture f;
  const auto request = begin_request(f.core(), kLight, get("/login?user=ann&password=hunter2&api_key=XYZ"));
  const auto running = running_records(f.core());
  REQUIRE(running.size() == 1);
  CHECK(running[0].target == "/login?user=ann&password=***&api_key=***");
  end_request(f.core(), request, ok());
}

TEST_CASE("Targets of every length keep their bytes, up to what a block holds") {
  Fixture f;
  for (std::size_t size = 1; size < 2500; size += size < 300 ? 1 : 37) {
    std::string target = "/";
    while (target.size() < size)
      target += target.size() % 10 == 9 ? '/' : static_cast<char>('a' + target.size() % 26);
    end_request(f.core(), begin_request(f.core(), kLight, get(target)), ok());
    const auto records = f.drain();
    REQUIRE(records.size() == 1);
    const auto* begin = f.entries<BeginEntry>(records[0], EntryKind::kBegin).at(0);
    const bool whole = begin->target_size == size;
    CHECK((whole || size > 1500));
    CHECK(f.core().pool()[records[0]].head.counters.strings_cut == (whole ? 0 : 1));
    CHECK(Fixture::text(begin, begin->method_size, begin->target_size) ==
          target.substr(0, begin->target_size));
    give_record(f.core(), records[0]);
  }
}

TEST_CASE("Strings beyond their limits are cut, each for itself, and fit the first block") {
  Fixture f;
  const std::string endless(100'000, 'x');
  inlens_request_info info{};
  info.method = info.target = info.host = info.peer = info.protocol = info.traceparent = str(endless);
  end_request(f.core(), begin_request(f.core(), kLight, info), ok());
  const auto record = f.drain().at(0);
  CHECK(f.core().pool()[record].head.counters.strings_cut == 6);
  CHECK(f.core().pool()[record].head.block.used <= kBlockBytes);
  CHECK(f.entries<BeginEntry>(record, EntryKind::kBegin).at(0)->host_size == 255);
}

TEST_CASE("A string whose pointer is NULL is none, whatever its size says") {
  Fixture f;
  inlens_request_info info{};
  info.target = {nullptr, 77};
  end_request(f.core(), begin_request(f.core(), kLight, info), ok());
  CHECK(f.entries<BeginEntry>(f.drain().at(0), EntryKind::kBegin).at(0)->target_size == 0);
}

TEST_CASE("A running request is seen with its route and counters, an ended one is not") {
  Fixture f;
  const auto request = begin_request(f.core(), kLight, get("/orders/7"));
  set_route(f.core(), request, "/orders/{id}");
  const auto running_one = begin_statement(f.core(), kLight, request, statement("select 1"));
  auto running = running_records(f.core());
  REQUIRE(running.size() == 1);
  CHECK(running[0].statements == 1);
  CHECK(running[0].activity == EntryKind::kStatement);
  CHECK(running[0].route == "/orders/{id}");
  end_statement(f.core(), running_one, {});
  running = running_records(f.core());
  CHECK(running[0].activity == EntryKind::kNone);
  end_request(f.core(), request, ok());
  CHECK(running_records(f.core()).empty());
}

TEST_CASE("Looking at running requests while they come and go gives consistent records only") {
  Fixture f;
  std::atomic<bool> done{false};
  std::thread host([&] {
    for (int i = 0; !done; ++i) {
      // Method and target agree in every request.
      const bool a = i % 2 == 0;
      inlens_request_info info =
          get(a ? "/aaaaaaaaaaaaaaaaaaaaaa/aaaaaaaaaaaa/aaaaaaaaaa" : "/bbbbbbbbbbbbbbbbbbbbbb/bbbbbbbbbbbb");
      info.method = str(a ? "AAAA" : "BBBB");
      end_request(f.core(), begin_request(f.core(), kLight, info), ok());
      for (const auto record : f.drain()) give_record(f.core(), record);
    }
  });
  int seen = 0;
  while (seen < 1000) {
    for (const RunningRecord& record : running_records(f.core())) {
      ++seen;
      REQUIRE((record.method == "AAAA" || record.method == "BBBB"));
      REQUIRE(record.target.find(record.method == "AAAA" ? 'b' : 'a') == std::string::npos);
    }
  }
  done = true;
  host.join();
}

TEST_CASE("A task has a record of its own that names its request") {
  Fixture f;
  const auto request = begin_request(f.core(), kLight, get("/"));
  std::uint64_t task = 0;
  std::thread([&] {
    task = begin_task(f.core(), request, "resize");
    attach(f.core(), task);
    CHECK(current(f.core()) == task);
    end_task(f.core(), task);
  }).join();
  char request_id[33];
  REQUIRE(write_id(f.core(), request, request_id));
  end_request(f.core(), request, ok());
  const auto records = f.drain();
  REQUIRE(records.size() == 2);
  const auto is_task = [&](std::uint32_t r) {
    return f.core().pool()[r].head.block.use.load() == BlockUse::kTask;
  };
  const auto found = std::find_if(records.begin(), records.end(), is_task);
  REQUIRE(found != records.end());
  const auto other = records[0] == *found ? records[1] : records[0];
  CHECK(f.core().pool()[*found].head.parent_high == f.core().pool()[other].head.id_high);
  CHECK(f.core().pool()[*found].head.parent_low == f.core().pool()[other].head.id_low);
  const auto* begin = f.entries<BeginEntry>(*found, EntryKind::kBegin).at(0);
  CHECK(Fixture::text(begin, begin->method_size, begin->target_size) == "resize");
}

TEST_CASE("Processor time is counted while attached at level full") {
  Fixture f;
  const auto request = begin_request(f.core(), kFullLevel, get("/"));
  const auto previous = attach(f.core(), request);
  volatile std::uint64_t sum = 0;
  const std::uint64_t begin = thread_cpu_ns();
  while (thread_cpu_ns() - begin < 2'000'000) sum = sum + 1;
  detach(f.core(), previous);
  end_request(f.core(), request, ok());
  const RecordHead& head = f.core().pool()[f.drain().at(0)].head;
  CHECK((head.flags & kFlagCpuTimed) != 0);
  CHECK(head.cpu_ns >= 2'000'000);
}

TEST_CASE("An id is written as the hexadecimal digits of its two words, most significant first") {
  Fixture f;
  const auto request = begin_request(f.core(), kLight, get("/"));
  RecordHead& head = f.core().pool()[index_of(request)].head;
  head.id_high = 0x0123456789abcdef;
  head.id_low = 0xfedcba9876543210;
  char id[33];
  REQUIRE(write_id(f.core(), request, id));
  CHECK(std::string(id) == "0123456789abcdeffedcba9876543210");
  end_request(f.core(), request, ok());
}
