// A host that loads and unloads many libraries while the agent starts, works, names addresses and stops: no
// thread may wait for another inside the loader.
#include <dlfcn.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "tests/host/agent.hpp"
#include "tests/host/console.hpp"
#include "tests/host/sanitized.hpp"

namespace {

constexpr int kLibraries = 50;
constexpr int kRequests = 10;

// Copies of one library in a directory of their own: to the loader, as many libraries.
class Libraries {
 public:
  Libraries() {
    std::string name = std::filesystem::temp_directory_path() / "inlens-libraries-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) return;
    directory_ = name;
    for (int i = 0; i < kLibraries; ++i) {
      paths_.push_back(directory_ / (std::to_string(i) + ".so"));
      std::filesystem::copy_file(CONSTRUCTED_LIBRARY, paths_.back());
    }
  }
  ~Libraries() {
    std::error_code ignored;
    if (!directory_.empty()) std::filesystem::remove_all(directory_, ignored);
  }
  Libraries(const Libraries&) = delete;
  Libraries& operator=(const Libraries&) = delete;

  // How many could be opened; all are closed again.
  std::size_t open_and_close() const {
    std::vector<void*> handles;
    for (const std::string& path : paths_)
      if (void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) handles.push_back(handle);
    for (void* handle : handles) ::dlclose(handle);
    return handles.size();
  }

 private:
  std::filesystem::path directory_;
  std::vector<std::string> paths_;
};

// A request with a statement of this program's; its id.
std::string request_with_caller() {
  inlens::Request request(host_test::page_info("/named"));
  const std::string id(request.id());
  {
    const void* here = reinterpret_cast<const void*>(&request_with_caller);
    const inlens::Statement statement("SELECT 1", inlens::Dialect::kGeneric, {}, request, here);
  }
  request.end(500);  // kept, however many others end meanwhile
  return id;
}

// Whether the console names, at least by module and offset, where the statement of a request was made.
bool is_named(const std::string& id) {
  const auto detail = host_test::ask_json(host_test::console_port(), "requests/" + id);
  if (!detail.is_object()) return false;
  for (const auto& span : detail["spans"])
    if (span["statement"].is_object() && span["statement"]["caller"].is_string()) return true;
  return false;
}

// Opens and closes all of them, over and over, for a scope.
class Loader {
 public:
  explicit Loader(const Libraries& libraries)
      : thread_([this, &libraries] {
          for (; !ended_; ++rounds_)
            if (libraries.open_and_close() != kLibraries) ++failed_;
        }) {}
  ~Loader() {
    ended_ = true;
    thread_.join();
  }
  int rounds() const { return rounds_; }
  int failed() const { return failed_; }

 private:
  std::atomic<bool> ended_{false};
  std::atomic<int> rounds_{0};
  std::atomic<int> failed_{0};
  std::thread thread_;
};

}  // namespace

TEST_CASE("Hooks that fifty libraries call as they are loaded are recorded") {
  const Libraries libraries;
  const host_test::Running agent;
  REQUIRE(libraries.open_and_close() == kLibraries);
  CHECK(inlens::figures().requests == kLibraries);
  REQUIRE(libraries.open_and_close() == kLibraries);
  CHECK(inlens::figures().requests == 2 * kLibraries);
}

TEST_CASE("The agent starts, names addresses and stops a hundred times while fifty libraries come and go") {
  const Libraries libraries;
  Loader loader(libraries);
  const int rounds = host_test::kSanitized ? 20 : 100;
  for (int round = 0; round < rounds; ++round) {
    const host_test::Running agent(host_test::settings("full"));
    REQUIRE(agent.status() == INLENS_OK);
    for (int i = 0; i < kRequests; ++i) host_test::make_request();
    const std::string id = request_with_caller();
    CHECK(inlens::figures().requests > kRequests);
    host_test::wait_until([&] { return is_named(id); });
  }
  CHECK(loader.rounds() > 0);
  CHECK(loader.failed() == 0);
}
