// The header lines `traceparent` and `X-Inlens-Id` of an easy handle's transfers, where `calls.propagate` is
// on.
//
// libcurl does not copy a list of headers, so ours is two nodes in front of the host's own list, which is
// neither changed nor owned. It is in place for the time of one transfer; before and after that, and for
// whoever copies the handle meanwhile, the list is the host's. What the host has set is known of handles that
// were made before our eyes: otherwise nothing is added, and that is counted.
//
// Threads: the one that uses the handle. Blocks: never. Owns: the nodes and their texts, which stay where
// they are as long as the process lives.
#pragma once

#include <inlens/inlens.h>

#include <string_view>

#include "collectors/curl/flavour.hpp"

namespace inlens::curl {

// Why a transfer is sent as it is.
enum class Reason : unsigned {
  kSigned = 1,       // by libcurl, with all headers: ours might not arrive as they were signed
  kInParts = 2,      // the address, which only the transfer itself puts together
  kConnectOnly = 4,  // libcurl sends nothing and looks at no list
};

class TraceHeaders {
 public:
  // The host's list from now on; nullptr for none.
  void host_set(curl_slist* list) noexcept;
  // An option of the host's with which nothing is added, set or no longer set.
  void host_rules_out(Reason reason, bool on) noexcept;
  // What is known of the handle that this one was copied from.
  void copy_from(const TraceHeaders& original) noexcept;

  // For a transfer that begins; `request` and `call` as in inlens_call_traceparent. `headers` is nullptr when
  // nothing is known of the handle.
  static void add(TraceHeaders* headers, Flavour& flavour, CURL* handle, inlens_request request,
                  inlens_span call) noexcept;
  // The handle's list is the host's again; also that of a copy of the handle.
  void take_back(Flavour& flavour, CURL* handle) noexcept;
  void take_back_from_copy(Flavour& flavour, CURL* copy) const noexcept;

 private:
  void put_in_front(Flavour& flavour, CURL* handle, inlens_request request,
                    std::string_view traceparent) noexcept;
  bool host_sends(std::string_view name) const noexcept;
  curl_slist* line(int number, std::string_view name, std::string_view value, curl_slist* next) noexcept;

  curl_slist* host_ = nullptr;
  bool known_ = false;
  unsigned ruled_out_ = 0;  // a sum of Reasons
  bool in_place_ = false;
  curl_slist nodes_[2] = {};
  char texts_[2][72] = {};
};

}  // namespace inlens::curl
