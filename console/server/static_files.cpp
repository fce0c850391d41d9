#include "console/server/static_files.hpp"

#include <algorithm>

#include "console/server/answers.hpp"

namespace inlens::console {
namespace {

bool names_etag(std::string_view list, std::string_view etag) {
  while (!list.empty()) {
    std::string_view element = next_in_list(list);
    if (element == "*") return true;
    if (element.starts_with("W/")) element.remove_prefix(2);
    if (element == etag) return true;
  }
  return false;
}

}  // namespace

bool accepts_gzip(std::string_view accept_encoding) {
  while (!accept_encoding.empty()) {
    const std::string_view element = next_in_list(accept_encoding);
    const auto semicolon = std::min(element.find(';'), element.size());
    if (!equal_ignoring_case(trimmed(element.substr(0, semicolon)), "gzip")) continue;
    const std::string_view weight = trimmed(element.substr(std::min(semicolon + 1, element.size())));
    return !weight.starts_with("q=0") || weight.find_first_not_of("0.", 2) != std::string_view::npos;
  }
  return false;
}

Answer StaticFiles::answer(const Request& request, std::string_view path) const {
  const auto file =
      std::find_if(files_.begin(), files_.end(), [&](const StaticFile& f) { return f.path == path; });
  if (file == files_.end()) return not_found();
  if (!is_read(request.method)) return method_not_allowed("GET, HEAD");

  const bool zipped = !file->gzip.empty() && accepts_gzip(request.headers.get("Accept-Encoding"));
  Answer answer;
  answer.headers.add("Cache-Control", file->immutable ? "public,max-age=31536000,immutable" : "no-cache");
  if (!file->gzip.empty()) answer.headers.add("Vary", "Accept-Encoding");
  // Each form has a validator of its own: they are different bytes.
  if (!file->etag.empty()) {
    const std::string etag = "\"" + std::string(file->etag) + (zipped ? "-gz\"" : "\"");
    answer.headers.add("ETag", etag);
    if (names_etag(request.headers.get("If-None-Match"), etag)) {
      answer.status = 304;
      return answer;
    }
  }
  answer.headers.add("Content-Type", file->content_type);
  if (zipped) answer.headers.add("Content-Encoding", "gzip");
  answer.body = zipped ? file->gzip : file->body;
  return answer;
}

}  // namespace inlens::console
