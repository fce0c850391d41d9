// Every address of the JSON API below `/~inlens`, joined to its view: reads the store, checks the parameters,
// answers. Called on the console's thread, and on host threads for the mounted console, any number at once.
// The caller has been admitted already. Borrows the source for the handlers' life.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "agent/store/source.hpp"
#include "console/server/clock.hpp"
#include "console/server/route_table.hpp"

namespace inlens::console::api {

// Puts a handler in a table: Console::add_route or RouteTable::add.
using AddRoute = std::function<void(std::string_view method, std::string_view pattern, ApiHandler handler)>;

// `version` is Inlens's own.
void register_views(const AddRoute& add, store::Source& source, std::string version, Clock clock);

}  // namespace inlens::console::api
