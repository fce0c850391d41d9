// A core of its own for each test, and a look at what the hooks pushed.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "agent/hooks/core.hpp"
#include "agent/hooks/events.hpp"
#include "agent/hooks/requests.hpp"
#include "agent/hooks/spans.hpp"
#include "agent/platform/clock.hpp"

namespace inlens::hooks {

inline constexpr auto kLight = static_cast<std::uint8_t>(Level::kLight);
inline constexpr auto kStandardLevel = static_cast<std::uint8_t>(Level::kStandard);
inline constexpr auto kFullLevel = static_cast<std::uint8_t>(Level::kFull);

class Fixture {
 public:
  explicit Fixture(std::size_t pool_bytes = std::size_t{4} << 20) {
    static const bool calibrated = (calibrate_clock(), true);
    (void)calibrated;
    core_ = Core::make(pool_bytes, next_seed());
    install_core(core_);
  }
  // Threads that used this core have ended; the calling one forgets it.
  ~Fixture() {
    install_core(nullptr);
    delete core_;
  }
  Fixture(const Fixture&) = delete;
  Fixture& operator=(const Fixture&) = delete;

  Core& core() { return *core_; }
  ThreadTotals& totals() { return core_->this_thread()->totals; }

  // Indices of the records that were pushed so far.
  std::vector<std::uint32_t> drain() {
    std::vector<std::uint32_t> records(kQueueCapacity);
    records.resize(core_->queue().try_dequeue_bulk(records.data(), records.size()));
    for (const std::uint32_t record : records) take_over(core_->pool()[record]);
    return records;
  }

  std::uint64_t lost(LossReason reason) {
    return totals().lost_by_reason[static_cast<std::size_t>(reason)].get();
  }

  // Every entry of a kind in a record, in order.
  template <class E>
  std::vector<const E*> entries(std::uint32_t record, EntryKind kind) {
    std::vector<const E*> found;
    for (std::uint32_t index = record; index != kNoBlock; index = core_->pool()[index].head.block.next) {
      const auto* block = reinterpret_cast<const char*>(&core_->pool()[index]);
      std::size_t at = index == record ? sizeof(RecordHead) : kContinuationStart;
      while (at < core_->pool()[index].head.block.used) {
        const auto* entry = reinterpret_cast<const Entry*>(block + at);
        if (entry->kind == kind) found.push_back(static_cast<const E*>(entry));
        at += entry->size;
      }
    }
    return found;
  }

  // `size` bytes of an entry's strings, beginning `skip` bytes into them.
  template <class E>
  static std::string text(const E* entry, std::size_t skip, std::size_t size) {
    return {reinterpret_cast<const char*>(entry) + sizeof(E) + skip, size};
  }

 private:
  static std::uint32_t next_seed() {
    static std::uint32_t seed = 0;
    return seed += 0x10000000;
  }

  Core* core_ = nullptr;
};

inline inlens_str str(std::string_view text) {
  return {text.data(), text.size()};
}

inline inlens_request_info get(std::string_view target) {
  inlens_request_info info{};
  info.method = str("GET");
  info.target = str(target);
  info.host = str("shop.example");
  info.peer = str("127.0.0.1");
  info.protocol = str("HTTP/1.1");
  return info;
}

inline inlens_request_result ok() {
  inlens_request_result result{};
  result.status = 200;
  result.bytes_out = 100;
  return result;
}

inline inlens_statement_info statement(std::string_view text, inlens_dialect dialect = INLENS_DIALECT_SQLITE,
                                       std::string_view database = {}) {
  inlens_statement_info info{};
  info.text = str(text);
  info.dialect = dialect;
  info.database = str(database);
  return info;
}

}  // namespace inlens::hooks
