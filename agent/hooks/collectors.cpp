#include "agent/hooks/collectors.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

namespace inlens::hooks {

namespace {

constexpr std::size_t kMost = 32;
constexpr std::size_t kWords = 30;

// Name, state and detail as words, so that readers and writers may meet.
struct Text {
  char name[32];
  std::uint8_t state;
  std::uint8_t name_size;
  std::uint8_t detail_size;
  char detail[200];
};
static_assert(sizeof(Text) <= kWords * 8);

// A seqlock: `version` is odd while a writer is in it, 0 while the row is unused.
struct Row {
  std::atomic<std::uint32_t> version{0};
  std::array<std::atomic<std::uint64_t>, kWords> words{};
};

std::array<Row, kMost> g_rows;

// False when a writer was in it.
bool read(const Row& row, std::uint32_t version, Text& text) {
  std::array<std::uint64_t, kWords> words;
  for (std::size_t i = 0; i < kWords; ++i) words[i] = row.words[i].load(std::memory_order_acquire);
  std::copy_n(reinterpret_cast<const char*>(words.data()), sizeof(Text), reinterpret_cast<char*>(&text));
  return row.version.load(std::memory_order_relaxed) == version;
}

bool write(Row& row, std::uint32_t version, const Text& text) {
  if (!row.version.compare_exchange_strong(version, version + 1, std::memory_order_acq_rel)) return false;
  std::array<std::uint64_t, kWords> words{};
  std::copy_n(reinterpret_cast<const char*>(&text), sizeof(Text), reinterpret_cast<char*>(words.data()));
  // Release: who reads a newer word also reads the odd version.
  for (std::size_t i = 0; i < kWords; ++i) row.words[i].store(words[i], std::memory_order_release);
  row.version.store(version + 2, std::memory_order_release);
  return true;
}

}  // namespace

void report_collector(std::string_view name, inlens_collector_state state, std::string_view detail) noexcept {
  Text text{};
  text.name_size = static_cast<std::uint8_t>(name.copy(text.name, sizeof(text.name) - 1));
  text.detail_size = static_cast<std::uint8_t>(detail.copy(text.detail, sizeof(text.detail)));
  text.state = static_cast<std::uint8_t>(state);
  name = {text.name, text.name_size};
  if (name.empty()) return;
  for (Row& row : g_rows) {
    const std::uint32_t version = row.version.load(std::memory_order_acquire);
    if (version == 0 && write(row, version, text)) return;
    Text there;
    if (!read(row, row.version.load(std::memory_order_acquire), there)) continue;
    if (std::string_view(there.name, there.name_size) != name) continue;
    write(row, row.version.load(std::memory_order_acquire) & ~1U, text);
    return;
  }
}

std::vector<CollectorReport> collector_reports() {
  std::vector<CollectorReport> reports;
  for (const Row& row : g_rows) {
    const std::uint32_t version = row.version.load(std::memory_order_acquire);
    Text text;
    if (version == 0 || (version & 1) != 0 || !read(row, version, text)) continue;
    reports.push_back({std::string(text.name, text.name_size),
                       static_cast<inlens_collector_state>(text.state),
                       std::string(text.detail, text.detail_size)});
  }
  return reports;
}

}  // namespace inlens::hooks
