#include "tests/host/failing_malloc.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
}

namespace failing_malloc {

namespace {

std::atomic<bool> g_armed{false};
std::atomic<bool> g_all{false};
std::atomic<std::int64_t> g_left{0};
std::atomic<std::uint32_t> g_refused{0};
__thread bool t_is_host = false;

bool is_refused() {
  if (!g_armed.load(std::memory_order_relaxed) || t_is_host) return false;
  const std::int64_t left = g_left.fetch_sub(1) - 1;
  if (left > 0 || (left < 0 && !g_all)) return false;
  g_refused.fetch_add(1);
  errno = ENOMEM;
  return true;
}

}  // namespace

void arm(std::uint32_t nth, Refuse refuse) {
  g_left = nth;
  g_all = refuse == Refuse::kAllFrom;
  g_refused = 0;
  g_armed = true;
}

std::uint32_t disarm() {
  g_armed = false;
  return g_refused;
}

std::uint32_t refused() {
  return g_refused;
}

void set_host_thread(bool is_host) {
  t_is_host = is_host;
}

}  // namespace failing_malloc

using failing_malloc::is_refused;

extern "C" {

void* malloc(std::size_t size) {
  return is_refused() ? nullptr : __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  return is_refused() ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  return is_refused() ? nullptr : __libc_realloc(old, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  return is_refused() ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  void* got = memalign(alignment, size);
  if (got == nullptr) return ENOMEM;
  *out = got;
  return 0;
}
void free(void* memory) {
  __libc_free(memory);
}
}
