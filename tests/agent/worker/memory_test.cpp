// How the worker behaves when memory is counted and refused: the global operator new is replaced here.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <new>
#include <string>

#include "agent/worker/drain.hpp"
#include "tests/agent/worker/record_builder.hpp"

namespace {

long g_allocations = 0;
long g_refuse_in = -1;  // the n-th allocation from now is refused; below 0: none

void* allocate(std::size_t size) {
  ++g_allocations;
  if (g_refuse_in >= 0 && g_refuse_in-- == 0) throw std::bad_alloc();
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) {
  return allocate(size);
}
void* operator new[](std::size_t size) {
  return allocate(size);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return allocate(size);
  } catch (...) {
    return nullptr;
  }
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}

using namespace inlens;
using namespace inlens::worker;

namespace {

constexpr std::uint64_t kStart = 100 * kSecond;

void push(TestCore& core, std::uint64_t id, bool interesting) {
  RecordBuilder record(core);
  record.id(id).times(kStart, kStart + kMs).request("GET", "/orders/17?x=1", interesting ? 500 : 200).begin();
  if (id % 2 == 0) record.route("/orders/{id}");
  const std::string tables[] = {"a", "b", "c", "d", "e"};
  for (const std::string& table : tables)
    record.statement({.text = "select * from " + table, .from = 1, .to = 9});
  if (interesting) {
    record.error({.message = "order not found, and this message is longer than a small string"});
    record.statement({.text = "insert into t values (1)",
                      .from = 1,
                      .to = 2,
                      .failed = true,
                      .code = "5",
                      .message = "x"});
  }
  record.push();
}

}  // namespace

TEST_CASE("Taking in a record like those before allocates nothing") {
  TestCore core;
  Drain drain(*core, Settings{}, nullptr, moment(kStart));
  for (std::uint64_t id = 1; id <= 1000; ++id) {
    push(core, id, false);
    drain.take_batch(moment(kStart + kSecond));
  }
  for (std::uint64_t id = 1; id <= 200; ++id) push(core, id, false);
  g_allocations = 0;
  const std::size_t taken = drain.take_batch(moment(kStart + kSecond));
  drain.keep_house(moment(kStart + kSecond));
  const long allocations = g_allocations;
  CHECK(taken == 200);
  CHECK(allocations == 0);
}

TEST_CASE(
    "When memory is refused anywhere, the record is counted lost and given back, and the next one is taken") {
  for (long n = 0; n < 120; ++n) {
    TestCore core;
    Drain drain(*core, Settings{}, nullptr, moment(kStart));
    for (std::uint64_t id = 1; id <= 3; ++id) push(core, id, true);
    g_refuse_in = n;
    const std::size_t taken = drain.take_batch(moment(kStart + kSecond));
    const bool refused = g_refuse_in < 0;
    g_refuse_in = -1;
    REQUIRE(taken == 3);
    REQUIRE(core.blocks_out() == 0);
    REQUIRE(drain.own_figures().not_kept <= 1);
    REQUIRE((refused || drain.own_figures().not_kept == 0));

    push(core, 4, true);
    REQUIRE(drain.take_batch(moment(kStart + kSecond)) == 1);
    const auto snapshot = drain.snapshot(moment(kStart + kSecond));
    REQUIRE(snapshot->requests.front()->id.low == 4);
    REQUIRE(snapshot->requests_seen == 4);
    REQUIRE(snapshot->guard.seen == snapshot->guard.counted + snapshot->guard.dropped);
    REQUIRE(drain.figures().lost.record_full == drain.own_figures().not_kept);
  }
}
