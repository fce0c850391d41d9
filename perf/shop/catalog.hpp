// The shop's database: its tables and the same few thousand rows on every machine.
// Used once, by main(), before the workers open it.
#pragma once

#include <iosfwd>
#include <string>

namespace shop {

// Creates the tables and rows unless the database has them; several shops may start on one at once.
// Errors: DbError.
void create_catalog(const std::string& database, std::ostream& progress);

}  // namespace shop
