// What the collector knows of an easy handle, and the call that it shows for one transfer of it.
//
// Threads: the one that uses the handle. Blocks: never.
#pragma once

#include <inlens/inlens.h>

#include <cstdint>

#include "collectors/curl/flavour.hpp"
#include "collectors/curl/trace_headers.hpp"
#include "collectors/preload/handle_table.hpp"

namespace inlens::curl {

// As the host's options have it; libcurl tells only after the transfer.
enum class Method : std::uint8_t { kUnknown, kGet, kHead, kPost, kPut };

class Transfer {
 public:
  // While the transfer runs it shows as under way.
  void begin(Flavour& flavour, CURL* handle, Method method, bool custom, const void* caller) noexcept;
  // For a transfer that may outlast the thread's background record (see inlens_background_enter): it is shown
  // when it is over.
  void begin_unshown(Method method, bool custom, const void* caller) noexcept;
  bool is_running() const noexcept { return running_; }
  // As far as it is shown already.
  inlens_request request() const noexcept { return shown_ ? request_ : INLENS_CURRENT; }
  inlens_span span() const noexcept { return shown_ ? span_ : INLENS_NONE; }

  void end(Flavour& flavour, CURL* handle, CURLcode code) noexcept;
  // Taken out by the host, which knows of its end otherwise or wants no more of it.
  void end_removed(Flavour& flavour, CURL* handle) noexcept;
  // Left by an exception or the thread's cancellation: the handle cannot be asked.
  void abandon() noexcept;

 private:
  void show(Flavour& flavour, CURL* handle) noexcept;
  void finish(inlens_call_result& result) noexcept;

  inlens_request request_ = INLENS_NONE;
  inlens_span span_ = INLENS_NONE;
  const void* thread_ = nullptr;
  const void* caller_ = nullptr;
  Method method_ = Method::kUnknown;
  bool custom_ = false;
  bool running_ = false;
  bool shown_ = false;
};

struct Easy {
  Method method = Method::kUnknown;
  bool custom = false;  // the host named a method itself
  Transfer transfer;    // under a multi handle
  TraceHeaders headers;
};

extern preload::HandleTable<Easy, 8192> g_easy;

}  // namespace inlens::curl
