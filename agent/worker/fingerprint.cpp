#include "agent/worker/fingerprint.hpp"

#define XXH_INLINE_ALL
#include <cxxabi.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "agent/worker/message_template.hpp"

namespace inlens::worker {

namespace {

constexpr std::size_t kMaxMangled = 512;  // longer names are the business of nobody who reads them
constexpr std::string_view kKind = "error";
constexpr std::size_t kTitleBytes = 500;

std::uint64_t hash_of(std::string_view text) {
  return XXH3_64bits(text.data(), text.size());
}

void cut(std::string& text, std::size_t bytes) {
  if (text.size() <= bytes) return;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U) --bytes;
  text.resize(bytes);
}

}  // namespace

std::string demangled(std::string_view type) {
  if (type.empty() || type.size() > kMaxMangled) return std::string(type);
  const std::string name(type);
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> plain(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && plain != nullptr ? std::string(plain.get()) : name;
}

const std::string& Fingerprints::type_of(std::string_view type) {
  KnownType& known = known_types_[hash_of(type) % known_types_.size()];
  if (known.raw != type || known.name.empty()) {
    known.name = demangled(type);
    known.raw = type;
  }
  return known.name;
}

void Fingerprints::describe_frames(const ErrorView& error, std::uint64_t now_ns) {
  identity_.frames.clear();
  for (std::uint32_t i = 0; i < error.frame_count; ++i) {
    const std::uint64_t address = error.frame(i);
    std::string frame = modules_.describe(address, now_ns);
    const Modules::Place place = modules_.find(address, now_ns);
    // An address without a file differs from run to run; a frame that came before is recursion.
    if (place.in_app && !place.module.empty() && identity_.lines.size() <= kFrames &&
        std::find(identity_.lines.begin(), identity_.lines.end(), frame) == identity_.lines.end()) {
      identity_.lines.push_back(frame);
    }
    identity_.frames.push_back(std::move(frame));
  }
}

const ErrorIdentity& Fingerprints::identify(const ErrorView& error, std::string_view route,
                                            std::uint64_t now_ns) {
  identity_.type = type_of(error.type);
  identity_.title.clear();
  append_message_template(error.message, identity_.title);
  cut(identity_.title, kTitleBytes);
  identity_.lines.clear();
  identity_.lines.emplace_back(identity_.type);
  describe_frames(error, now_ns);
  if (identity_.lines.size() == 1) {
    identity_.lines.emplace_back(identity_.title);
    identity_.lines.emplace_back(route);
  }
  std::uint64_t fingerprint = hash_of(kKind);
  for (const std::string& line : identity_.lines) {
    fingerprint = XXH3_64bits_withSeed(line.data(), line.size(), fingerprint);
  }
  identity_.fingerprint = fingerprint;
  return identity_;
}

}  // namespace inlens::worker
