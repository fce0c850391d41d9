// The shop's command line. Used once, by main(), before any thread exists.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace shop {

struct Options {
  std::uint16_t port = 8080;  // 0: any free one
  unsigned workers = 4;       // threads that run page handlers
  std::string db;             // file, its directory, or a server's address; empty: the user's cache directory
  std::string config;         // Inlens settings; empty: INLENS_CONFIG, else the demo's own
  bool help = false;
};

extern const char kUsage[];

// Nothing, with the reason in `error`, when the command line cannot be understood.
std::optional<Options> parse_options(int argc, const char* const* argv, std::string& error);

// The database that `db` stands for, as open_database() takes it; the directory of a file is created.
std::string database_of(const std::string& db);

}  // namespace shop
