// The process's own libpq, as far as the collector calls it: functions that read what is there already. None
// of them waits, allocates or sets errno, and all are older than any libpq still in use.
//
// Threads: any. Blocks: is_known() once, for the loader.
#pragma once

#include <libpq-fe.h>

#include <cstddef>

#include "collectors/preload/real.hpp"

namespace inlens::postgres {

inline constexpr char kLibpq[] = "libpq.so.5";

namespace libpq {

inline constinit preload::Real<decltype(PQstatus)> status{kLibpq, "PQstatus"};
inline constinit preload::Real<decltype(PQhost)> host{kLibpq, "PQhost"};
inline constinit preload::Real<decltype(PQport)> port{kLibpq, "PQport"};
inline constinit preload::Real<decltype(PQdb)> db{kLibpq, "PQdb"};
inline constinit preload::Real<decltype(PQerrorMessage)> error_message{kLibpq, "PQerrorMessage"};
inline constinit preload::Real<decltype(PQresultStatus)> result_status{kLibpq, "PQresultStatus"};
inline constinit preload::Real<decltype(PQresultErrorField)> error_field{kLibpq, "PQresultErrorField"};
inline constinit preload::Real<decltype(PQresultErrorMessage)> result_message{kLibpq, "PQresultErrorMessage"};
inline constinit preload::Real<decltype(PQntuples)> ntuples{kLibpq, "PQntuples"};
inline constinit preload::Real<decltype(PQcmdTuples)> cmd_tuples{kLibpq, "PQcmdTuples"};
inline constinit preload::Real<decltype(PQlibVersion)> version{kLibpq, "PQlibVersion"};

// Whether `result` takes more memory than `bytes`; true for a libpq older than version 12, which does not
// say.
bool is_larger(const PGresult* result, std::size_t bytes) noexcept;

// Whether those above are there. The first call finds them, with the module of `caller` if need be, and
// says what the collector sees.
bool is_known(const void* caller) noexcept;

}  // namespace libpq

// Counts a statement or connection of which less is shown than there was to see, and says so.
void count_unseen() noexcept;

}  // namespace inlens::postgres
