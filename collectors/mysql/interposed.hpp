// What every interposed function of libmariadb has: the original, and its way out of our library.
#pragma once

#include "collectors/mysql/library.hpp"

// The address of the host's code that called us.
#define INLENS_CALLER __builtin_return_address(0)

#define INLENS_MYSQL_REAL(name)                            \
  inlens::preload::RealVersion<decltype(::name)> name {    \
    inlens::mysql::kSoname, #name, inlens::mysql::kVersion \
  }

// inlens_<name> stands in front of <name>, under both of the versions that the library gives it.
#define INLENS_MYSQL_EXPORT(name)                                \
  INLENS_VERSIONED(inlens_##name, name, "@libmysqlclient_18");   \
  INLENS_VERSIONED(inlens_##name, name, "@libmariadbclient_18"); \
  INLENS_VERSIONED(inlens_##name, name, "@@INLENS")
