// The embedded files of console and bar, answered with validators and, where the caller takes it, gzip. Pure,
// after construction; called by the router on console and mounted threads. Borrows every text for the
// process's life.
#pragma once

#include <string_view>
#include <vector>

#include "console/server/http.hpp"

namespace inlens::console {

struct StaticFile {
  std::string_view path;  // below `/~inlens/`: "index.html", "assets/app-1a2b.js", "bar/loader.js"
  std::string_view content_type;
  std::string_view body;
  std::string_view gzip;   // the same, compressed; "" = none
  std::string_view etag;   // without quotes; "" = none
  bool immutable = false;  // its path names its content: cached for a year
};

class StaticFiles {
 public:
  explicit StaticFiles(std::vector<StaticFile> files) : files_(std::move(files)) {}

  // `path` below the base; 404 when there is none, 405 for anything but GET and HEAD.
  Answer answer(const Request& request, std::string_view path) const;

 private:
  const std::vector<StaticFile> files_;
};

// Whether an Accept-Encoding takes gzip (a weight of 0 says no).
bool accepts_gzip(std::string_view accept_encoding);

}  // namespace inlens::console
