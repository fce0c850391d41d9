// Keeps what a host thread may still be looking at: settings that were replaced, a runtime whose thread did
// not leave. Such things are few, and nobody can say when the last look at them was. Threads: any but hooks.
// Blocks: for a lock and an allocation.
#pragma once

#include <memory>

namespace inlens {

// Owns `value` until the process ends; it stays reachable, so leak checkers see no leak.
void keep_for_ever(std::shared_ptr<const void> value);

template <class T, class... Arguments>
const T* make_for_ever(Arguments&&... arguments) {
  auto value = std::make_shared<const T>(std::forward<Arguments>(arguments)...);
  const T* bare = value.get();
  keep_for_ever(std::move(value));
  return bare;
}

}  // namespace inlens
