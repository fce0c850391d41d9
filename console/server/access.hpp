// Where a request may come from: which Host it may name, which Origin may cause it, who counts as local. Pure
// policy without state; credentials are the gate's matter. Called for every request, on console and host
// threads.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "console/server/http.hpp"

namespace inlens::console {

enum class Denial { kNone, kNoHost, kForeignHost, kForeignOrigin };

struct Authority {
  std::string host;  // lower case, IPv6 without brackets
  std::string port;  // "" when not given
};

// "localhost", "127.0.0.1:9790", "[::1]:9790"; nullopt for anything malformed.
std::optional<Authority> parse_authority(std::string_view text);

bool is_loopback_address(std::string_view address);

class AccessPolicy {
 public:
  // `bound_address` is where the own listener is bound; `hosts` are further names that people may use.
  AccessPolicy(std::string_view bound_address, const std::vector<std::string>& hosts);

  // A name that is not ours means that somebody's DNS points at us (rebinding).
  Denial check_host(const Request& request) const;

  // Data is given to the same origin, and to callers that are no browser.
  Denial check_read(const Request& request) const;

  // As check_read; a browser names an Origin with every change, so with `origin_required` none is a refusal
  // too.
  Denial check_change(const Request& request, bool origin_required) const;

  // A caller on this machine that no proxy stands for. A proxy that adds no header of its own and names the
  // server by its loopback address cannot be told apart.
  static bool is_local_caller(const Request& request);

 private:
  std::vector<std::string> hosts_;  // as Authority::host
};

}  // namespace inlens::console
