#include "perf/shop/dispatch.hpp"

#include <algorithm>

#include "perf/shop/pages/pages.hpp"

namespace shop {
namespace {

bool matches(std::string_view pattern, std::string_view path) {
  while (!pattern.empty() && !path.empty()) {
    if (pattern.front() == '{') {
      pattern.remove_prefix(std::min(pattern.size(), pattern.find('}') + 1));
      const auto end = std::min(path.size(), path.find('/'));
      if (end == 0) return false;
      path.remove_prefix(end);
    } else {
      if (pattern.front() != path.front()) return false;
      pattern.remove_prefix(1);
      path.remove_prefix(1);
    }
  }
  return pattern.empty() && path.empty();
}

struct Found {
  const Route* route = nullptr;
  bool other_method = false;  // the path is known, but not with this method
};

Found find_route(const Request& request) {
  const inlens::Span span("route", inlens::SpanKind::kStage);
  const std::string_view method = request.method == "HEAD" ? "GET" : request.method;
  Found found;
  for (const Route& route : routes()) {
    if (!matches(route.pattern, request.path)) continue;
    if (route.method == method) return {&route, false};
    found.other_method = true;
  }
  return found;
}

Response error_page(unsigned status, std::string title, std::string_view sentence) {
  return page(std::move(title), std::move(Html().element("p", sentence)), status);
}

Response run_page(const Route& route, const Context& context) {
  const inlens::Span span("handler", inlens::SpanKind::kStage);
  try {
    return route.handler(context);
  } catch (const ScriptError& error) {
    inlens::error(error.type(), error.what());
  } catch (const DbUnreachable& error) {
    inlens::error(typeid(error).name(), error.what(), error.code());
    return error_page(503, "No database", "The shop cannot reach its database. Try again in a moment.");
  } catch (const DbError& error) {
    inlens::error(typeid(error).name(), error.what(), error.code());
  } catch (...) {
    inlens::error_being_handled();
  }
  return error_page(500, "Something broke", "The shop could not finish this page. The error has been noted.");
}

}  // namespace

Response dispatch(const Context& context) {
  const Found found = find_route(context.request);
  if (found.route != nullptr) {
    context.lens.route(found.route->pattern);
    Response response = run_page(*found.route, context);
    response.pattern = found.route->pattern;
    return response;
  }
  if (found.other_method) return error_page(405, "Not like this", "This page does not take that method.");
  return error_page(404, "Not found", "The shop has no such page.");
}

void render(Response& response) {
  if (response.title.empty()) return;
  response.body = page_head(response.title, response.pattern) + response.body + page_foot();
}

}  // namespace shop
