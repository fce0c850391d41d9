// The console behind both transports: one request in, one whole answer out. Its own listener calls it on the
// console thread, the C ABI on host threads (mounted console), at once if need be. Owns the gate, the routes
// and the list of embedded files.
//
//   /~inlens/, /~inlens/<page>    the pages' shell: static, holds no data, needs no session
//   /~inlens/<page>/…             leads to the same place behind the shell's fragment
//   /~inlens/assets/…, /bar/…     embedded files
//   /~inlens/bar/data/{id}        data for the bar: a credential, or a local caller where the bar allows it
//   /~inlens/api/session          sign in, sign out, who am I
//   /~inlens/api/…                registered handlers, for callers with a credential only
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "console/server/clock.hpp"
#include "console/server/gate.hpp"
#include "console/server/http.hpp"
#include "console/server/route_table.hpp"
#include "console/server/static_files.hpp"

namespace inlens::console {

struct ConsoleOptions {
  GateOptions gate;
  std::vector<StaticFile> files;  // "index.html" is the pages' shell
};

class Console {
 public:
  static constexpr std::string_view kBase = "/~inlens/";

  Console(ConsoleOptions options, Clock clock, LogSink log);

  // Registers a handler for a path below `/~inlens`, which begins with "/api/" or "/bar/data/". Before
  // serving only.
  void add_route(std::string_view method, std::string_view pattern, ApiHandler handler);

  // Threads: any number at once. Errors: a handler that throws becomes a 500.
  Answer handle(const Request& request);

  // Whether a request to one of the host's pages comes from somebody signed in here; for who may see the bar.
  // Threads: any.
  bool shows_bar(const Request& request) { return gate_.shows_bar(request); }
  void set_bar_allow(BarAllow allow) { gate_.set_bar_allow(allow); }

  // "/~inlens/#once=…", good for one sign-in; nullopt without a source of random bytes. The secret is a
  // fragment: it is not sent with the page's request, so no log and no Referer ever holds it.
  std::optional<std::string> make_sign_in_path();

 private:
  Answer route(const Request& request);
  Answer route_below_base(const Request& request, std::string_view below);
  Answer call_handler(const Request& request, Admission admission);

  Gate gate_;
  const StaticFiles files_;
  const LogSink log_;
  RouteTable routes_;
};

}  // namespace inlens::console
