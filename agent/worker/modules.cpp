#include "agent/worker/modules.hpp"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <memory>

namespace inlens::worker {

namespace {

constexpr std::uint64_t kRereadNs = 1'000'000'000;

constexpr std::array<std::string_view, 11> kRuntime{"libc.so",    "libc-",   "libstdc++", "libgcc_s",
                                                    "libpthread", "libm.so", "ld-linux",  "linux-vdso",
                                                    "libinlens",  "[vdso]",  "libunwind"};

bool is_in_app(std::string_view module) {
  return std::none_of(kRuntime.begin(), kRuntime.end(),
                      [&](std::string_view name) { return module.starts_with(name); });
}

std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

std::string hex(std::uint64_t value) {
  char text[24];
  const int size = std::snprintf(text, sizeof(text), "0x%" PRIx64, value);
  return {text, static_cast<std::size_t>(size)};
}

}  // namespace

const Modules::Range* Modules::range_of(std::uint64_t address) const {
  const auto after =
      std::upper_bound(ranges_.begin(), ranges_.end(), address,
                       [](std::uint64_t value, const Range& range) { return value < range.begin; });
  if (after == ranges_.begin()) return nullptr;
  const Range& range = *std::prev(after);
  return address < range.end ? &range : nullptr;
}

void Modules::read_maps() {
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(maps_path_.c_str(), "re"), &std::fclose);
  if (file == nullptr) return;
  ranges_.clear();
  modules_.clear();
  std::string path, last_path;
  std::uint64_t base = 0;
  char line[4352];
  while (std::fgets(line, sizeof(line), file.get()) != nullptr) {
    std::uint64_t begin = 0, end = 0, offset = 0;
    char access[8] = {};
    int path_at = 0;
    if (std::sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %n", &begin, &end, access, &offset,
                    &path_at) < 4) {
      continue;
    }
    path = path_at > 0 ? line + path_at : "";
    while (!path.empty() && (path.back() == '\n' || path.back() == ' ')) path.pop_back();
    if (path.empty()) continue;
    if (path != last_path) {
      base = begin - offset;
      modules_.push_back({std::string(file_name(path)), is_in_app(file_name(path))});
      last_path = path;
    }
    if (access[2] == 'x')
      ranges_.push_back({begin, end, base, static_cast<std::uint32_t>(modules_.size() - 1)});
  }
}

Modules::Place Modules::find(std::uint64_t address, std::uint64_t now_ns) {
  const Range* range = range_of(address);
  if (range == nullptr && (!read_ || now_ns - read_ns_ >= kRereadNs)) {
    read_maps();
    read_ = true;
    read_ns_ = now_ns;
    range = range_of(address);
  }
  if (range == nullptr) return {{}, address, true};
  const Module& module = modules_[range->module];
  return {module.name, address - range->base, module.in_app};
}

std::string Modules::describe(std::uint64_t address, std::uint64_t now_ns) {
  const Place place = find(address, now_ns);
  if (place.module.empty()) return hex(place.offset);
  return std::string(place.module) + "+" + hex(place.offset);
}

}  // namespace inlens::worker
