// Writes records as the hooks do, with times and texts of the test's choosing. One tick is one nanosecond
// here.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "agent/hooks/core.hpp"
#include "agent/hooks/log_writer.hpp"
#include "agent/hooks/record.hpp"
#include "agent/worker/moment.hpp"

namespace inlens::worker {

inline constexpr std::uint64_t kMs = 1'000'000;
inline constexpr std::uint64_t kSecond = 1'000 * kMs;

// A core of the test's own; its clock is not calibrated, so that ticks are nanoseconds.
class TestCore {
 public:
  explicit TestCore(std::size_t pool_bytes = std::size_t{4} << 20);
  // Whoever reads from the core has to be gone.
  ~TestCore();
  TestCore(const TestCore&) = delete;
  TestCore& operator=(const TestCore&) = delete;

  hooks::Core& operator*() { return *core_; }
  hooks::Core* operator->() { return core_; }
  hooks::ThreadState& thread() { return *core_->this_thread(); }

  // Blocks that are neither in the pool's stock nor with a thread.
  std::uint32_t blocks_out();

 private:
  hooks::Core* core_;
};

// The three clocks, moved together.
inline Moment moment(std::uint64_t ns) {
  return {ns, static_cast<std::int64_t>(1'800'000'000 * kSecond + ns), static_cast<std::int64_t>(ns / kMs)};
}

struct StatementSpec {
  std::string_view text = "select * from orders where id = 17";
  std::uint64_t from = 0, to = 0;  // ticks; `to` 0: left open
  std::int64_t rows = 1;
  bool failed = false;
  std::string_view code = {}, message = {};
  std::uint32_t parent = hooks::kNoOrdinal;
  bool hash_only = false;
  std::uint64_t duration_ns = 0;
  std::uint8_t dialect = 1;
};

struct ErrorSpec {
  std::string_view type = "shop::NotFound";
  std::string_view message = "order 17 not found";
  std::string_view code = {};
  bool handled = false;
  std::uint64_t at = 0;
  std::vector<std::uint64_t> frames = {};
};

class RecordBuilder {
 public:
  explicit RecordBuilder(TestCore& core, hooks::BlockUse use = hooks::BlockUse::kRequest);

  RecordBuilder& id(std::uint64_t low);
  RecordBuilder& parent(std::uint64_t low, std::uint64_t start_ticks);
  RecordBuilder& times(std::uint64_t start, std::uint64_t end);
  RecordBuilder& request(std::string_view method, std::string_view target, std::uint16_t status = 200);
  RecordBuilder& flags(std::uint16_t flags);
  RecordBuilder& begin(std::string_view host = "shop.test", std::string_view peer = "10.0.0.9",
                       std::string_view protocol = "HTTP/1.1", std::string_view traceparent = "");
  RecordBuilder& route(std::string_view pattern);
  RecordBuilder& text(hooks::EntryKind kind, std::string_view text, std::uint8_t detail = 0,
                      std::uint64_t at = 0);
  std::uint32_t span(std::uint8_t kind, std::string_view name, std::uint64_t from, std::uint64_t to,
                     std::uint32_t parent = hooks::kNoOrdinal);
  std::uint32_t statement(const StatementSpec& spec);
  std::uint32_t call(std::string_view method, std::string_view url, std::uint64_t from, std::uint64_t to,
                     std::uint32_t status, std::uint32_t parent = hooks::kNoOrdinal);
  RecordBuilder& error(const ErrorSpec& spec);
  RecordBuilder& panel(std::uint8_t kind, std::string_view title, std::uint32_t columns,
                       std::initializer_list<std::string_view> cells);
  RecordBuilder& header(std::uint8_t direction, std::string_view name, std::string_view value);

  hooks::RecordHead& head() { return block_->head; }
  hooks::Block& block() {
    begin_once();
    return *block_;
  }
  std::uint32_t index() {
    begin_once();
    return index_;
  }
  std::uint32_t push();

 private:
  // As each request and task has it: written first, with what request() said until then.
  void begin_once();
  template <class E>
  E* add(hooks::EntryKind kind, std::size_t strings, std::uint64_t at);

  TestCore& core_;
  std::uint32_t index_;
  hooks::Block* block_;
  std::string method_ = "GET";
  std::string target_ = "/";
  bool begun_ = false;
};

std::uint64_t text_hash(std::string_view text, std::uint8_t dialect = 1);

}  // namespace inlens::worker
