#include "agent/platform/symbols.hpp"

#include <catch2/catch.hpp>
#include <thread>

using inlens::Symbol;
using inlens::Symbols;

namespace {

[[gnu::noinline]] std::uint64_t where_am_i() {
  return reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
}

const Symbol* await(Symbols& symbols, std::uint64_t address) {
  const Symbol* found = nullptr;
  while ((found = symbols.find(address)) == nullptr && Symbols::problem().empty()) std::this_thread::yield();
  return found;
}

}  // namespace

TEST_CASE("A return address of this program has function, file and line") {
  Symbols symbols;
  const std::uint64_t address = where_am_i();
  const int line = __LINE__ - 1;
  const Symbol* symbol = await(symbols, address);
  REQUIRE(symbol != nullptr);
  CHECK(symbol->file == "symbols_test.cpp");
  CHECK(symbol->line == line);
  CHECK_FALSE(symbol->function.empty());
  CHECK(symbols.answers() == 1);
}

TEST_CASE("An address of no code is answered, and with nothing") {
  Symbols symbols;
  const Symbol* symbol = await(symbols, 17);
  REQUIRE(symbol != nullptr);
  CHECK(symbol->function.empty());
  CHECK(symbol->file.empty());
}

TEST_CASE("Symbols may go while a look-up is under way") {
  for (int i = 0; i < 20; ++i) {
    Symbols symbols;
    symbols.find(where_am_i() + static_cast<std::uint64_t>(i));
  }
}
