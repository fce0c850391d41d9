#include "collectors/curl/transfer.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>

#include "collectors/preload/inside.hpp"

namespace inlens::curl {

constinit preload::HandleTable<Easy, 8192> g_easy;

namespace {

inlens_str str(std::string_view text) noexcept {
  return {text.data(), text.size()};
}

// What libcurl says of a handle; 0 or empty when it does not know.
class Asked {
 public:
  Asked(Flavour& flavour, CURL* handle) noexcept : ask_(flavour.easy_getinfo.get(nullptr)), handle_(handle) {}

  std::string_view text(CURLINFO info) const noexcept {
    char* found = nullptr;
    return ask_(handle_, info, &found) == CURLE_OK && found != nullptr ? std::string_view(found)
                                                                       : std::string_view();
  }
  std::uint64_t number(CURLINFO info) const noexcept {
    long found = 0;
    return ask_(handle_, info, &found) == CURLE_OK && found > 0 ? static_cast<std::uint64_t>(found) : 0;
  }
  std::uint64_t large(CURLINFO info) const noexcept {
    curl_off_t found = 0;
    return ask_(handle_, info, &found) == CURLE_OK && found > 0 ? static_cast<std::uint64_t>(found) : 0;
  }
  std::uint64_t ns(CURLINFO microseconds) const noexcept { return large(microseconds) * 1000; }

 private:
  decltype(&::curl_easy_getinfo) ask_;
  CURL* handle_;
};

std::string_view name_of(Method method, bool custom, const Asked& asked) noexcept {
  switch (custom ? Method::kUnknown : method) {
    case Method::kGet:
      return "GET";
    case Method::kHead:
      return "HEAD";
    case Method::kPost:
      return "POST";
    case Method::kPut:
      return "PUT";
    case Method::kUnknown:
      break;
  }
  const std::string_view told = asked.text(CURLINFO_EFFECTIVE_METHOD);
  return told.empty() ? std::string_view("GET") : told;
}

std::uint64_t from(std::uint64_t before_ns, std::uint64_t after_ns) noexcept {
  return after_ns > before_ns ? after_ns - before_ns : 0;
}

// libcurl's times count from the transfer's begin on; a phase that did not take place is 0.
void put_phases(const Asked& asked, inlens_call_result& result) noexcept {
  result.duration_ns = asked.ns(CURLINFO_TOTAL_TIME_T);
  const std::uint64_t request = asked.ns(CURLINFO_PRETRANSFER_TIME_T);
  if (request != 0) result.first_byte_ns = from(request, asked.ns(CURLINFO_STARTTRANSFER_TIME_T));
  // An answer without a new connection: one of an earlier transfer was used again.
  if (result.status != 0 && asked.number(CURLINFO_NUM_CONNECTS) == 0) return;
  const std::uint64_t named = asked.ns(CURLINFO_NAMELOOKUP_TIME_T);
  const std::uint64_t connected = asked.ns(CURLINFO_CONNECT_TIME_T);
  result.dns_ns = named;
  if (connected == 0) return;
  result.connect_ns = from(named, connected);
  result.tls_ns = from(connected, asked.ns(CURLINFO_APPCONNECT_TIME_T));
}

inlens_call_result result_of(const Asked& asked) noexcept {
  inlens_call_result result{};
  result.status = static_cast<std::uint32_t>(asked.number(CURLINFO_RESPONSE_CODE));
  result.bytes_out = asked.large(CURLINFO_SIZE_UPLOAD_T);
  result.bytes_in = asked.large(CURLINFO_SIZE_DOWNLOAD_T);
  put_phases(asked, result);
  return result;
}

}  // namespace

void Transfer::begin(Flavour& flavour, CURL* handle, Method method, bool custom,
                     const void* caller) noexcept {
  begin_unshown(method, custom, caller);
  // With CURLOPT_CURLU the address is not known before the transfer has begun.
  if (!Asked(flavour, handle).text(CURLINFO_EFFECTIVE_URL).empty()) show(flavour, handle);
}

void Transfer::begin_unshown(Method method, bool custom, const void* caller) noexcept {
  method_ = method;
  custom_ = custom;
  caller_ = caller;
  running_ = true;
  shown_ = false;
}

void Transfer::show(Flavour& flavour, CURL* handle) noexcept {
  const Asked asked(flavour, handle);
  std::string_view url = asked.text(CURLINFO_EFFECTIVE_URL);
  char whole[2048];
  if (url.find("://") == std::string_view::npos) {
    constexpr std::string_view scheme = "http://";  // what libcurl takes
    std::memcpy(whole, scheme.data(), scheme.size());
    const std::size_t size = url.copy(whole + scheme.size(), sizeof(whole) - scheme.size());
    url = {whole, scheme.size() + size};
  }
  inlens_call_info info{};
  info.struct_size = sizeof(info);
  info.method = str(name_of(method_, custom_, asked));
  info.url = str(url);
  info.caller = caller_;
  shown_ = true;
  thread_ = &preload::t_inside;
  request_ = inlens_background_enter();
  span_ = inlens_call_begin(request_, &info);
}

void Transfer::finish(inlens_call_result& result) noexcept {
  running_ = false;
  result.struct_size = sizeof(result);
  inlens_call_end(span_, &result);
  if (thread_ == &preload::t_inside) inlens_background_leave(request_);
}

void Transfer::end(Flavour& flavour, CURL* handle, CURLcode code) noexcept {
  if (!shown_) show(flavour, handle);
  inlens_call_result result = result_of(Asked(flavour, handle));
  char digits[12];
  if (code != CURLE_OK) {
    result.outcome = INLENS_OUTCOME_FAILED;
    const auto written = std::to_chars(digits, digits + sizeof(digits), static_cast<int>(code));
    result.error_code = {digits, static_cast<std::size_t>(written.ptr - digits)};
    result.error_message = str(flavour.easy_strerror.get(nullptr)(code));
  }
  finish(result);
}

void Transfer::end_removed(Flavour& flavour, CURL* handle) noexcept {
  if (!shown_) show(flavour, handle);
  inlens_call_result result = result_of(Asked(flavour, handle));
  if (result.status == 0) {
    constexpr std::string_view message = "removed before an answer came";
    result.outcome = INLENS_OUTCOME_FAILED;
    result.error_message = str(message);
  }
  finish(result);
}

void Transfer::abandon() noexcept {
  if (!shown_) {
    running_ = false;
    return;
  }
  constexpr std::string_view message = "left by an exception or a cancelled thread";
  inlens_call_result result{};
  result.outcome = INLENS_OUTCOME_FAILED;
  result.error_message = str(message);
  finish(result);
}

}  // namespace inlens::curl
