// Names addresses of code by the file they were loaded from and the offset in it, such as
// "libshop.so+0x1a2b4", which is the same in every run. Reads /proc/self/maps when an address is met that it
// has no file for, at most once a second. Called by the worker, on the worker thread only; not
// async-signal-safe, and no lock of the loader is taken.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace inlens::worker {

class Modules {
 public:
  explicit Modules(std::string maps_path = "/proc/self/maps") : maps_path_(std::move(maps_path)) {}

  struct Place {
    std::string_view module;  // file name without directory; "" when unknown; valid until the next call
    std::uint64_t offset = 0;
    bool in_app = true;  // not a part of the C and C++ runtime, nor of Inlens itself
  };

  Place find(std::uint64_t address, std::uint64_t now_ns);
  // The same, written out.
  std::string describe(std::uint64_t address, std::uint64_t now_ns);

 private:
  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t base = 0;
    std::uint32_t module = 0;
  };
  struct Module {
    std::string name;
    bool in_app = true;
  };

  const Range* range_of(std::uint64_t address) const;
  void read_maps();

  std::string maps_path_;
  std::vector<Range> ranges_;  // by address
  std::vector<Module> modules_;
  std::uint64_t read_ns_ = 0;
  bool read_ = false;
};

}  // namespace inlens::worker
