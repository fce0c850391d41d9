#include "console/server/access.hpp"

#include <arpa/inet.h>

#include <algorithm>

namespace inlens::console {
namespace {

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

bool is_loopback_name(std::string_view host) {
  return host == "127.0.0.1" || host == "localhost" || host == "::1";
}

bool is_host_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-' || c == '.' || c == '_';
}

// A missing port stands for the scheme's own, and behind a TLS proxy we do not know the scheme.
bool is_own_origin(std::string_view origin, const Authority& own, bool tls) {
  std::string_view default_port;
  if (origin.starts_with("https://")) {
    default_port = "443";
    origin.remove_prefix(8);
  } else if (origin.starts_with("http://") && !tls) {
    default_port = "80";
    origin.remove_prefix(7);
  } else {
    return false;
  }
  const auto theirs = parse_authority(origin);
  if (!theirs || theirs->host != own.host) return false;
  const std::string_view their_port = theirs->port.empty() ? default_port : std::string_view(theirs->port);
  return their_port == (own.port.empty() ? default_port : std::string_view(own.port));
}

bool came_through_proxy(const Request& request) {
  constexpr std::string_view kProxyHeaders[] = {"Forwarded",         "X-Forwarded-For", "X-Forwarded-Host",
                                                "X-Forwarded-Proto", "X-Real-IP",       "Via"};
  return std::any_of(std::begin(kProxyHeaders), std::end(kProxyHeaders),
                     [&](std::string_view name) { return request.headers.find(name); });
}

}  // namespace

std::optional<Authority> parse_authority(std::string_view text) {
  Authority authority;
  if (text.size() > 300) return std::nullopt;
  std::string_view port;
  if (text.starts_with('[')) {
    const auto end = text.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    authority.host = lower_case(text.substr(1, end - 1));
    in6_addr address;
    if (inet_pton(AF_INET6, authority.host.c_str(), &address) != 1) return std::nullopt;
    port = text.substr(end + 1);
  } else {
    const auto colon = std::min(text.find(':'), text.size());
    authority.host = lower_case(text.substr(0, colon));
    if (!std::all_of(authority.host.begin(), authority.host.end(), is_host_character)) return std::nullopt;
    port = text.substr(colon);
  }
  if (authority.host.empty()) return std::nullopt;
  if (port.empty()) return authority;
  if (port.front() != ':' || port.size() < 2 || port.size() > 6) return std::nullopt;
  port.remove_prefix(1);
  if (!std::all_of(port.begin(), port.end(), [](char c) { return c >= '0' && c <= '9'; }))
    return std::nullopt;
  authority.port = port;
  return authority;
}

bool is_loopback_address(std::string_view address) {
  const std::string text(address);
  in_addr v4;
  if (inet_pton(AF_INET, text.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24) == 127;
  in6_addr v6;
  if (inet_pton(AF_INET6, text.c_str(), &v6) != 1) return false;
  return IN6_IS_ADDR_LOOPBACK(&v6) || (IN6_IS_ADDR_V4MAPPED(&v6) && v6.s6_addr[12] == 127);
}

AccessPolicy::AccessPolicy(std::string_view bound_address, const std::vector<std::string>& hosts)
    : hosts_{"127.0.0.1", "localhost", "::1"} {
  // The unspecified address is no name that anybody should use for us.
  if (!bound_address.empty() && bound_address != "0.0.0.0" && bound_address != "::")
    hosts_.push_back(lower_case(bound_address));
  for (const std::string& host : hosts) {
    const auto authority = parse_authority(host);
    hosts_.push_back(authority ? authority->host : lower_case(host));
  }
}

Denial AccessPolicy::check_host(const Request& request) const {
  if (request.headers.count("Host") != 1) return Denial::kNoHost;
  const auto authority = parse_authority(request.headers.get("Host"));
  if (!authority) return Denial::kForeignHost;
  const bool known = std::find(hosts_.begin(), hosts_.end(), authority->host) != hosts_.end();
  return known ? Denial::kNone : Denial::kForeignHost;
}

Denial AccessPolicy::check_read(const Request& request) const {
  const std::string* site = request.headers.find("Sec-Fetch-Site");
  if (site && *site != "same-origin" && *site != "none") return Denial::kForeignOrigin;
  const std::string* origin = request.headers.find("Origin");
  if (!origin) return Denial::kNone;
  const auto own = parse_authority(request.headers.get("Host"));
  const bool is_own =
      own && request.headers.count("Origin") == 1 && is_own_origin(*origin, *own, request.tls);
  return is_own ? Denial::kNone : Denial::kForeignOrigin;
}

Denial AccessPolicy::check_change(const Request& request, bool origin_required) const {
  if (origin_required && !request.headers.find("Origin")) return Denial::kForeignOrigin;
  return check_read(request);
}

bool AccessPolicy::is_local_caller(const Request& request) {
  if (!is_loopback_address(request.peer_address) || came_through_proxy(request)) return false;
  if (request.headers.count("Host") != 1) return false;
  const auto authority = parse_authority(request.headers.get("Host"));
  return authority && is_loopback_name(authority->host);
}

}  // namespace inlens::console
