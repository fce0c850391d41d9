#include <cstdio>

#include "perf/shop/pages/pages.hpp"
#include "shop_css.hpp"

namespace shop::pages {
namespace {

std::string entity_tag(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const unsigned char byte : bytes) hash = (hash ^ byte) * 1099511628211ULL;
  char tag[24];
  std::snprintf(tag, sizeof tag, "\"%016llx\"", static_cast<unsigned long long>(hash));
  return tag;
}

}  // namespace

Response stylesheet(const Context& context) {
  static const std::string tag = entity_tag(kShopCss);
  Response response;
  response.content_type = "text/css; charset=utf-8";
  response.headers = {{"ETag", tag}, {"Cache-Control", "no-cache"}};
  if (context.request.if_none_match.find(tag) != std::string_view::npos) {
    response.status = 304;
  } else {
    response.body = kShopCss;
  }
  return response;
}

Response no_icon(const Context&) {
  Response response;
  response.status = 204;
  response.content_type.clear();
  return response;
}

}  // namespace shop::pages
