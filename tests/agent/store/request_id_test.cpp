#include <catch2/catch.hpp>
#include <string>

#include "agent/store/snapshot.hpp"

using namespace inlens::store;

TEST_CASE("A request id is written as 32 lower-case digits and read back as the same id") {
  const RequestId id{0x0123456789ABCDEF, 0x00000000000000FF};
  CHECK(to_hex(id) == "0123456789abcdef00000000000000ff");
  CHECK(request_id_from_hex(to_hex(id)) == id);
  CHECK(request_id_from_hex(std::string(32, '0')) == RequestId{});
}

TEST_CASE("What is not exactly 32 lower-case hexadecimal digits is no request id") {
  const std::string good(32, 'a');
  CHECK(request_id_from_hex(good).has_value());
  for (const std::string& bad :
       {std::string(), good.substr(1), good + "a", "A" + good.substr(1), good.substr(1) + "g",
        good.substr(1) + " ", "0x" + good.substr(2), good.substr(1) + '\0'}) {
    INFO(bad);
    CHECK_FALSE(request_id_from_hex(bad).has_value());
  }
}
