// The fingerprint of an error: what makes two of them one issue. Kind, demangled dynamic type, then up to 8
// frames of the application as file and offset, recursion folded; without such frames the message with what
// varies masked, and the route. Called by the worker, on the worker thread only; owns the buffers it writes
// into.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "agent/worker/modules.hpp"
#include "agent/worker/record_reader.hpp"

namespace inlens::worker {

// "St13runtime_error" -> "std::runtime_error"; a name that is no mangled one stays as it is.
std::string demangled(std::string_view type);

struct ErrorIdentity {
  std::uint64_t fingerprint = 0;
  std::string type;
  std::string title;                // the message's template
  std::vector<std::string> lines;   // what the fingerprint is made of
  std::vector<std::string> frames;  // all of them, innermost first
};

class Fingerprints {
 public:
  static constexpr std::size_t kFrames = 8;

  explicit Fingerprints(Modules& modules) : modules_(modules) {}

  // `route` is a template, or what else says where an error without frames came from. Valid until the next
  // call.
  const ErrorIdentity& identify(const ErrorView& error, std::string_view route, std::uint64_t now_ns);

  // Remembers the last few types, because demangling allocates.
  const std::string& type_of(std::string_view type);

 private:
  struct KnownType {
    std::string raw;
    std::string name;
  };

  void describe_frames(const ErrorView& error, std::uint64_t now_ns);

  Modules& modules_;
  ErrorIdentity identity_;
  std::array<KnownType, 64> known_types_;
};

}  // namespace inlens::worker
