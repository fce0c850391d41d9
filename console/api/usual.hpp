// What the routes of a snapshot usually take, from their histograms, to stand beside one request's figures.
// Borrows the snapshot; made for one answer.
#pragma once

#include <string_view>
#include <unordered_map>

#include "agent/store/snapshot.hpp"
#include "console/api/json.hpp"

namespace inlens::console::api {

class UsualTimes {
 public:
  explicit UsualTimes(const store::Snapshot& snapshot);

  // Schema Usual; null for a route that has no row of its own.
  Json of(std::string_view method, std::string_view route) const;

 private:
  std::unordered_map<std::string, const store::Histogram*> by_route_;
};

// One key for the two texts; a method holds no line feed.
std::string route_key(std::string_view method, std::string_view route);

}  // namespace inlens::console::api
