#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "console/bar/injector.hpp"

using namespace inlens::bar;

namespace {

constexpr std::string_view kFragment = "<script></script>";

// Takes everything, but throws after the piece of that number.
struct Client {
  std::string received;
  int pieces = 0;
  int throws_at = 0;
  static void take(void* self, const char* data, std::size_t size, Piece) {
    auto& client = *static_cast<Client*>(self);
    client.received.append(data, size);
    if (++client.pieces == client.throws_at) throw client.pieces;
  }
};

void write(Injector& injector, Client& client, std::string_view data) {
  try {
    injector.write(data, &Client::take, &client);
  } catch (int) {
  }
}

}  // namespace

TEST_CASE("A sink that throws at any piece loses and doubles no byte of what follows") {
  const std::string_view parts[] = {"<!doctype html><body>a</bo", "dy><!-- b -->", "</html> ", "c<p>d</body>",
                                    "</html>"};
  std::string whole;
  for (const std::string_view part : parts) whole += part;
  for (int throws_at = 1; throws_at <= 12; ++throws_at) {
    Injector injector(kFragment);
    Client client;
    client.throws_at = throws_at;
    for (const std::string_view part : parts) write(injector, client, part);
    try {
      injector.finish(&Client::take, &client);
    } catch (int) {
      continue;  // a page given up at its very end
    }
    std::string without = client.received;
    const std::size_t at = without.find(kFragment);
    if (at != std::string::npos) without.erase(at, kFragment.size());
    // A piece that was refused half-way counts as passed, so only a second piece of the same write may be
    // missing.
    CHECK(without.size() <= whole.size());
    CHECK(without.substr(0, 21) == whole.substr(0, 21));
    CHECK(without.substr(without.size() - 14) == "</body></html>");
  }
}
