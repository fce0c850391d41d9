// Which row of the table of routes a request belongs to: by the name its host gave it, or by its path with
// the variable parts masked. Paths are remembered by hash in a table of fixed size, so that the mask is
// worked out once. Called by the worker for each request, on the worker thread only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "agent/hooks/record.hpp"
#include "agent/store/routes.hpp"
#include "agent/worker/record_reader.hpp"

namespace inlens::worker {

class RouteFinder {
 public:
  explicit RouteFinder(store::Routes& routes) : routes_(routes), paths_(kPaths) {}

  // `route` is the record's last route entry, or nullptr.
  store::RouteRow& find(const BeginView& begin, const hooks::TextEntry* route, std::uint32_t status);

  // The text that stands for the route, whatever row it is in; valid until the next call.
  std::string_view text(const BeginView& begin, const hooks::TextEntry* route);

 private:
  static constexpr std::size_t kPaths = 4096;

  struct Path {
    std::uint64_t hash = 0;
    store::RouteRow* row = nullptr;
  };

  store::Routes& routes_;
  std::vector<Path> paths_;
  std::string template_;
};

}  // namespace inlens::worker
