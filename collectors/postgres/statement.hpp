// The host's calls of libpq as the agent is told of them.
//
// libpq calls its own exported functions, which come past us too (Debian's build; others bind them inside).
// Inside of a host's call, a call for the same connection is libpq's own; one for another connection comes
// from a callback of the host's, such as a notice processor, and is seen:
//   PQconnectdb*, PQping*       PQconnectStart*, PQconnectPoll, PQfinish
//   PQsetdbLogin, PQreset*      PQconnectPoll
//   PQconnectPoll               PQgetResult, PQisBusy, PQconsumeInput
//   PQexec*, PQprepare, PQdescribe*, PQfn, PQendcopy
//                               PQsend*, PQgetResult, PQmakeEmptyPGresult, PQclear
//   PQgetResult                 PQgetResult, PQputCopyEnd, PQmakeEmptyPGresult, PQclear
// PQsetClientEncoding, PQencryptPasswordConn and the lo_* functions send statements by PQexec: those are
// seen.
//
// Threads: the calling one. Blocks: never. Everything ends by its scope, also when the host's thread is
// cancelled in libpq or a callback throws through it.
#pragma once

#include <inlens/inlens.h>
#include <libpq-fe.h>

#include <cstdint>

#include "collectors/postgres/connection.hpp"
#include "collectors/preload/cycles.hpp"

namespace inlens::postgres {

// A call of the host's that this thread is in. Plain values, as the call may never return: a callback may
// jump out of it (longjmp), or a coroutine wait in it while another runs.
class Call {
 public:
  struct State {
    const void* connection;
    const void* place;  // on the stack
    inlens_request request;
    inlens_request piece;
    inlens_span statement;
    std::uint64_t first_ns;
  };

  // `connection` of one that does not exist yet: kNew. `request` gets the notices. What is to be
  // ended when this call is left by a jump: `piece` that inlens_background_enter gave, and `statement`.
  explicit Call(const void* connection, inlens_request request = INLENS_NONE,
                inlens_request piece = INLENS_NONE, inlens_span statement = INLENS_NONE) noexcept;
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  // Whether a call for `connection` comes from libpq itself.
  static bool is_inner(const void* connection) noexcept;

  // libpq makes a result: of rows when `status` says so, whose first has then arrived.
  static void result_made(const PGconn* connection, ExecStatusType status) noexcept;
  // libpq gives back a result: one that held a notice has been delivered.
  static void result_cleared(const PGresult* result) noexcept;

  // When the first row of this call came; 0: none.
  std::uint64_t first_ns() const noexcept;

  static const char kNew[1];

 private:
  static void notice(const PGresult* result) noexcept;
  void forget_jump() noexcept;

  State before_;
};

// Preloaded, this library's variables are in every thread's static block, where they cost one instruction.
extern __thread Call::State t_call;

inline Call::Call(const void* connection, inlens_request request, inlens_request piece,
                  inlens_span statement) noexcept
    : before_(t_call) {
  // The stack grows down: a call that stands below this one was left by a jump.
  if (before_.connection == connection && before_.place <= this) [[unlikely]]
    forget_jump();
  t_call = {connection, this, request, piece, statement, 0};
}

inline Call::~Call() {
  t_call = before_;
}

inline bool Call::is_inner(const void* connection) noexcept {
  return (t_call.connection == connection || t_call.connection == kNew) &&
         t_call.place > __builtin_frame_address(0);
}

inline void Call::result_made(const PGconn* connection, ExecStatusType status) noexcept {
  const bool has_rows = status == PGRES_TUPLES_OK || status == PGRES_COPY_OUT;
  if (has_rows && connection != nullptr && t_call.connection == connection && t_call.first_ns == 0 &&
      t_call.request != INLENS_NONE)
    t_call.first_ns = preload::system_ns();
}

inline void Call::result_cleared(const PGresult* result) noexcept {
  if (t_call.request != INLENS_NONE && result != nullptr) [[unlikely]]
    notice(result);
}

inline std::uint64_t Call::first_ns() const noexcept {
  return t_call.first_ns;
}

// Whether there is an agent that wants to know. `caller`: in the module that uses libpq.
bool is_watching(const void* caller) noexcept;

// What a command is, as the host gave it.
struct Asked {
  Pending::Kind kind;
  const char* text;  // nullptr: of the prepared statement `name`
  const char* name;  // nullptr: none
  const void* caller;
  bool is_sent_only;  // its answer is read by other calls
};

// A command that the host gives: waits for its answer within the call (ended), or only sends it (sent).
class Command {
 public:
  Command(PGconn* connection, const Asked& asked) noexcept;
  ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  void ended(const PGresult* result) noexcept;
  void sent(bool has_been_sent) noexcept;

 private:
  Pending begin() noexcept;
  // The rest comes with the answer.
  void leave_to(Pending& place) noexcept;

  PGconn* connection_;
  Asked asked_;
  Pending pending_;
  Call call_;
};

// A look at the answer of what was sent.
class Answer {
 public:
  explicit Answer(PGconn* connection) noexcept;
  ~Answer();
  Answer(const Answer&) = delete;
  Answer& operator=(const Answer&) = delete;

  // What PQgetResult returned: nullptr at the end of a command's results.
  void came(const PGresult* result) noexcept;
  // What PQendcopy returned.
  void copy_ended(bool is_ok) noexcept;
  // Nothing is complete yet.
  void looked() noexcept;

 private:
  explicit Answer(PGconn* connection, const Pending& head) noexcept;

  PGconn* connection_;
  bool is_over_ = false;
  Call call_;
};

// A connection being opened.
class Connecting {
 public:
  explicit Connecting(PGconn* reset = nullptr) noexcept;
  ~Connecting();
  Connecting(const Connecting&) = delete;
  Connecting& operator=(const Connecting&) = delete;

  // Tried to the end.
  void ended(PGconn* connection) noexcept;
  // Goes on with PQconnectPoll or PQresetPoll.
  void started(PGconn* connection) noexcept;

 private:
  std::uint64_t began_ns_;
  inlens_request request_;
  Call call_;
};

// After PQconnectPoll or PQresetPoll.
void polled(PGconn* connection, PostgresPollingStatusType status) noexcept;
// Before PQfinish.
void finishing(PGconn* connection) noexcept;
void pipeline_entered(PGconn* connection) noexcept;
void pipeline_left(PGconn* connection) noexcept;

}  // namespace inlens::postgres
