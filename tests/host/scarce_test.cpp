// A host that has used up what all libraries of a process share, before it loads this one.
#include <dlfcn.h>
#include <pthread.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "tests/host/loaded_library.hpp"

using host_test::LoadedLibrary;

namespace {

namespace fs = std::filesystem;

std::vector<pthread_key_t> take_all_keys() {
  std::vector<pthread_key_t> keys;
  for (pthread_key_t key; pthread_key_create(&key, nullptr) == 0;) keys.push_back(key);
  return keys;
}

// Loads copies of a library with static thread-local storage until there is no room for one more.
int take_all_static_tls() {
  std::string directory = (fs::temp_directory_path() / "inlens-tls-XXXXXX").string();
  if (::mkdtemp(directory.data()) == nullptr) return 0;
  int loaded = 0;
  for (; loaded < 500; ++loaded) {
    const fs::path copy = fs::path(directory) / (std::to_string(loaded) + ".so");
    fs::copy_file(STATIC_TLS_LIBRARY, copy);
    if (::dlopen(copy.c_str(), RTLD_NOW) == nullptr) break;
  }
  fs::remove_all(directory);
  return loaded;
}

}  // namespace

TEST_CASE("Where thread keys and static TLS are used up the library still loads, and the host goes on") {
  const int tls_libraries = take_all_static_tls();
  CHECK(tls_libraries > 0);
  CHECK(tls_libraries < 500);
  const std::vector<pthread_key_t> keys = take_all_keys();
  LoadedLibrary library;
  REQUIRE(library);
  CHECK(library.start_on_any_port() == INLENS_E_RESOURCES);
  CHECK_FALSE(library.figures().running);
  library.make_request();
  CHECK(library.stop() == INLENS_ALREADY);

  for (const pthread_key_t key : keys) pthread_key_delete(key);
  REQUIRE(library.start_on_any_port() == INLENS_OK);
  library.make_request();
  CHECK(library.figures().requests == 1);
  CHECK(library.stopped());
}
