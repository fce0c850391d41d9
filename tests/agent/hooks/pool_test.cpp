#include "agent/hooks/pool.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <thread>
#include <vector>

using namespace inlens::hooks;

namespace {

std::vector<std::uint32_t> take_all(Pool& pool) {
  std::vector<std::uint32_t> blocks;
  for (std::uint32_t taken = 0;;) {
    std::uint32_t index = pool.take(taken);
    if (index == kNoBlock) return blocks;
    for (; index != kNoBlock; index = pool[index].head.block.next_free.load()) blocks.push_back(index);
  }
}

}  // namespace

TEST_CASE("A pool gives each block once and then refuses") {
  Pool pool(kBlockBytes * 100, 2);
  REQUIRE(pool.capacity() == 100);
  const auto blocks = take_all(pool);
  CHECK(blocks.size() == 100);
  CHECK(std::set<std::uint32_t>(blocks.begin(), blocks.end()).size() == 100);
}

TEST_CASE("Blocks given back are given out again") {
  Pool pool(kBlockBytes * 70, 2);
  for (int round = 0; round < 50; ++round) {
    const auto blocks = take_all(pool);
    REQUIRE(blocks.size() == 70);
    // In one chain, and in many.
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const bool is_chained = round % 2 == 0 && i + 1 < blocks.size();
      pool[blocks[i]].head.block.next_free = is_chained ? blocks[i + 1] : kNoBlock;
      if (round % 2 != 0) pool.give(blocks[i]);
    }
    if (round % 2 == 0) pool.give(blocks[0]);
  }
}

TEST_CASE("A pool too large for the machine's address space is refused, not fatal") {
  Pool pool(std::size_t{1} << 62, 2);
  CHECK((!pool.valid() || pool.capacity() == (1U << 24) - 1));
}

TEST_CASE("No block is lost or given twice when threads take and give at once") {
  Pool pool(kBlockBytes * 512, 2);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&pool] {
      for (int i = 0; i < 20'000; ++i) {
        std::uint32_t taken = 0;
        const std::uint32_t first = pool.take(taken);
        if (first == kNoBlock) continue;
        // Back in two chains.
        const std::uint32_t second = pool[first].head.block.next_free.exchange(kNoBlock);
        pool.give(second);
        pool.give(first);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  const auto blocks = take_all(pool);
  CHECK(blocks.size() == 512);
  CHECK(std::set<std::uint32_t>(blocks.begin(), blocks.end()).size() == 512);
}
