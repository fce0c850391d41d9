#include "agent/worker/fingerprint.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <fstream>
#include <string>
#include <typeinfo>
#include <vector>

#include "tests/agent/worker/record_builder.hpp"

using namespace inlens;
using namespace inlens::worker;

namespace {

// A maps file of the test's own: an executable with a library, and the C runtime.
class MapsFile {
 public:
  explicit MapsFile(std::uint64_t app_base) : path_("inlens_maps_" + std::to_string(getpid())) {
    write(app_base);
  }
  ~MapsFile() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

  void write(std::uint64_t app_base) {
    std::ofstream file(path_);
    const auto line = [&](std::uint64_t begin, std::uint64_t size, const char* access, std::uint64_t offset,
                          const char* name) {
      char text[200];
      std::snprintf(text, sizeof(text), "%lx-%lx %s %08lx 08:01 123    %s\n", begin, begin + size, access,
                    offset, name);
      file << text;
    };
    line(app_base, 0x1000, "r--p", 0, "/opt/shop/my server");
    line(app_base + 0x1000, 0x4000, "r-xp", 0x1000, "/opt/shop/my server");
    line(app_base + 0x100000, 0x1000, "rw-p", 0, "[heap]");
    line(0x7f0000000000, 0x1000, "r--p", 0, "/usr/lib/libc.so.6");
    line(0x7f0000001000, 0x9000, "r-xp", 0x1000, "/usr/lib/libc.so.6");
    line(0x7f0000100000, 0x5000, "r-xp", 0, "/opt/shop/libshop.so");
    line(0x7f0000200000, 0x5000, "r-xp", 0, "");
  }

 private:
  std::string path_;
};

constexpr std::uint64_t kApp = 0x555500000000;

struct Frames {
  std::vector<std::uint64_t> addresses;

  ErrorView error(std::string_view type = "Error", std::string_view message = "m") const {
    ErrorView view;
    view.type = type;
    view.message = message;
    view.frames = reinterpret_cast<const char*>(addresses.data());
    view.frame_count = static_cast<std::uint32_t>(addresses.size());
    return view;
  }
};

ErrorView plain(std::string_view type, std::string_view message) {
  ErrorView view;
  view.type = type;
  view.message = message;
  return view;
}

}  // namespace

TEST_CASE("Mangled names of types are made readable and plain names stay as they are") {
  CHECK(demangled(typeid(std::runtime_error).name()) == "std::runtime_error");
  CHECK(demangled(typeid(const char*).name()) == "char const*");
  for (const char* name : {"", "shop::NotFound", "NotFound", "TimeoutError", "Status", "ENOENT",
                           "java.io.IOException", "404", "not a name", "N3foo"}) {
    INFO(name);
    CHECK(demangled(name) == name);
  }
  CHECK(demangled(std::string(5000, 'N')).size() == 5000);
}

TEST_CASE("An address is named by its file and the offset in it") {
  const MapsFile maps(kApp);
  Modules modules(maps.path());
  CHECK(modules.describe(kApp + 0x1234, 0) == "my server+0x1234");
  CHECK(modules.describe(0x7f0000100010, 0) == "libshop.so+0x10");
  CHECK(modules.describe(0x7f0000200010, 0) == "0x7f0000200010");
  CHECK(modules.describe(5, 0) == "0x5");
  CHECK(modules.find(0x7f0000100010, 0).in_app);
  CHECK_FALSE(modules.find(0x7f0000001010, 0).in_app);
}

TEST_CASE("The list of files is read again for an unknown address, at most once a second") {
  MapsFile maps(kApp);
  Modules modules(maps.path());
  modules.describe(kApp + 0x1000, 0);
  maps.write(0x10000000);
  CHECK(modules.describe(0x10001234, kSecond / 2) == "0x10001234");
  CHECK(modules.describe(0x10001234, kSecond) == "my server+0x1234");
}

TEST_CASE("Without a list of files addresses stay addresses") {
  Modules modules("/nowhere/maps");
  CHECK(modules.describe(0xABC, 0) == "0xabc");
  Modules real;
  CHECK(real.describe(reinterpret_cast<std::uint64_t>(&demangled), 0).find("unit_worker+0x") == 0);
}

TEST_CASE("An error with frames is grouped by type and frames, whatever its message and route") {
  const MapsFile maps(kApp);
  Modules modules(maps.path());
  Fingerprints fingerprints(modules);
  const Frames frames{{0x7f0000001010, kApp + 0x1100, 0x7f0000100020}};
  const std::uint64_t first = fingerprints.identify(frames.error("E", "a"), "/a", 0).fingerprint;
  const ErrorIdentity& identity = fingerprints.identify(frames.error("E", "b"), "/b", 0);
  CHECK(identity.fingerprint == first);
  CHECK(identity.lines == std::vector<std::string>{"E", "my server+0x1100", "libshop.so+0x20"});
  CHECK(identity.frames ==
        std::vector<std::string>{"libc.so.6+0x1010", "my server+0x1100", "libshop.so+0x20"});
  CHECK(fingerprints.identify(frames.error("F", "a"), "/a", 0).fingerprint != first);
  CHECK(fingerprints.identify(Frames{{kApp + 0x1200}}.error("E", "a"), "/a", 0).fingerprint != first);
}

TEST_CASE("The same place at another load address is the same issue") {
  const Frames here{{kApp + 0x1100}};
  const Frames there{{0x20001100}};
  MapsFile maps(kApp);
  Modules modules(maps.path());
  Fingerprints fingerprints(modules);
  const std::uint64_t first = fingerprints.identify(here.error(), "", 0).fingerprint;
  maps.write(0x20000000);
  CHECK(fingerprints.identify(there.error(), "", 2 * kSecond).fingerprint == first);
}

TEST_CASE("Recursion is folded and at most eight frames count") {
  const MapsFile maps(kApp);
  Modules modules(maps.path());
  Fingerprints fingerprints(modules);
  const std::uint64_t once =
      fingerprints.identify(Frames{{kApp + 0x1100, kApp + 0x1200}}.error(), "", 0).fingerprint;
  const Frames deep{{kApp + 0x1100, kApp + 0x1100, kApp + 0x1200, kApp + 0x1100, kApp + 0x1200}};
  CHECK(fingerprints.identify(deep.error(), "", 0).fingerprint == once);

  Frames many;
  for (std::uint64_t i = 0; i < 12; ++i) many.addresses.push_back(kApp + 0x1100 + i * 16);
  const std::uint64_t eight = fingerprints.identify(many.error(), "", 0).fingerprint;
  many.addresses.back() += 1;
  CHECK(fingerprints.identify(many.error(), "", 0).fingerprint == eight);
  many.addresses[7] += 1;
  CHECK(fingerprints.identify(many.error(), "", 0).fingerprint != eight);
}

TEST_CASE("Without frames of the application the message's template and the route decide") {
  Modules modules("/nowhere/maps");
  Fingerprints fingerprints(modules);
  const ErrorIdentity first = fingerprints.identify(plain("E", "order 17 not found"), "/orders/{id}", 0);
  CHECK(first.title == "order ? not found");
  CHECK(first.lines == std::vector<std::string>{"E", "order ? not found", "/orders/{id}"});
  CHECK(fingerprints.identify(plain("E", "order 18 not found"), "/orders/{id}", 0).fingerprint ==
        first.fingerprint);
  CHECK(fingerprints.identify(plain("E", "order 18 not found"), "/other", 0).fingerprint !=
        first.fingerprint);
  CHECK(fingerprints.identify(plain("E", "no order 18"), "/orders/{id}", 0).fingerprint != first.fingerprint);
  const Frames unknown{{0x123, 0x456}};
  CHECK(fingerprints.identify(unknown.error("E", "order 3 not found"), "/orders/{id}", 0).fingerprint ==
        first.fingerprint);
}

TEST_CASE("A long message gives a title of bounded length that is still UTF-8") {
  Modules modules("/nowhere/maps");
  Fingerprints fingerprints(modules);
  std::string message;
  for (int i = 0; i < 1000; ++i) message += "é";
  const std::string& title = fingerprints.identify(plain("E", message), "", 0).title;
  CHECK(title.size() <= 500);
  CHECK(title.size() % 2 == 0);
}
