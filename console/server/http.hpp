// Plain values for one console request and its answer. The console's own listener and the console mounted in
// a host (which hands requests over through the C ABI on its threads) fill the same types, so that everything
// behind them is one code. Owns its texts, except a body that lives in the library's embedded files.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace inlens::console {

struct Header {
  std::string name;
  std::string value;
};

// Header fields in the order they came; names are compared without case.
class Headers {
 public:
  void add(std::string_view name, std::string_view value);
  void set(std::string_view name, std::string_view value);  // replaces every field of that name
  const std::string* find(std::string_view name) const;     // the first, or nullptr
  std::string_view get(std::string_view name) const;        // the first, or ""
  std::size_t count(std::string_view name) const;
  auto begin() const { return fields_.begin(); }
  auto end() const { return fields_.end(); }

 private:
  std::vector<Header> fields_;
};

enum class Transport { kOwnListener, kMounted };

struct Request {
  std::string method;
  std::string target;  // as it was sent
  std::string path;    // target up to '?', not decoded
  std::string query;   // what follows '?', not decoded
  Headers headers;
  std::string body;
  std::string peer_address;  // "" when unknown; then it is nobody's neighbour
  Transport transport = Transport::kOwnListener;
  bool tls = false;
  std::string parameter;  // what `{…}` in the matched route stands for; filled by the router

  void set_target(std::string_view text);
};

struct Answer {
  int status = 200;
  Headers headers;
  std::variant<std::string, std::string_view> body;  // a view only into static storage

  std::string_view body_view() const;
};

using RequestHandler = std::function<Answer(const Request&)>;

enum class LogLevel { kInfo, kWarning, kError };
// Where the console's own remarks go. Threads: called from any console or mounted thread.
using LogSink = std::function<void(LogLevel, std::string_view)>;

// ASCII without case; the locale is the host's and is never asked.
bool equal_ignoring_case(std::string_view a, std::string_view b);
std::string_view trimmed(std::string_view text);
// The next element of a comma-separated list, trimmed; `list` is what remains.
std::string_view next_in_list(std::string_view& list);

// The decoded value of the first parameter of that name: nullopt when absent, "" when it has no '='.
// Malformed escapes stay as they are.
std::optional<std::string> query_value(std::string_view query, std::string_view name);

// True for a path that needs no decoding or cleaning: begins with '/', at most 1,024 bytes of RFC 3986 path
// characters, no escape, no empty segment but the last, no "." or "..".
bool is_plain_path(std::string_view path);

// Whether the method promises to change nothing.
bool is_read(std::string_view method);

}  // namespace inlens::console
