// Function, file and line of addresses in this process's code, looked up on a thread of its own, as reading
// debug information may take seconds, and remembered. Uses libdw, which is loaded when the first address is
// asked for; the host need not have it. Reads only files of this machine: the modules themselves and debug
// files named by build id.
//
// Threads: any but hooks. Blocks: for a lock that is held for look-ups in memory alone. May throw
// std::bad_alloc.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace inlens {

struct Symbol {
  std::string function;  // demangled; empty: not known
  std::string file;      // without its directory; empty: no debug information
  int line = 0;
};

class Symbols {
 public:
  Symbols();
  // Does not wait for a look-up under way; that ends by itself.
  ~Symbols();
  Symbols(const Symbols&) = delete;
  Symbols& operator=(const Symbols&) = delete;

  // What is known of a return address, or nullptr while it is being looked up. The answer lives as long as
  // this.
  const Symbol* find(std::uint64_t return_address);

  // Grows with each answer, so that who showed less may look again.
  std::uint64_t answers() const;

  // Why there are no names: "" when libdw is there or was not needed yet.
  static std::string problem();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace inlens
