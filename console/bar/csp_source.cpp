#include "console/bar/csp_source.hpp"

#include <cstddef>

#include "console/bar/ascii.hpp"

namespace inlens::bar {
namespace {

struct HostPort {
  std::string_view host;
  std::string_view port;  // empty: not given
};

HostPort split_port(std::string_view text) noexcept {
  const std::size_t colon = text.rfind(':');
  const std::size_t bracket = text.rfind(']');  // colons inside [::1] are not a port's
  if (colon == std::string_view::npos || (bracket != std::string_view::npos && colon < bracket))
    return {text, {}};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

bool host_matches(std::string_view pattern, std::string_view host) noexcept {
  if (pattern == "*") return true;
  if (!begins_with(pattern, "*.")) return same(pattern, host);
  const std::string_view suffix = pattern.substr(1);
  return host.size() > suffix.size() && same(host.substr(host.size() - suffix.size()), suffix);
}

bool port_matches(std::string_view pattern, std::string_view port, bool https) noexcept {
  const std::string_view usual = https ? "443" : "80";
  const std::string_view actual = port.empty() ? usual : port;
  if (pattern.empty()) return actual == usual;
  if (pattern == "*" || pattern == actual) return true;
  return https && pattern == "80" && actual == "443";  // policies follow an upgrade to TLS
}

bool scheme_matches(std::string_view scheme, bool https) noexcept {
  return same(scheme, "http") || (https && same(scheme, "https"));
}

// A single file cannot be meant for us: the bar has several.
bool path_matches(std::string_view pattern, std::string_view base_path) noexcept {
  return pattern.empty() || (pattern.back() == '/' && base_path.substr(0, pattern.size()) == pattern);
}

}  // namespace

bool source_matches(std::string_view expression, const LoaderSource& source) noexcept {
  if (expression.empty()) return false;
  if (expression.front() == '\'') return same(expression, "'self'");
  if (expression == "*") return true;
  if (expression.back() == ':')
    return scheme_matches(expression.substr(0, expression.size() - 1), source.https);
  if (source.host.empty()) return false;

  std::string_view rest = expression;
  const std::size_t scheme_end = rest.find("://");
  if (scheme_end != std::string_view::npos) {
    if (!scheme_matches(rest.substr(0, scheme_end), source.https)) return false;
    rest.remove_prefix(scheme_end + 3);
  }
  const std::size_t slash = rest.find('/');
  const std::string_view path = slash == std::string_view::npos ? std::string_view{} : rest.substr(slash);
  const HostPort pattern = split_port(rest.substr(0, slash));
  const HostPort ours = split_port(source.host);
  return host_matches(pattern.host, ours.host) && port_matches(pattern.port, ours.port, source.https) &&
         path_matches(path, source.base_path);
}

}  // namespace inlens::bar
