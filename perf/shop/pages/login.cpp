#include <sys/random.h>

#include <array>

#include "perf/shop/pages/pages.hpp"

namespace shop::pages {
namespace {

constexpr std::string_view kUser = "demo";
constexpr std::string_view kPassword = "lens";

std::string new_session() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw std::runtime_error("no random numbers");
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : bytes) text.append({kDigits[byte >> 4], kDigits[byte & 15]});
  return text;
}

Html form(std::string_view note) {
  Html html;
  html.markup("<form method=\"post\" action=\"/login\">\n").element("p", note);
  html.markup(
      "<label>Name <input name=\"user\" autocomplete=\"username\"></label>\n"
      "<label>Password <input name=\"password\" type=\"password\" "
      "autocomplete=\"current-password\"></label>\n"
      "<button>Sign in</button>\n</form>");
  return html;
}

}  // namespace

Response login_form(const Context& context) {
  if (context.request.parameter("ok") == "1")
    return page("Login", std::move(Html().element("p", "You are signed in.")));
  return page("Login", form("Name “demo”, password “lens”."));
}

Response login(const Context& context) {
  const std::string user = context.request.form_field("user");
  if (user != kUser || context.request.form_field("password") != kPassword) {
    // The name may be noted; the password may not, not even a wrong one.
    inlens::message("sign-in refused for " + user, inlens::Severity::kWarning);
    return page("Login", form("That was not right. Name “demo”, password “lens”."), 403);
  }
  inlens::message("signed in: " + user);
  Response response;
  response.status = 303;
  response.content_type.clear();
  response.headers = {{"Location", "/login?ok=1"},
                      {"Set-Cookie", "shop_session=" + new_session() + "; HttpOnly; SameSite=Lax; Path=/"}};
  return response;
}

}  // namespace shop::pages
