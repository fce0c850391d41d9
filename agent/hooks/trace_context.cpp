#include "agent/hooks/trace_context.hpp"

#include <algorithm>
#include <cstring>

#include "agent/hooks/hex.hpp"
#include "agent/hooks/requests.hpp"
#include "agent/hooks/this_thread.hpp"

namespace inlens::hooks {

namespace {

// Places in a traceparent.
constexpr std::size_t kTrace = 3, kTraceDigits = 32;
constexpr std::size_t kParent = 36, kParentDigits = 16;
constexpr std::size_t kFlags = 53;

bool are_digits(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_number(std::string_view text) {
  return are_digits(text) && text.find_first_not_of('0') != std::string_view::npos;
}

void begin_trace(const RecordHead& head, char* out) {
  write_hex(head.is_child() ? head.parent_high : head.id_high, out);
  write_hex(head.is_child() ? head.parent_low : head.id_low, out + 16);
}

// The recorded flag as it came; the others mean something in versions to come.
char flag_of(std::string_view incoming) {
  const char last = incoming[kFlags + 1];
  const int digit = last <= '9' ? last - '0' : last - 'a' + 10;
  return (digit & 1) != 0 ? '1' : '0';
}

}  // namespace

bool is_traceparent(std::string_view text) {
  if (text.size() < kTraceparentSize || text[kTrace - 1] != '-' || text[kParent - 1] != '-' ||
      text[kFlags - 1] != '-')
    return false;
  const std::string_view version = text.substr(0, 2);
  if (!are_digits(version) || version == "ff") return false;
  if (text.size() > kTraceparentSize && (version == "00" || text[kTraceparentSize] != '-')) return false;
  return is_number(text.substr(kTrace, kTraceDigits)) && is_number(text.substr(kParent, kParentDigits)) &&
         are_digits(text.substr(kFlags, 2));
}

bool write_traceparent(Core& core, std::uint64_t request, std::uint64_t call, char (&out)[kTraceparentSize]) {
  if (!core.propagates.load(std::memory_order_relaxed)) return false;
  ThreadState* state = this_thread(core);
  if (state == nullptr) return false;
  const Block* record = open_record(core, resolve_handle(*state, request));
  if (record == nullptr) return false;
  std::memcpy(out, "00-00000000000000000000000000000000-0000000000000000-01", sizeof(out));
  const std::string_view incoming = begin_facts(*record).traceparent;
  if (is_traceparent(incoming)) {
    incoming.copy(out + kTrace, kTraceDigits, kTrace);
    out[kFlags + 1] = flag_of(incoming);
  } else {
    begin_trace(record->head, out + kTrace);
  }
  // Calls of one record have different handles, so these differ as well.
  const std::uint64_t parent = record->head.id_low ^ call * 0x9E3779B97F4A7C15;
  write_hex(std::max<std::uint64_t>(parent, 1), out + kParent);
  return true;
}

}  // namespace inlens::hooks
