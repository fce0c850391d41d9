// A host with functions of the same names as those of libraries inside the agent, given to every library of
// the process. Should the agent ever call one of them, this program ends at once.
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdlib>

#include "tests/host/agent.hpp"
#include "tests/host/console.hpp"

#define INLENS_EXPORTED __attribute__((visibility("default")))

extern "C" {
INLENS_EXPORTED int sodium_init() {
  std::abort();
}
INLENS_EXPORTED void randombytes_buf(void*, std::size_t) {
  std::abort();
}
INLENS_EXPORTED int crypto_generichash(unsigned char*, std::size_t, const unsigned char*, unsigned long long,
                                       const unsigned char*, std::size_t) {
  std::abort();
}
INLENS_EXPORTED int sodium_memcmp(const void*, const void*, std::size_t) {
  std::abort();
}
INLENS_EXPORTED unsigned long long XXH3_64bits(const void*, std::size_t) {
  std::abort();
}
}

// Also a function of the agent itself, as a host has it that was built with a part of its sources.
namespace inlens::hooks {
class Core;
INLENS_EXPORTED void install_core(Core*) noexcept {
  std::abort();
}
}  // namespace inlens::hooks

TEST_CASE("Functions of the host's never take the place of the agent's own") {
  const host_test::Running agent(host_test::settings("full"));
  REQUIRE(agent.status() == INLENS_OK);
  for (int i = 0; i < 100; ++i) host_test::make_request();
  CHECK(host_test::ask(host_test::console_port(), "overview").status == 200);
  CHECK_FALSE(inlens::console_link().empty());
  CHECK(inlens::figures().requests == 100);
}
