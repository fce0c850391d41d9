#include "agent/hooks/in_flight.hpp"

#include <algorithm>
#include <bit>

#include "agent/platform/mask.hpp"

namespace inlens::hooks {

namespace {

constexpr std::size_t kMaxTarget = 2000;

// Copies memory that its owner may be writing at the same time; the caller throws the copy away if so. The
// thread sanitizer would call that the race it is.
__attribute__((no_sanitize("thread"), noinline)) void copy_racing(char* to, const char* from,
                                                                  std::size_t size) {
  const volatile char* source = from;
  for (std::size_t i = 0; i < size; ++i) to[i] = source[i];
}

template <class T>
T copy_racing(const T& from) {
  char bytes[sizeof(T)];
  copy_racing(bytes, reinterpret_cast<const char*>(&from), sizeof(T));
  return std::bit_cast<T>(bytes);
}

// `size` bytes at `offset` of a block, or less where it ends.
std::string text_in(const Block& block, std::size_t offset, std::size_t size) {
  offset = std::min(offset, kBlockBytes);
  std::string text(std::min(size, kBlockBytes - offset), '\0');
  copy_racing(text.data(), reinterpret_cast<const char*>(&block) + offset, text.size());
  return text;
}

std::string route_of(const Pool& pool, const RecordHead& head) {
  const auto place = std::bit_cast<RoutePlace>(head.route_word.load(std::memory_order_acquire));
  const Block* block = place.size != 0 ? pool.at(place.block) : nullptr;
  return block != nullptr ? text_in(*block, place.offset, place.size) : std::string{};
}

// May be a mixture of two records; the caller checks.
RunningRecord look_at(const Pool& pool, const Block& block) {
  const RecordHead& head = block.head;
  RunningRecord record;
  record.task = head.block.use.load(std::memory_order_relaxed) == BlockUse::kTask;
  record.statements = head.counters.statements.get();
  record.errors = head.counters.errors.get();
  record.activity = static_cast<EntryKind>(head.activity.get());
  record.id_high = copy_racing(head.id_high);
  record.id_low = copy_racing(head.id_low);
  record.start_ticks = copy_racing(head.start_ticks);
  record.thread_number = copy_racing(head.thread_number);
  const BeginEntry begin = copy_racing(*begin_entry(block));
  const std::size_t strings = sizeof(RecordHead) + sizeof(BeginEntry);
  record.method = text_in(block, strings, begin.method_size);
  record.target = text_in(block, strings + begin.method_size, begin.target_size);
  record.route = route_of(pool, head);
  return record;
}

void mask_target(std::string& target) {
  if (!mask::url_may_hold_secret(target)) return;
  char masked[kMaxTarget];
  target.assign(masked, mask::copy_url(target, masked, sizeof(masked)));
}

}  // namespace

std::vector<RunningRecord> running_records(const Core& core) {
  std::vector<RunningRecord> running;
  const Pool& pool = core.pool();
  const std::uint32_t touched = pool.touched();
  for (std::uint32_t index = 0; index < touched; ++index) {
    const Block& block = pool[index];
    const std::uint32_t generation = block.head.block.generation.load(std::memory_order_acquire);
    if ((generation & 1) == 0) continue;
    const BlockUse use = block.head.block.use.load(std::memory_order_relaxed);
    if (use != BlockUse::kRequest && use != BlockUse::kTask) continue;
    RunningRecord record = look_at(pool, block);
    // What was copied above is read before the generation is read again.
    std::atomic_thread_fence(std::memory_order_acquire);
    if (block.head.block.generation.load(std::memory_order_relaxed) != generation) continue;
    mask_target(record.target);
    running.push_back(std::move(record));
  }
  return running;
}

}  // namespace inlens::hooks
