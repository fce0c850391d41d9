#include "perf/shop/options.hpp"

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "perf/shop/db.hpp"

namespace shop {
namespace {

template <class Number>
bool parse_number(std::string_view text, Number low, Number high, Number& out) {
  Number value{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || end != text.data() + text.size() || value < low || value > high) return false;
  out = value;
  return true;
}

bool apply(Options& options, std::string_view name, std::string_view value, std::string& error) {
  if (name == "--port") {
    if (parse_number<std::uint16_t>(value, 0, 65535, options.port)) return true;
    error = "--port takes a number from 0 to 65535";
  } else if (name == "--workers") {
    if (parse_number<unsigned>(value, 1, 256, options.workers)) return true;
    error = "--workers takes a number from 1 to 256";
  } else if (name == "--db") {
    options.db = value;
    return true;
  } else {
    options.config = value;
    return true;
  }
  return false;
}

}  // namespace

const char kUsage[] =
    "inlens-shop: a small shop that shows what Inlens sees. Listens on 127.0.0.1 only.\n"
    "\n"
    "  --port N       port of the shop, 0 for any free one (8080)\n"
    "  --workers N    threads that run page handlers (4)\n"
    "  --db PATH      SQLite file, or the directory for it (the user's cache directory); or a PostgreSQL "
    "server:\n"
    "                 postgresql://user@host:port/database\n"
    "  --config FILE  Inlens settings as JSON (the file named by INLENS_CONFIG, else the demo's own)\n"
    "  --help         this text\n";

std::optional<Options> parse_options(int argc, const char* const* argv, std::string& error) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    std::string_view name = argv[i];
    if (name == "--help" || name == "-h") {
      options.help = true;
      return options;
    }
    std::string_view value;
    if (const auto equals = name.find('='); equals != std::string_view::npos) {
      value = name.substr(equals + 1);
      name = name.substr(0, equals);
    } else if (i + 1 < argc) {
      value = argv[++i];
    }
    if (name != "--port" && name != "--workers" && name != "--db" && name != "--config") {
      error = "unknown option " + std::string(name);
      return std::nullopt;
    }
    if (value.empty()) {
      error = std::string(name) + " needs a value";
      return std::nullopt;
    }
    if (!apply(options, name, value, error)) return std::nullopt;
  }
  return options;
}

std::string database_of(const std::string& db) {
  if (is_postgres(db)) return db;
  namespace fs = std::filesystem;
  fs::path path = db;
  if (db.empty()) {
    const char* cache = std::getenv("XDG_CACHE_HOME");
    const char* home = std::getenv("HOME");
    path = (cache && *cache) ? fs::path(cache) : fs::path(home && *home ? home : ".") / ".cache";
    path /= "inlens-shop";
  }
  const bool is_directory = db.empty() || fs::is_directory(path) || !path.has_extension();
  if (is_directory) path /= "shop.sqlite";
  if (path.has_parent_path()) fs::create_directories(path.parent_path());
  return path.string();
}

}  // namespace shop
