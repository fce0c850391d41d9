#include "collectors/curl/trace_headers.hpp"

#include <cstring>

namespace inlens::curl {

namespace {

constexpr std::string_view kTraceparent = "traceparent";
constexpr std::string_view kRequestId = "X-Inlens-Id";
constexpr std::string_view kSeparator = ": ";

char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

bool begins_with(const char* text, std::string_view begin) noexcept {
  for (const char c : begin)
    if (lower(*text++) != lower(c)) return false;
  return true;
}

enum class Scheme { kHttp, kOther, kUnknown };

// Only where it is written: what libcurl takes without one depends on the host's name and options.
Scheme scheme_of(Flavour& flavour, CURL* handle) noexcept {
  char* url = nullptr;
  const CURLcode code = flavour.easy_getinfo.get(nullptr)(handle, CURLINFO_EFFECTIVE_URL, &url);
  if (code != CURLE_OK || url == nullptr || std::strstr(url, "://") == nullptr) return Scheme::kUnknown;
  return begins_with(url, "http://") || begins_with(url, "https://") ? Scheme::kHttp : Scheme::kOther;
}

CURLcode set_list(Flavour& flavour, CURL* handle, curl_slist* list) noexcept {
  const auto set = flavour.easy_setopt.get(nullptr);
  return set != nullptr ? set(handle, CURLOPT_HTTPHEADER, list) : CURLE_FAILED_INIT;
}

}  // namespace

void TraceHeaders::host_set(curl_slist* list) noexcept {
  host_ = list;
  known_ = true;
  in_place_ = false;
}

void TraceHeaders::host_rules_out(Reason reason, bool on) noexcept {
  const auto bit = static_cast<unsigned>(reason);
  ruled_out_ = on ? ruled_out_ | bit : ruled_out_ & ~bit;
}

void TraceHeaders::copy_from(const TraceHeaders& original) noexcept {
  host_ = original.host_;
  known_ = original.known_;
  ruled_out_ = original.ruled_out_;
}

bool TraceHeaders::host_sends(std::string_view name) const noexcept {
  for (const curl_slist* node = host_; node != nullptr; node = node->next) {
    if (node->data == nullptr || !begins_with(node->data, name)) continue;
    const char behind = node->data[name.size()];
    if (behind == ':' || behind == ';') return true;
  }
  return false;
}

curl_slist* TraceHeaders::line(int number, std::string_view name, std::string_view value,
                               curl_slist* next) noexcept {
  char* text = texts_[number];
  std::size_t size = 0;
  for (const std::string_view part : {name, kSeparator, value})
    size += part.copy(text + size, sizeof(texts_[number]) - 1 - size);
  text[size] = '\0';
  nodes_[number] = {text, next};
  return &nodes_[number];
}

void TraceHeaders::put_in_front(Flavour& flavour, CURL* handle, inlens_request request,
                                std::string_view traceparent) noexcept {
  char id[33];
  curl_slist* list = host_;
  if (!host_sends(kRequestId) && inlens_request_id(request, id, sizeof(id)) != 0)
    list = line(1, kRequestId, id, list);
  if (!host_sends(kTraceparent)) list = line(0, kTraceparent, traceparent, list);
  if (list != host_) in_place_ = set_list(flavour, handle, list) == CURLE_OK;
}

void TraceHeaders::add(TraceHeaders* headers, Flavour& flavour, CURL* handle, inlens_request request,
                       inlens_span call) noexcept {
  char traceparent[56];
  const std::size_t size = inlens_call_traceparent(request, call, traceparent, sizeof(traceparent));
  if (size == 0) return;
  const Scheme scheme = scheme_of(flavour, handle);
  if (scheme == Scheme::kOther) return;
  const bool safe =
      scheme == Scheme::kHttp && headers != nullptr && headers->known_ && headers->ruled_out_ == 0;
  if (!safe) return flavour.note_without_trace();
  headers->put_in_front(flavour, handle, request, {traceparent, size});
}

void TraceHeaders::take_back(Flavour& flavour, CURL* handle) noexcept {
  if (!in_place_) return;
  in_place_ = false;
  set_list(flavour, handle, host_);
}

void TraceHeaders::take_back_from_copy(Flavour& flavour, CURL* copy) const noexcept {
  if (in_place_) set_list(flavour, copy, host_);
}

}  // namespace inlens::curl
