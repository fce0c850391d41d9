// The functions of libpq that Inlens stands in front of. Each does what the process's own libpq does; see
// statement.hpp for what is told of it, and for the calls that libpq makes itself.
//
// None of them is noexcept: a host's notice processor may throw through them, a thread be cancelled in them.
#include "collectors/postgres/libpq.hpp"
#include "collectors/postgres/statement.hpp"
#include "collectors/preload/agent.hpp"

namespace {

using namespace inlens::postgres;
using inlens::preload::Real;
using Kind = Pending::Kind;

// Given and answered within one call.
template <class F, class... Arguments>
PGresult* run(Real<F>& of, const Asked& asked, PGconn* connection, Arguments... arguments) {
  F* const real = of.get(asked.caller);
  if (real == nullptr) return nullptr;
  if (connection == nullptr || Call::is_inner(connection)) return real(connection, arguments...);
  if (!is_watching(asked.caller)) {
    const Call call(connection);
    return real(connection, arguments...);
  }
  Command command(connection, asked);
  PGresult* const result = real(connection, arguments...);
  command.ended(result);
  return result;
}

template <class F, class... Arguments>
int send(Real<F>& of, const Asked& asked, PGconn* connection, Arguments... arguments) {
  F* const real = of.get(asked.caller);
  if (real == nullptr) return 0;
  if (connection == nullptr || Call::is_inner(connection)) return real(connection, arguments...);
  if (!is_watching(asked.caller)) {
    const Call call(connection);
    return real(connection, arguments...);
  }
  Command command(connection, asked);
  const int is_sent = real(connection, arguments...);
  command.sent(is_sent != 0);
  return is_sent;
}

template <class F, class... Arguments>
PGconn* connect(Real<F>& of, const void* caller, Arguments... arguments) {
  F* const real = of.get(caller);
  if (real == nullptr) return nullptr;
  if (Call::is_inner(Call::kNew) || !is_watching(caller)) return real(arguments...);
  Connecting connecting;
  PGconn* const connection = real(arguments...);
  connecting.ended(connection);
  return connection;
}

template <class F, class... Arguments>
PGconn* start(Real<F>& of, const void* caller, Arguments... arguments) {
  F* const real = of.get(caller);
  if (real == nullptr) return nullptr;
  if (Call::is_inner(Call::kNew) || !is_watching(caller)) return real(arguments...);
  Connecting connecting;
  PGconn* const connection = real(arguments...);
  connecting.started(connection);
  return connection;
}

template <class F>
PostgresPollingStatusType poll(Real<F>& of, const void* caller, PGconn* connection) {
  F* const real = of.get(caller);
  if (real == nullptr) return PGRES_POLLING_FAILED;
  if (connection == nullptr || Call::is_inner(connection)) return real(connection);
  PostgresPollingStatusType status;
  {
    const Call call(connection);
    status = real(connection);
  }
  polled(connection, status);
  return status;
}

template <class F, class... Arguments>
PGPing ping(Real<F>& of, const void* caller, Arguments... arguments) {
  F* const real = of.get(caller);
  if (real == nullptr) return PQPING_NO_ATTEMPT;
  const Call call(Call::kNew);
  return real(arguments...);
}

}  // namespace

#define INLENS_PQ extern "C" __attribute__((visibility("default")))
#define REAL(name) static constinit Real<decltype(name)> real(kLibpq, #name)
#define CALLER __builtin_return_address(0)

// ---- Connections

INLENS_PQ PGconn* PQconnectdb(const char* info) {
  REAL(PQconnectdb);
  return connect(real, CALLER, info);
}

INLENS_PQ PGconn* PQconnectdbParams(const char* const* keywords, const char* const* values, int expand) {
  REAL(PQconnectdbParams);
  return connect(real, CALLER, keywords, values, expand);
}

INLENS_PQ PGconn* PQsetdbLogin(const char* host, const char* port, const char* options, const char* tty,
                               const char* db, const char* login, const char* password) {
  REAL(PQsetdbLogin);
  return connect(real, CALLER, host, port, options, tty, db, login, password);
}

INLENS_PQ PGconn* PQconnectStart(const char* info) {
  REAL(PQconnectStart);
  return start(real, CALLER, info);
}

INLENS_PQ PGconn* PQconnectStartParams(const char* const* keywords, const char* const* values, int expand) {
  REAL(PQconnectStartParams);
  return start(real, CALLER, keywords, values, expand);
}

INLENS_PQ PostgresPollingStatusType PQconnectPoll(PGconn* connection) {
  REAL(PQconnectPoll);
  return poll(real, CALLER, connection);
}

INLENS_PQ void PQreset(PGconn* connection) {
  REAL(PQreset);
  const auto function = real.get(CALLER);
  if (function == nullptr) return;
  if (connection == nullptr || !is_watching(CALLER)) return function(connection);
  Connecting connecting(connection);
  function(connection);
  connecting.ended(connection);
}

INLENS_PQ int PQresetStart(PGconn* connection) {
  REAL(PQresetStart);
  const auto function = real.get(CALLER);
  if (function == nullptr) return 0;
  if (connection == nullptr || !is_watching(CALLER)) return function(connection);
  Connecting connecting(connection);
  const int is_started = function(connection);
  connecting.started(connection);
  return is_started;
}

INLENS_PQ PostgresPollingStatusType PQresetPoll(PGconn* connection) {
  REAL(PQresetPoll);
  return poll(real, CALLER, connection);
}

INLENS_PQ void PQfinish(PGconn* connection) {
  REAL(PQfinish);
  if (connection != nullptr && !Call::is_inner(connection)) finishing(connection);
  if (const auto function = real.get(CALLER); function != nullptr) function(connection);
}

INLENS_PQ PGPing PQping(const char* info) {
  REAL(PQping);
  return ping(real, CALLER, info);
}

INLENS_PQ PGPing PQpingParams(const char* const* keywords, const char* const* values, int expand) {
  REAL(PQpingParams);
  return ping(real, CALLER, keywords, values, expand);
}

// ---- Commands that are waited for

INLENS_PQ PGresult* PQexec(PGconn* connection, const char* text) {
  REAL(PQexec);
  return run(real, {Kind::kScript, text, nullptr, CALLER, false}, connection, text);
}

INLENS_PQ PGresult* PQexecParams(PGconn* connection, const char* text, int count, const Oid* types,
                                 const char* const* values, const int* lengths, const int* formats,
                                 int result_format) {
  REAL(PQexecParams);
  return run(real, {Kind::kStatement, text, nullptr, CALLER, false}, connection, text, count, types, values,
             lengths, formats, result_format);
}

INLENS_PQ PGresult* PQprepare(PGconn* connection, const char* name, const char* text, int count,
                              const Oid* types) {
  REAL(PQprepare);
  return run(real, {Kind::kPrepare, text, name, CALLER, false}, connection, name, text, count, types);
}

INLENS_PQ PGresult* PQexecPrepared(PGconn* connection, const char* name, int count, const char* const* values,
                                   const int* lengths, const int* formats, int result_format) {
  REAL(PQexecPrepared);
  return run(real, {Kind::kStatement, nullptr, name, CALLER, false}, connection, name, count, values, lengths,
             formats, result_format);
}

INLENS_PQ PGresult* PQdescribePrepared(PGconn* connection, const char* name) {
  REAL(PQdescribePrepared);
  return run(real, {Kind::kDescribe, nullptr, name, CALLER, false}, connection, name);
}

INLENS_PQ PGresult* PQdescribePortal(PGconn* connection, const char* portal) {
  REAL(PQdescribePortal);
  return run(real, {Kind::kDescribe, nullptr, nullptr, CALLER, false}, connection, portal);
}

// ---- Commands that are sent, and their answers

INLENS_PQ int PQsendQuery(PGconn* connection, const char* text) {
  REAL(PQsendQuery);
  return send(real, {Kind::kScript, text, nullptr, CALLER, true}, connection, text);
}

INLENS_PQ int PQsendQueryParams(PGconn* connection, const char* text, int count, const Oid* types,
                                const char* const* values, const int* lengths, const int* formats,
                                int result_format) {
  REAL(PQsendQueryParams);
  return send(real, {Kind::kStatement, text, nullptr, CALLER, true}, connection, text, count, types, values,
              lengths, formats, result_format);
}

INLENS_PQ int PQsendPrepare(PGconn* connection, const char* name, const char* text, int count,
                            const Oid* types) {
  REAL(PQsendPrepare);
  return send(real, {Kind::kPrepare, text, name, CALLER, true}, connection, name, text, count, types);
}

INLENS_PQ int PQsendQueryPrepared(PGconn* connection, const char* name, int count, const char* const* values,
                                  const int* lengths, const int* formats, int result_format) {
  REAL(PQsendQueryPrepared);
  return send(real, {Kind::kStatement, nullptr, name, CALLER, true}, connection, name, count, values, lengths,
              formats, result_format);
}

INLENS_PQ int PQsendDescribePrepared(PGconn* connection, const char* name) {
  REAL(PQsendDescribePrepared);
  return send(real, {Kind::kDescribe, nullptr, name, CALLER, true}, connection, name);
}

INLENS_PQ int PQsendDescribePortal(PGconn* connection, const char* portal) {
  REAL(PQsendDescribePortal);
  return send(real, {Kind::kDescribe, nullptr, nullptr, CALLER, true}, connection, portal);
}

INLENS_PQ PGresult* PQgetResult(PGconn* connection) {
  REAL(PQgetResult);
  const auto function = real.get(CALLER);
  if (function == nullptr) return nullptr;
  if (connection == nullptr || Call::is_inner(connection)) return function(connection);
  Answer answer(connection);
  PGresult* const result = function(connection);
  answer.came(result);
  return result;
}

INLENS_PQ int PQisBusy(PGconn* connection) {
  REAL(PQisBusy);
  const auto function = real.get(CALLER);
  if (function == nullptr) return 0;
  if (connection == nullptr || Call::is_inner(connection)) return function(connection);
  Answer answer(connection);
  const int is_busy = function(connection);
  answer.looked();
  return is_busy;
}

INLENS_PQ int PQendcopy(PGconn* connection) {
  REAL(PQendcopy);
  const auto function = real.get(CALLER);
  if (function == nullptr) return 1;
  if (connection == nullptr) return function(connection);
  Answer answer(connection);
  const int status = function(connection);
  answer.copy_ended(status == 0);
  return status;
}

INLENS_PQ int PQenterPipelineMode(PGconn* connection) {
  REAL(PQenterPipelineMode);
  const auto function = real.get(CALLER);
  if (function == nullptr) return 0;
  const int is_done = function(connection);
  if (is_done != 0 && is_watching(CALLER)) pipeline_entered(connection);
  return is_done;
}

INLENS_PQ int PQexitPipelineMode(PGconn* connection) {
  REAL(PQexitPipelineMode);
  const auto function = real.get(CALLER);
  if (function == nullptr) return 0;
  const int is_done = function(connection);
  if (is_done != 0 && connection != nullptr) pipeline_left(connection);
  return is_done;
}

// ---- What libpq makes and gives back within the calls above

INLENS_PQ PGresult* PQmakeEmptyPGresult(PGconn* connection, ExecStatusType status) {
  REAL(PQmakeEmptyPGresult);
  const auto function = real.get(CALLER);
  if (function == nullptr) return nullptr;
  Call::result_made(connection, status);
  return function(connection, status);
}

INLENS_PQ void PQclear(PGresult* result) {
  REAL(PQclear);
  const auto function = real.get(CALLER);
  if (function == nullptr) return;
  Call::result_cleared(result);
  function(result);
}
