// What the collector remembers of each connection: where it leads, the texts of its prepared statements, and
// the commands whose answers have not been read yet.
//
// A table of fixed size keyed by the PGconn's address; a connection beyond it is passed through and counted.
// libpq forbids two threads at one connection at the same time. A host that does it all the same finds the
// connection held: the call of the second thread goes on without us. Nobody waits here.
#pragma once

#include <inlens/inlens.h>
#include <libpq-fe.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace inlens::postgres {

std::uint64_t hash_of(const char* name) noexcept;

// The texts of a connection's prepared statements by their names. When a set of names is full the one that
// was prepared first is forgotten. Allocates in remember() alone.
class PreparedTexts {
 public:
  void remember(std::uint64_t name, const char* text) noexcept;
  // Empty when unknown; valid until the next remember() or clear().
  std::string_view find(std::uint64_t name) const noexcept;
  void clear() noexcept;

 private:
  static constexpr std::size_t kSets = 64;
  static constexpr std::size_t kWays = 4;
  struct Entry {
    std::uint64_t name;
    char* text;
    std::size_t size;
  };
  struct Set {
    Entry entries[kWays];
    std::size_t next;
  };
  Set* sets_ = nullptr;
};

// A command that was sent and whose answer is not complete.
struct Pending {
  enum class Kind : std::uint8_t {
    kScript,     // a string that may hold several statements, each with a result of its own
    kStatement,  // one statement
    kPrepare,
    kDescribe,
  };

  Kind kind = Kind::kScript;
  bool is_answered = false;
  bool is_copying = false;
  bool is_ended = false;
  bool is_background = false;  // outside of requests
  inlens_span span = INLENS_NONE;
  inlens_request request = INLENS_NONE;
  const void* thread = nullptr;  // that sent it
  std::uint64_t name = 0;        // hash of the prepared statement's
  std::int64_t rows = 0;
  std::uint64_t sent_ns = 0;   // 0: not taken
  std::uint64_t first_ns = 0;  // when the first row came; 0: none, or not seen
  std::uint64_t last_ns = 0;   // when the newest result was complete; 0: not taken
};

// host:port/database of a connection.
struct Target {
  std::size_t size = 0;
  char text[108] = {};

  inlens_str view() const noexcept { return {text, size}; }
  void learn(PGconn* connection) noexcept;
};

struct Connection {
  std::atomic<bool> held{false};

  inlens_connection handle = INLENS_NONE;
  bool is_used = false;
  bool in_pipeline = false;
  bool is_resetting = false;
  std::uint64_t connect_began_ns = 0;  // 0: not connecting
  std::uint64_t answered_ns = 0;       // when a pipeline's newest command was complete
  Target target;
  PreparedTexts prepared;

  // One command at a time outside of pipelines; `queue` has room for kPipeline, a ring.
  static constexpr std::uint32_t kPipeline = 1024;
  Pending single;
  Pending* queue = nullptr;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::uint32_t beyond = 0;  // commands behind those of a full queue, of which nothing is known

  Pending* head() noexcept { return count == 0 ? nullptr : at(0); }
  // nullptr when there is no room; the answer is then skipped when it comes.
  Pending* push() noexcept;
  void pop() noexcept;
  void drop_all() noexcept;
  // Room for a pipeline's commands. Allocates.
  void make_queue() noexcept;
  void forget() noexcept;

 private:
  Pending* at(std::uint32_t number) noexcept {
    return queue == nullptr ? &single : &queue[(first + number) % kPipeline];
  }
};

// A connection that is held by this scope, or nothing: when it is unknown, or held by another thread.
class Held {
 public:
  enum class IfUnknown { kLeave, kAdd };

  explicit Held(PGconn* connection, IfUnknown if_unknown = IfUnknown::kLeave) noexcept;
  ~Held() {
    if (connection_ != nullptr) connection_->held.store(false, std::memory_order_release);
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  explicit operator bool() const noexcept { return connection_ != nullptr; }
  Connection* operator->() const noexcept { return connection_; }
  Connection* get() const noexcept { return connection_; }
  // Out of the table; what it remembered is forgotten.
  void remove() noexcept;

 private:
  std::atomic<PGconn*>* key_ = nullptr;
  Connection* connection_ = nullptr;
};

}  // namespace inlens::postgres
