// For each route and statement of a snapshot the request in the history that shows it best (the slowest one),
// and for each statement the routes that ran it. Borrows the snapshot; made for one answer.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "agent/store/snapshot.hpp"
#include "console/api/json.hpp"

namespace inlens::console::api {

class Examples {
 public:
  explicit Examples(const store::Snapshot& snapshot);

  // The id of the slowest request held, or null.
  Json slowest_of_route(std::string_view method, std::string_view route) const;
  Json slowest_of_statement(std::uint64_t fingerprint) const;

  // `first` (unless empty), then others; at most 8.
  std::vector<std::string> routes_of_statement(std::uint64_t fingerprint, const std::string& first) const;

 private:
  struct Runs {
    const store::RequestDetail* slowest = nullptr;
    std::int64_t slowest_ns = -1;
    std::vector<const std::string*> routes;
  };
  void add_statements(const store::RequestDetail& request);

  std::unordered_map<std::string, const store::RequestDetail*> by_route_;
  std::unordered_map<std::uint64_t, Runs> by_statement_;
};

}  // namespace inlens::console::api
