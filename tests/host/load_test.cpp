// A host that loads the library at run time, closes it and loads it again.
#include <pthread.h>

#include <barrier>
#include <catch2/catch.hpp>
#include <thread>
#include <vector>

#include "tests/host/loaded_library.hpp"
#include "tests/host/process.hpp"
#include "tests/host/sanitized.hpp"

using host_test::LoadedLibrary;

namespace {

constexpr int kThreads = 3;

// How many thread keys the process could still have.
std::size_t free_keys() {
  std::vector<pthread_key_t> taken;
  for (pthread_key_t key; pthread_key_create(&key, nullptr) == 0;) taken.push_back(key);
  for (const pthread_key_t key : taken) pthread_key_delete(key);
  return taken.size();
}

void wait_for_agent_threads() {
  while (host_test::agent_threads() > 0) std::this_thread::yield();
}

}  // namespace

TEST_CASE("The library is opened, used and closed a hundred times, and threads that used it end afterwards") {
  for (int round = 0; round < 100; ++round) {
    LoadedLibrary library;
    REQUIRE(library);
    REQUIRE(library.start_on_any_port() == INLENS_OK);
    std::barrier meeting(kThreads + 1);
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        for (int request = 0; request < 20; ++request) library.make_request();
        meeting.arrive_and_wait();  // the requests are made
        meeting.arrive_and_wait();  // the library is closed
      });
    }
    meeting.arrive_and_wait();
    REQUIRE(library.figures().requests == kThreads * 20);
    REQUIRE(library.stopped());
    library.close();
    meeting.arrive_and_wait();
    for (std::thread& thread : threads) thread.join();
  }
}

TEST_CASE("A library that is closed while it runs goes on, and whoever opens it again finds it running") {
  LoadedLibrary first;
  REQUIRE(first.start_on_any_port() == INLENS_OK);
  first.make_request();
  first.close();
  first.make_request();
  LoadedLibrary second;
  REQUIRE(second);
  CHECK(second.start_on_any_port() == INLENS_ALREADY);
  CHECK(second.figures().requests == 2);
  CHECK(second.stopped());
}

TEST_CASE(
    "Opening, starting, stopping and closing it 1,100 times takes no key, descriptor, thread or memory") {
  const auto once = [] {
    LoadedLibrary library;
    if (!library || library.start_on_any_port() != INLENS_OK) return false;
    library.make_request();
    return library.stopped();
  };
  REQUIRE(once());
  wait_for_agent_threads();
  const std::size_t keys = free_keys();
  const std::size_t descriptors = host_test::open_descriptors();
  const int rounds = host_test::kSanitized ? 100 : 1100;
  std::size_t memory = 0;
  for (int round = 0; round < rounds; ++round) {
    REQUIRE(once());
    if (round == rounds / 10) memory = host_test::resident_bytes();
  }
  CHECK(free_keys() == keys);
  wait_for_agent_threads();
  CHECK(host_test::open_descriptors() == descriptors);
  if (!host_test::kSanitized) CHECK(host_test::resident_bytes() < memory + (std::size_t{4} << 20));
}
