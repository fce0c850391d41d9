// The shop's database: its tables and the same few thousand rows on every machine.
// Used once, by main(), before the workers open the file.
#pragma once

#include <iosfwd>
#include <string>

namespace shop {

// Creates the tables and rows unless the file has them already; several shops may start on one file at once.
// Errors: DbError.
void create_catalog(const std::string& file, std::ostream& progress);

}  // namespace shop
