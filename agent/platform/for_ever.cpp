#include "agent/platform/for_ever.hpp"

#include <mutex>
#include <vector>

namespace inlens {

void keep_for_ever(std::shared_ptr<const void> value) {
  struct Kept {
    std::mutex mutex;
    std::vector<std::shared_ptr<const void>> values;
  };
  static auto* kept = new Kept;  // never destroyed: threads may outlive main()
  const std::scoped_lock lock(kept->mutex);
  kept->values.push_back(std::move(value));
}

}  // namespace inlens
