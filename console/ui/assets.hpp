// The console's files, compiled into the library: pages, bar, API description, each plain and
// gzip-compressed. Called by the console's routes, on the console's thread and on host threads that serve a
// mounted console. Owns nothing: everything is constant data of the library. The source is written by
// console/build.mjs.
#pragma once

#include <span>
#include <string_view>

namespace inlens::console {

struct Asset {
  std::string_view
      path;  // below the base path: "index.html", "assets/app.<hash>.js", "bar/loader.js", "api/openapi.json"
  std::string_view content_type;  // with the charset where one belongs
  std::string_view hash;          // of the content, 16 hexadecimal digits; quoted it is the ETag
  bool immutable;  // the name carries the hash: may be cached for a year; the others are revalidated
  std::string_view bytes;
  std::string_view gzip;  // empty when it would not be smaller
};

/// All files, sorted by path. Pages live behind the fragment of `index.html`, so no other path gets it.
std::span<const Asset> assets() noexcept;

}  // namespace inlens::console
