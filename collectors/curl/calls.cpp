// Interposed: transfers by curl_easy_perform and under multi handles, and the options that say their method.
#include <cstdarg>

#include "collectors/curl/transfer.hpp"

// The address of the host's code that called us.
#define INLENS_CALLER __builtin_return_address(0)

namespace inlens::curl {

namespace {

// Takes our headers back, and ends the transfer if it is left by an exception of a callback or the thread's
// cancellation.
class Crossing {
 public:
  Crossing(Flavour& flavour, CURL* handle, Transfer& transfer) noexcept
      : flavour_(flavour), handle_(handle), transfer_(transfer) {}
  ~Crossing() {
    if (transfer_.is_running()) transfer_.abandon();
    if (Easy* easy = g_easy.find(handle_)) easy->headers.take_back(flavour_, handle_);
  }
  Crossing(const Crossing&) = delete;
  Crossing& operator=(const Crossing&) = delete;

 private:
  Flavour& flavour_;
  CURL* handle_;
  Transfer& transfer_;
};

CURL* init(Flavour& flavour, const void* caller) {
  const auto call = flavour.easy_init.get(caller);
  if (call == nullptr) return nullptr;
  CURL* handle = call();
  if (handle == nullptr || !flavour.is_hosts(caller)) return handle;
  if (Easy* easy = g_easy.add(handle)) {
    *easy = {};
    easy->headers.host_set(nullptr);
  }
  return handle;
}

CURLcode perform(Flavour& flavour, CURL* handle, const void* caller) {
  const auto call = flavour.easy_perform.get(caller);
  if (call == nullptr) return CURLE_FAILED_INIT;
  if (handle == nullptr || !flavour.is_seen(caller)) return call(handle);
  Easy* easy = g_easy.find(handle);
  const Method method = easy != nullptr ? easy->method : Method::kUnknown;
  Transfer transfer;
  transfer.begin(flavour, handle, method, easy != nullptr && easy->custom, caller);
  const Crossing crossing(flavour, handle, transfer);
  TraceHeaders* headers = easy != nullptr ? &easy->headers : nullptr;
  TraceHeaders::add(headers, flavour, handle, transfer.request(), transfer.span());
  const CURLcode code = call(handle);
  transfer.end(flavour, handle, code);
  return code;
}

CURLMcode add_handle(Flavour& flavour, CURLM* multi, CURL* handle, const void* caller) {
  const auto call = flavour.multi_add_handle.get(caller);
  if (call == nullptr) return CURLM_INTERNAL_ERROR;
  const CURLMcode code = call(multi, handle);
  if (code != CURLM_OK || !flavour.is_seen(caller)) return code;
  Easy* easy = g_easy.add(handle);
  if (easy == nullptr) return code;
  if (easy->transfer.is_running()) easy->transfer.abandon();
  if (inlens_request_current() != INLENS_NONE) {
    easy->transfer.begin(flavour, handle, easy->method, easy->custom, caller);
    TraceHeaders::add(&easy->headers, flavour, handle, easy->transfer.request(), easy->transfer.span());
  } else {
    easy->transfer.begin_unshown(easy->method, easy->custom, caller);
  }
  return code;
}

void end_removed(Flavour& flavour, CURL* handle) {
  Easy* easy = g_easy.find(handle);
  if (easy == nullptr) return;
  if (easy->transfer.is_running()) easy->transfer.end_removed(flavour, handle);
  easy->headers.take_back(flavour, handle);
}

CURLMcode remove_handle(Flavour& flavour, CURLM* multi, CURL* handle, const void* caller) {
  const auto call = flavour.multi_remove_handle.get(caller);
  if (call == nullptr) return CURLM_INTERNAL_ERROR;
  end_removed(flavour, handle);
  return call(multi, handle);
}

CURLMsg* info_read(Flavour& flavour, CURLM* multi, int* left, const void* caller) {
  const auto call = flavour.multi_info_read.get(caller);
  if (call == nullptr) return nullptr;
  CURLMsg* message = call(multi, left);
  if (message == nullptr || message->msg != CURLMSG_DONE) return message;
  CURL* handle = message->easy_handle;
  Easy* easy = g_easy.find(handle);
  if (easy == nullptr) return message;
  if (easy->transfer.is_running()) easy->transfer.end(flavour, handle, message->data.result);
  easy->headers.take_back(flavour, handle);
  return message;
}

void cleanup(Flavour& flavour, CURL* handle, const void* caller) {
  const auto call = flavour.easy_cleanup.get(caller);
  if (call == nullptr) return;
  end_removed(flavour, handle);
  g_easy.remove(handle);
  call(handle);
}

void reset(Flavour& flavour, CURL* handle, const void* caller) {
  const auto call = flavour.easy_reset.get(caller);
  if (call == nullptr) return;
  call(handle);
  if (Easy* easy = g_easy.find(handle)) {
    easy->method = Method::kUnknown;
    easy->custom = false;
    easy->headers = {};
    easy->headers.host_set(nullptr);
  }
}

CURL* duplicate(Flavour& flavour, CURL* handle, const void* caller) {
  const auto call = flavour.easy_duphandle.get(caller);
  if (call == nullptr) return nullptr;
  CURL* copy = call(handle);
  if (copy == nullptr) return copy;
  g_easy.remove(copy);  // of one that had this address and was freed unseen
  const Easy* easy = g_easy.find(handle);
  if (easy == nullptr) return copy;
  easy->headers.take_back_from_copy(flavour, copy);
  if (!flavour.is_hosts(caller)) return copy;
  if (Easy* known = g_easy.add(copy)) {
    known->method = easy->method;
    known->custom = easy->custom;
    known->headers.copy_from(easy->headers);
  }
  return copy;
}

void note_method(CURL* handle, Method method) {
  if (Easy* easy = g_easy.add(handle)) easy->method = method;
}

constexpr int kSignedRequests = CURLOPTTYPE_OBJECTPOINT + 305;  // CURLOPT_AWS_SIGV4, which came with 7.75

void note_list(CURL* handle, void* list) {
  if (Easy* easy = g_easy.find(handle)) easy->headers.host_set(static_cast<curl_slist*>(list));
}

void note_reason(CURL* handle, Reason reason, bool on) {
  if (Easy* easy = g_easy.find(handle)) easy->headers.host_rules_out(reason, on);
}

// After an option was set, with what it holds as a number. The others say nothing of the method
// or of what may be added.
void note_option(CURL* handle, CURLoption option, long value) {
  const bool on = value != 0;
  switch (static_cast<int>(option)) {
    case CURLOPT_HTTPGET:
      return on ? note_method(handle, Method::kGet) : void();
    case CURLOPT_POST:
    case CURLOPT_HTTPPOST:
      return note_method(handle, on ? Method::kPost : Method::kGet);
    case CURLOPT_POSTFIELDS:
    case CURLOPT_COPYPOSTFIELDS:
    case CURLOPT_MIMEPOST:
      return note_method(handle, Method::kPost);
    case CURLOPT_UPLOAD:
    case CURLOPT_PUT:
      return note_method(handle, on ? Method::kPut : Method::kGet);
    case CURLOPT_NOBODY:
      if (on) return note_method(handle, Method::kHead);
      if (Easy* easy = g_easy.find(handle); easy != nullptr && easy->method == Method::kHead)
        easy->method = Method::kGet;
      return;
    case CURLOPT_CURLU:
      return note_reason(handle, Reason::kInParts, on);
    case kSignedRequests:
      return note_reason(handle, Reason::kSigned, on);
    case CURLOPT_CONNECT_ONLY:
      return note_reason(handle, Reason::kConnectOnly, on);
    case CURLOPT_CUSTOMREQUEST:
      if (Easy* easy = on ? g_easy.add(handle) : g_easy.find(handle)) easy->custom = on;
      return;
    default:
      return;
  }
}

CURLcode set_option(Flavour& flavour, CURL* handle, CURLoption option, std::va_list values,
                    const void* caller) {
  const auto call = flavour.easy_setopt.get(caller);
  if (call == nullptr) return CURLE_FAILED_INIT;
  // Passed on as the type that the option's number says; what libcurl does not know yet is a pointer or fits
  // one.
  constexpr int kTypeStep = 10000;
  const int type = static_cast<int>(option) / kTypeStep * kTypeStep;
  if (type == CURLOPTTYPE_OFF_T) return call(handle, option, va_arg(values, curl_off_t));
  if (type == CURLOPTTYPE_LONG) {
    const long value = va_arg(values, long);
    const CURLcode code = call(handle, option, value);
    if (code == CURLE_OK && handle != nullptr) note_option(handle, option, value);
    return code;
  }
  void* value = va_arg(values, void*);
  const CURLcode code = call(handle, option, value);
  if (code != CURLE_OK || handle == nullptr) return code;
  if (option == CURLOPT_HTTPHEADER)
    note_list(handle, value);
  else
    note_option(handle, option, value != nullptr);
  return code;
}

constinit Flavour g_openssl("curl", "libcurl.so.4", "CURL_OPENSSL_4");
constinit Flavour g_gnutls("curl-gnutls", "libcurl-gnutls.so.4", "CURL_GNUTLS_3");
constinit Flavour g_nss("curl-nss", "libcurl-nss.so.4", "CURL_NSS_3");
// For callers that ask for no version, as where libcurl was built without.
constinit Flavour g_plain("curl", "libcurl.so.4", nullptr);

}  // namespace

}  // namespace inlens::curl

#define INLENS_CURL_EXPORT(flavour, version)                                                        \
  INLENS_EXPORTED CURL* inlens_curl_init_##flavour(void) {                                          \
    return inlens::curl::init(inlens::curl::g_##flavour, INLENS_CALLER);                            \
  }                                                                                                 \
  INLENS_VERSIONED(inlens_curl_init_##flavour, curl_easy_init, version);                            \
  INLENS_EXPORTED CURLcode inlens_curl_perform_##flavour(CURL* handle) {                            \
    return inlens::curl::perform(inlens::curl::g_##flavour, handle, INLENS_CALLER);                 \
  }                                                                                                 \
  INLENS_VERSIONED(inlens_curl_perform_##flavour, curl_easy_perform, version);                      \
  INLENS_EXPORTED CURLcode inlens_curl_setopt_##flavour(CURL* handle, CURLoption option, ...) {     \
    std::va_list values;                                                                            \
    va_start(values, option);                                                                       \
    const CURLcode code =                                                                           \
        inlens::curl::set_option(inlens::curl::g_##flavour, handle, option, values, INLENS_CALLER); \
    va_end(values);                                                                                 \
    return code;                                                                                    \
  }                                                                                                 \
  INLENS_VERSIONED(inlens_curl_setopt_##flavour, curl_easy_setopt, version);                        \
  INLENS_EXPORTED void inlens_curl_cleanup_##flavour(CURL* handle) {                                \
    inlens::curl::cleanup(inlens::curl::g_##flavour, handle, INLENS_CALLER);                        \
  }                                                                                                 \
  INLENS_VERSIONED(inlens_curl_cleanup_##flavour, curl_easy_cleanup, version);                      \
  INLENS_EXPORTED void inlens_curl_reset_##flavour(CURL* handle) {                                  \
    inlens::curl::reset(inlens::curl::g_##flavour, handle, INLENS_CALLER);                          \
  }                                                                                                 \
  INLENS_VERSIONED(inlens_curl_reset_##flavour, curl_easy_reset, version);                          \
  INLENS_EXPORTED CURL* inlens_curl_duphandle_##flavour(CURL* handle) {                             \
    return inlens::curl::duplicate(inlens::curl::g_##flavour, handle, INLENS_CALLER);               \
  }                                                                                                 \
  INLENS_VERSIONED(inlens_curl_duphandle_##flavour, curl_easy_duphandle, version);                  \
  INLENS_EXPORTED CURLMcode inlens_curl_add_##flavour(CURLM* multi, CURL* handle) {                 \
    return inlens::curl::add_handle(inlens::curl::g_##flavour, multi, handle, INLENS_CALLER);       \
  }                                                                                                 \
  INLENS_VERSIONED(inlens_curl_add_##flavour, curl_multi_add_handle, version);                      \
  INLENS_EXPORTED CURLMcode inlens_curl_remove_##flavour(CURLM* multi, CURL* handle) {              \
    return inlens::curl::remove_handle(inlens::curl::g_##flavour, multi, handle, INLENS_CALLER);    \
  }                                                                                                 \
  INLENS_VERSIONED(inlens_curl_remove_##flavour, curl_multi_remove_handle, version);                \
  INLENS_EXPORTED CURLMsg* inlens_curl_info_##flavour(CURLM* multi, int* left) {                    \
    return inlens::curl::info_read(inlens::curl::g_##flavour, multi, left, INLENS_CALLER);          \
  }                                                                                                 \
  INLENS_VERSIONED(inlens_curl_info_##flavour, curl_multi_info_read, version)

INLENS_CURL_EXPORT(openssl, "@CURL_OPENSSL_4");
INLENS_CURL_EXPORT(gnutls, "@CURL_GNUTLS_3");
INLENS_CURL_EXPORT(nss, "@CURL_NSS_3");
INLENS_CURL_EXPORT(plain, "@@INLENS");
